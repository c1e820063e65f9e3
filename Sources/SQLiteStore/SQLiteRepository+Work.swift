import Query
import Repository
import SQL

// What is done with a connection where rows become elements, or elements rows.
extension SQLiteRepository {
  func keys(_ ids: [Element.ID]) throws(RepositoryError) -> [[Value]] {
    var keys: [[Value]] = []
    keys.reserveCapacity(ids.count)
    for id in ids { keys.append(try table.schema.key(id)) }
    return keys
  }

  /// Reads the elements of a statement's rows.
  func findAll(
    _ statement: CompiledStatement, with connection: Connection, into elements: inout [Element]
  ) throws(RepositoryError) {
    try table.readAll(of: statement, with: connection) { row, next throws(RepositoryError) in
      elements = try schema.coder.elements(from: row, in: table.schema, next: next)
    }
  }

  /// Makes the rows of elements that are inserted, where a key is to be generated for each.
  func rows(_ elements: [Element]) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    rows.reserveCapacity(elements.count)
    for element in elements { rows.append(try schema.row(from: element, in: table.schema)) }
    return rows
  }

  /// Inserts rows, and puts the keys into them that were generated.
  func insert(_ rows: inout [[Value]], with connection: Connection) throws(RepositoryError) {
    let given = rows
    rows = try connection.atomically { () throws(RepositoryError) in
      var written: [[Value]] = []
      written.reserveCapacity(given.count)
      for row in given { written.append(try connection.write(row, by: table.insert, to: table.schema)) }
      return written
    }
  }

  func elements(_ rows: [[Value]]) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for row in rows { elements.append(try schema.element(from: row, in: table.schema)) }
    return elements
  }

  /// Writes elements' rows, all or none.
  func write(
    _ elements: [Element], by sql: StatementText, with connection: Connection
  ) throws(RepositoryError) {
    // A statement is a transaction of its own.
    if elements.count == 1 { return try writeEach(elements, by: sql, with: connection) }
    try connection.atomically { () throws(RepositoryError) in try writeEach(elements, by: sql, with: connection) }
  }

  private func writeEach(
    _ elements: [Element], by sql: StatementText, with connection: Connection
  ) throws(RepositoryError) {
    var position = 0
    do throws(RepositoryError) {
      try connection.use(sql) { prepared throws(RepositoryError) in
        let binder = RowBinder(prepared, table.fits)
        while position < elements.count {
          try connection.checkInterruption()
          try connection.lending { () throws(RepositoryError) in
            if try binder.bind(elements[position], schema.coder, table.schema) { return }
            try connection.start(prepared, try schema.row(from: elements[position], in: table.schema))
          }
          _ = try connection.step(prepared)
          prepared.rewind()
          position += 1
        }
      }
    } catch {
      guard error.isBrokenRule else { throw error }
      // An element that no store can hold is refused before any rule is looked at, wherever it stands.
      let row = try connection.lending { () throws(RepositoryError) in
        for element in elements[position...].dropFirst() { _ = try schema.row(from: element, in: table.schema) }
        return try schema.row(from: elements[position], in: table.schema)
      }
      throw connection.explained(error, row, in: table.schema)
    }
  }
}
