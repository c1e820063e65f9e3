import Query
import Repository
import SQL
import SQLStore

/// The rows of a table that are copied between servers of the same kind, as the texts that the server itself writes and reads:
/// these keep every value of every type.
struct ServerRows {
  private static let size = 1_000

  private let name: String
  private let table: ServerTable

  init(of name: String, _ table: ServerTable) { (self.name, self.table) = (name, table) }

  /// Copies the rows.
  ///
  /// - Parameter note: is told every now and then how many there are.
  /// - Returns: how many rows there are.
  func copy(from store: SQLDatabase, to transaction: SQLTransaction, note: (Int) throws -> Void) throws -> Int {
    var batch = [[Value]](repeating: [], count: table.columns.count)
    var (size, count) = (0, 0)
    func flush() throws {
      if size == 0 { return }
      try write(batch, size, to: transaction)
      (count, size) = (count + size, 0)
      for position in batch.indices { batch[position].removeAll(keepingCapacity: true) }
      try note(count)
    }
    // An error of the other database ends the reading, and is none of the database that is read.
    var failure: (any Error)?
    do throws(RepositoryError) {
      try store.runBlocking(.read) { connection throws(RepositoryError) in
        try connection.read(CompiledStatement(sql: selection, bindings: [])) { row throws(RepositoryError) in
          while try row.step() {
            for position in table.columns.indices {
              batch[position].append(row.text(at: position).map(Value.text) ?? .null)
            }
            size += 1
            if size < Self.size { continue }
            do {
              try flush()
            } catch {
              failure = error
              return
            }
          }
        }
      }
    } catch {
      throw CopySourceError(error: error)
    }
    if let failure { throw failure }
    try flush()
    return count
  }

  private var selection: String {
    let columns = table.columns.map { "\(SQLName.quoted($0.name))::text" }
    return "SELECT \(columns.isEmpty ? "NULL" : columns.joined(separator: ", ")) FROM "
      + "\(table.hasInheritingTables ? "ONLY " : "")\(SQLName.quoted(name))"
  }

  private func write(_ batch: [[Value]], _ size: Int, to transaction: SQLTransaction) throws {
    let target = "INSERT INTO \(SQLName.quoted(name))"
    let statement: CompiledStatement
    if table.columns.isEmpty {
      statement = CompiledStatement(sql: "\(target) SELECT FROM generate_series(1, \(size))", bindings: [])
    } else {
      let values = table.columns.indices.map { "u.c\($0)::\(table.columns[$0].type)" }.joined(separator: ", ")
      let arrays = table.columns.indices.map { "$\($0 + 1)::text[]" }.joined(separator: ", ")
      let names = table.columns.indices.map { "c\($0)" }.joined(separator: ", ")
      statement = CompiledStatement(
        sql: "\(target) (\(SQLName.list(table.columns.map(\.name)))) OVERRIDING SYSTEM VALUE "
          + "SELECT \(values) FROM unnest(\(arrays)) AS u(\(names))",
        bindings: [Value](repeating: .null, count: batch.count),
        lists: batch.enumerated().map { BoundList(position: $0, values: $1, type: .text) })
    }
    try transaction.performBlocking(.write) { connection throws(RepositoryError) in
      _ = try connection.execute(statement)
    }
  }
}
