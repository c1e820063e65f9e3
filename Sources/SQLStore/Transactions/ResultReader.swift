import Query
package import Repository
import SQL

/// A reader of the rows of a result whose columns were chosen in SQL.
protocol ResultReader<Output> {
  associatedtype Output
  /// Reads the rows of a statement, which is positioned before its first one.
  ///
  /// - Parameter sql: its text, for errors.
  func read(_ row: any PreparedStatement, _ sql: String) throws(RepositoryError) -> [Output]
}

/// A reader of rows as records.
struct RecordResultReader: ResultReader {
  func read(_ row: any PreparedStatement, _ sql: String) throws(RepositoryError) -> [Record] {
    let columns = row.columnNames
    var records: [Record] = []
    while try row.step() {
      var values: [Value] = []
      try row.read(columns.count, into: &values) { error, position in
        .unreadable(error, row: records.count, column: columns[position], sql)
      }
      records.append(Record(keys: columns, values: values))
    }
    return records
  }
}

/// A reader of rows as elements of a schema.
struct ElementReader<Element: Storable>: ResultReader {
  let schema: Schema<Element>
  let table: TableSchema

  func read(_ row: any PreparedStatement, _ sql: String) throws(RepositoryError) -> [Element] {
    let columns = row.columnNames
    var positions: [Int] = []
    for column in table.columns {
      // Names are compared by their bytes.
      guard let position = columns.firstIndex(named: column.name) else {
        throw RepositoryError(
          .invalidStatement, "the result has no column \(column.name)",
          reason: "the columns are \(columns.joined(separator: ", "))",
          suggestion: "name the column with AS \(column.name)", sql: sql)
      }
      positions.append(position)
    }
    return try schema.coder.elements(from: MappedRow(row: row, positions: positions), in: table, next: row.step)
  }
}

/// A row with remapped column positions.
private final class MappedRow: Row {
  private let row: any Row
  private let positions: [Int]

  init(row: any Row, positions: [Int]) {
    self.row = row
    self.positions = positions
  }

  func value(at position: Int) throws(ValueError) -> Value { try row.value(at: positions[position]) }
  func isNull(at position: Int) -> Bool { row.isNull(at: positions[position]) }
  func integer(at position: Int) -> Int64? { row.integer(at: positions[position]) }
  func real(at position: Int) -> Double? { row.real(at: positions[position]) }
  func text(at position: Int) -> String? { row.text(at: positions[position]) }
  func decimal(at position: Int) -> String? { row.decimal(at: positions[position]) }
}

/// A reader of rows as values, with a type for each column.
struct ValueReader<each Property: ValueConvertible>: ResultReader {
  func read(_ row: any PreparedStatement, _ sql: String) throws(RepositoryError) -> [(repeat each Property)] {
    let columns = row.columnNames
    var count = 0
    for _ in repeat (each Property).self { count += 1 }
    guard columns.count == count else {
      throw RepositoryError(
        .invalidStatement, "the result has \(columns.count) columns, not \(count)",
        reason: "each type reads one column", suggestion: "select one column for each type", sql: sql)
    }
    var rows: [(repeat each Property)] = []
    while try row.step() {
      var position = -1
      func next<Next: ValueConvertible>(_ type: Next.Type) throws(RepositoryError) -> Next {
        position += 1
        do throws(ValueError) {
          return try Next(from: row, at: position)
        } catch {
          throw .unreadable(error, row: rows.count, column: columns[position], sql)
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
    _ error: ValueError, row: Int, column: String, _ sql: String
  ) -> RepositoryError {
    RepositoryError(
      .unreadableRow, "can't read row \(row + 1) of the result, column \(column)", reason: error.summary,
      suggestion: error.suggestion, sql: sql, underlying: error)
  }
}

extension Connection {
  /// Runs a statement and reads its result, while the connection is in use.
  ///
  /// - Parameter mayWrite: whether the statement may change the database.
  /// - Returns: `nil` if the statement may not change the database, but would: it was not run.
  func rows<Reader: ResultReader>(
    of statement: SQLStatement, by reader: Reader, mayWrite: Bool
  ) throws(RepositoryError) -> [Reader.Output]? {
    let compiled = statement.compiled(for: compiler.dialect)
    var rows: [Reader.Output]?
    try use(compiled.text) { prepared throws(RepositoryError) in
      try check(prepared, compiled)
      if !mayWrite, !prepared.isReadOnly { return }
      try start(prepared, compiled)
      rows = try reentrantly { () throws(RepositoryError) in try reader.read(prepared, compiled.sql) }
    }
    return rows
  }

  /// Runs a statement that changes the database.
  ///
  /// - Returns: the number of changed rows.
  package func change(_ statement: SQLStatement) throws(RepositoryError) -> Int {
    let compiled = statement.compiled(for: compiler.dialect)
    var count = 0
    try use(compiled.text) { prepared throws(RepositoryError) in
      try check(prepared, compiled)
      try start(prepared, compiled)
      count = try changes { () throws(RepositoryError) in while try prepared.step() {} }
    }
    return count
  }

  private func check(_ prepared: any PreparedStatement, _ statement: CompiledStatement) throws(RepositoryError) {
    let count = prepared.parameterCount
    if count == statement.bindings.count { return }
    throw RepositoryError(
      .invalidStatement, "the statement has \(count) placeholders and \(statement.bindings.count) values",
      reason: "each interpolated value becomes one placeholder",
      suggestion: "interpolate values without quotes, instead of ? or :name", sql: statement.sql)
  }
}
