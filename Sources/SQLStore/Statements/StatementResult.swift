import Query
package import Repository
import SQL

/// What a statement resulted in.
struct StatementResult {
  /// The names of the columns, in order; names may repeat.
  let columns: [String]
  let rows: [BufferedRow]
  let sql: String

  func read<Reader: ResultReader>(with reader: Reader) throws(RepositoryError) -> [Reader.Output] {
    try reader.read(self)
  }
}

/// Makes something of each row of a result.
protocol ResultReader {
  associatedtype Output
  func read(_ result: StatementResult) throws(RepositoryError) -> [Output]
}

/// Reads rows as records.
struct RecordReader: ResultReader {
  func read(_ result: StatementResult) throws(RepositoryError) -> [Record] {
    var records: [Record] = []
    records.reserveCapacity(result.rows.count)
    for (index, row) in result.rows.enumerated() {
      var values: [Value] = []
      for (position, column) in result.columns.enumerated() {
        do throws(ValueError) {
          values.append(try row.value(at: position))
        } catch {
          throw .unreadable(error, row: index, column: column, in: result)
        }
      }
      records.append(Record(keys: result.columns, values: values))
    }
    return records
  }
}

/// Reads rows as elements of a schema.
struct ElementReader<Element: Storable>: ResultReader {
  let schema: Schema<Element>
  let table: TableSchema

  func read(_ result: StatementResult) throws(RepositoryError) -> [Element] {
    var positions: [Int] = []
    for column in table.columns {
      // By bytes, as all names.
      guard let position = result.columns.firstIndex(named: column.name) else {
        throw RepositoryError(
          .invalidStatement, "the result has no column \(column.name)",
          reason: "its columns are \(result.columns.joined(separator: ", "))",
          suggestion: "name it with AS \(column.name)", sql: result.sql)
      }
      positions.append(position)
    }
    var elements: [Element] = []
    elements.reserveCapacity(result.rows.count)
    for (index, row) in result.rows.enumerated() {
      elements.append(try schema.element(from: MappedRow(row: row, positions: positions), in: table, at: index + 1))
    }
    return elements
  }
}

/// A row with remapped column positions.
private final class MappedRow: Row {
  private let row: BufferedRow
  private let positions: [Int]

  init(row: BufferedRow, positions: [Int]) {
    self.row = row
    self.positions = positions
  }

  func value(at position: Int) throws(ValueError) -> Value { try row.value(at: positions[position]) }
}

/// Reads rows as values, a type for each column.
struct ValueReader<each Property: ValueConvertible>: ResultReader {
  func read(_ result: StatementResult) throws(RepositoryError) -> [(repeat each Property)] {
    var count = 0
    for _ in repeat (each Property).self { count += 1 }
    guard result.columns.count == count else {
      throw RepositoryError(
        .invalidStatement, "the result has \(result.columns.count) columns, not \(count)",
        reason: "each type reads one column", suggestion: "select as many columns as there are types", sql: result.sql)
    }
    var rows: [(repeat each Property)] = []
    rows.reserveCapacity(result.rows.count)
    for (index, row) in result.rows.enumerated() {
      var position = -1
      func next<Next: ValueConvertible>(_ type: Next.Type) throws(RepositoryError) -> Next {
        position += 1
        do throws(ValueError) {
          return try Next(value: try row.value(at: position))
        } catch {
          throw .unreadable(error, row: index, column: result.columns[position], in: result)
        }
      }
      do {
        rows.append((repeat try next((each Property).self)))
      } catch {
        throw RepositoryError(translating: error)
      }
    }
    return rows
  }
}

extension RepositoryError {
  fileprivate static func unreadable(
    _ error: ValueError, row: Int, column: String, in result: StatementResult
  ) -> RepositoryError {
    RepositoryError(
      .unreadableRow, "row \(row + 1) of the result can't be read, column \(column)", reason: error.summary,
      suggestion: error.suggestion, sql: result.sql, underlying: error)
  }
}

extension Connection {
  /// Runs a statement.
  ///
  /// - Parameter mayWrite: whether it may change something.
  /// - Returns: `nil` where it would change something and may not; nothing was run then.
  func result(of statement: SQLStatement, mayWrite: Bool) throws(RepositoryError) -> StatementResult? {
    var result: StatementResult?
    try use(StatementText(statement.sql)) { prepared throws(RepositoryError) in
      try check(prepared, statement)
      if !mayWrite, !prepared.isReadOnly { return }
      let columns = prepared.columnNames
      var rows: [BufferedRow] = []
      try run(prepared, statement) { row in rows.append(BufferedRow(row, columnCount: columns.count)) }
      result = StatementResult(columns: columns, rows: rows, sql: statement.sql)
    }
    return result
  }

  /// Runs a statement that changes something.
  ///
  /// - Returns: how many rows it changed.
  package func change(_ statement: SQLStatement) throws(RepositoryError) -> Int {
    var count = 0
    try use(StatementText(statement.sql)) { prepared throws(RepositoryError) in
      try check(prepared, statement)
      count = try changes { () throws(RepositoryError) in try run(prepared, statement) { _ in } }
    }
    return count
  }

  private func run(
    _ prepared: any PreparedStatement, _ statement: SQLStatement, _ body: (any Row) -> Void
  ) throws(RepositoryError) {
    try checkInterruption()
    try prepared.bind(statement.bindings)
    while try prepared.step() { body(prepared) }
  }

  private func check(_ prepared: any PreparedStatement, _ statement: SQLStatement) throws(RepositoryError) {
    let count = prepared.parameterCount
    if count == statement.bindings.count { return }
    throw RepositoryError(
      .invalidStatement, "the statement has \(count) placeholders and \(statement.bindings.count) values",
      reason: "each value that is interpolated makes one placeholder",
      suggestion: "interpolate values, without quotes around them, instead of writing ? or :name", sql: statement.sql)
  }
}

extension SQLStatement {
  /// What SQLite does for a connection rather than for a table, so that it would change what others rely on.
  private static let refused: [(word: String, suggestion: String)] = [
    ("BEGIN", "use `transaction { }`"), ("COMMIT", "use `transaction { }`"), ("END", "use `transaction { }`"),
    ("ROLLBACK", "throw an error out of `transaction { }`"),
    ("SAVEPOINT", "use `transaction { }` within a transaction"),
    ("RELEASE", "use `transaction { }` within a transaction"),
    ("ATTACH", "open the other database as a store"), ("DETACH", "open the other database as a store"),
    ("PRAGMA", "read it with SELECT * FROM pragma_name"), ("VACUUM", "use `vacuum()`"),
  ]

  /// - Throws: ``RepositoryError`` where a value can't be bound, and where the statement is none for here.
  package func checked() throws(RepositoryError) -> SQLStatement {
    if let fault {
      throw RepositoryError(
        .invalidValue, "a value can't be bound", reason: fault.summary, suggestion: fault.suggestion, sql: sql,
        underlying: fault)
    }
    let word = StatementKeyword(of: sql).text
    guard let refused = Self.refused.first(where: { $0.word == word }) else { return self }
    throw RepositoryError(
      .invalidStatement, "\(word) can't be run as a statement",
      reason: "it would change what the whole store relies on",
      suggestion: refused.suggestion, sql: sql)
  }
}
