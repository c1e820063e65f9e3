package import Query
package import Repository

/// Updates of ``RelatedTables`` that work values out of the rows, and what they come to.
package enum ComputedUpdates {
  /// The table, what is set, where, a column, and its values in the order of the keys.
  package static let cases: [(table: String, set: String, query: String, column: String, values: [Value])] = [
    ("track", "length = length + 1", "true", "length", [101, 301, 201, 401, 51]),
    ("track", "length = length * 3 / 2", "length > 100", "length", [100, 450, 300, 600, 50]),
    ("track", "price = length", "id < 3", "price", [100.0, 300.0, 1.5, -0.5, 2.0]),
    ("track", "price = price * 2", "true", "price", [1.0, .null, 3.0, -1.0, 4.0]),
    ("track", "price = length / 0", "true", "price", [.null, .null, .null, .null, .null]),
    ("track", "price = coalesce(price, 0) + length", "id < 3", "price", [100.5, 300.0, 1.5, -0.5, 2.0]),
    ("track", "length = 2 + 3 * 4", "id = 1", "length", [14, 300, 200, 400, 50]),
    ("track", "name = name || '!'", "id != 2", "name", ["One!", "Two", "Three!", "Four!", "Five!"]),
    ("track", "name = if(length > 200, 'long', name)", "true", "name", ["One", "long", "Three", "long", "Five"]),
    // Each sees the row as it was before.
    ("track", "price = length, length = length + 1", "true", "price", [100.0, 300.0, 200.0, 400.0, 50.0]),
    ("album", "owner = lender, lender = owner", "true", "owner", [.null, 3, 2]),
    ("album", "owner = lender, lender = owner", "true", "lender", [3, .null, 1]),
    // Rows of other tables are part of it.
    ("track", "name = album.title", "album is not null", "name", ["Dawn", "Dawn", "Dusk", "Noon", "Five"]),
    ("track", "length = length + album.id", "album.artist.name = 'Ann'", "length", [101, 301, 202, 400, 50]),
    ("album", "number = count(track by album)", "room is null", "number", [1, 2, 1]),
    ("shelf", "height = height + count(album by (room, number))", "true", "height", [2.5, .null]),
  ]

  /// Updates that are refused: the code, and a part of what is said.
  package static let refused: [(table: String, set: String, code: String, message: String)] = [
    ("track", "length = length * 1.5", "invalidValue", "length holds integers and can't hold reals"),
    ("track", "name = length + 1", "invalidValue", "name holds texts and can't hold integers"),
    ("track", "length = lenght + 1", "invalidQuery", "did you mean length?"),
    ("track", "id = id + 1", "invalidQuery", "part of the primary key"),
    ("artist", "name = name || '!'", "invalidQuery", "is unique and can't be worked out of each row"),
    ("person", "name = boss.name", "invalidQuery", "out of other rows of person"),
    ("artist", "name = 5 + 1", "invalidValue", "name holds texts"),
    // No integer is the result of the one, and a track has no album.
    ("track", "length = length + 9223372036854775807", "constraint", "length"),
    ("track", "name = album.title", "constraint", "name"),
    ("track", "album = length", "foreignKeyViolation", "album"),
  ]
}

extension Store {
  /// What is wrong with the updates in this store.
  package func faultsOfComputedUpdates() async throws -> [String] {
    let tables = try await saving(RelatedTables.rows)
    var faults: [String] = []
    for (table, set, query, column, values) in ComputedUpdates.cases {
      guard let repository = tables[table], let schema = try RelatedTables.schemas().first(named: table) else {
        continue
      }
      let position = try schema.position(of: column)
      let before = try await repository.findAll(FetchRequest())
      do {
        let query = try AnyQuery(parsing: query)
        let count = try await repository.update(where: query, set: try Assignment.list(parsing: set))
        let found = try await repository.findAll(FetchRequest()).map { $0.values[position].description }
        if found != values.map(\.description) { faults.append("\(set): \(found)") }
        if query == .true, count != before.count { faults.append("\(set): \(count) rows") }
      } catch {
        faults.append("\(set): \(error)")
      }
      try await repository.save(before)
    }
    for (table, set, code, message) in ComputedUpdates.refused {
      guard let repository = tables[table] else { continue }
      let before = try await repository.findAll(FetchRequest())
      do {
        try await repository.update(where: .true, set: try Assignment.list(parsing: set))
        faults.append("\(set) is not refused")
      } catch let error as RepositoryError {
        if error.code.rawValue != code || !"\(error)".contains(message) {
          faults.append("\(set): \(error.code) \(error)")
        }
      }
      if try await repository.findAll(FetchRequest()) != before { faults.append("\(set) is refused, and changes rows") }
    }
    return faults
  }
}
