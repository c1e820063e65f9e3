import Query
import Repository

extension Exchange {
  /// Inserts elements, or updates the existing elements with the same values in unique columns, of a route whose existing
  /// elements have to be read first: to keep what clients don't write, and to leave alone what does not exist for the request.
  ///
  /// An element that conflicts with one that does not exist for the request is inserted, and therefore a conflict.
  ///
  /// - Parameter columns: the positions of the unique columns.
  /// - Returns: the rows as they are stored, in the order of the elements.
  func upsert(_ bodies: [[Value?]], by columns: [Int], _ newRows: NewRows) async throws(Refusal) -> [[Value]] {
    var fresh: [[Value]] = []
    for body in bodies { fresh.append(try newRows.row(of: body)) }
    let values = fresh.map { row in columns.map { row[$0] } }
    var written = try await rows(with: values, in: columns)
    var places: [[Value]: Int] = [:]
    for (index, row) in written.enumerated() { places[columns.map { row[$0] }] = index }
    let foundCount = written.count
    var changed: Set<Int> = []
    var order: [Int] = []
    for (body, (row, values)) in zip(bodies, zip(fresh, values)) {
      if !values.contains(where: \.isNull), let place = places[values] {
        // The key stays, and the unique columns have the same values, maybe in another form.
        var row = try newRows.row(of: body, over: written[place])
        for position in route.table.primaryKey + columns { row[position] = written[place][position] }
        written[place] = row
        if place < foundCount { changed.insert(place) }
        order.append(place)
      } else {
        places[values] = written.count
        order.append(written.count)
        written.append(row)
      }
    }
    let saved = changed.sorted().map { written[$0] }
    try newRows.check(saved + written[foundCount...])
    let inserted = Array(written[foundCount...])
    let kept = try await translatingStoreErrors { () throws(RepositoryError) in
      if !saved.isEmpty { try await route.rows.save(saved) }
      return inserted.isEmpty ? [] : try await route.rows.insert(inserted, nil)
    }
    try await checkWritten(saved + kept, newRows)
    // Timestamps were set as the elements were saved.
    var stored: [[Value]: [Value]] = [:]
    for row in try await rows(with: saved.map(key), in: route.table.primaryKey) { stored[key(row)] = row }
    for place in changed { written[place] = stored[key(written[place])] ?? written[place] }
    return order.map { $0 < foundCount ? written[$0] : kept[$0 - foundCount] }
  }

  private func key(_ row: [Value]) -> [Value] { route.table.primaryKey.map { row[$0] } }

  /// Finds the complete rows with some values in unique columns, as far as they exist for the request.
  func rows(with values: [[Value]], in columns: [Int]) async throws(Refusal) -> [[Value]] {
    var rows: [[Value]] = []
    let values = values.filter { !$0.contains(where: \.isNull) }
    for query in route.table.queries(for: values, in: columns) {
      rows += try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.find(
          ProjectionRequest(route.table.columns.map { .key($0.name) }, of: FetchRequest(withCondition(query))))
      }
    }
    return rows
  }
}
