import Query
import Repository

/// What a statement resulted in.
struct StatementResult {
  /// The names of the columns, in order; a name may stand twice.
  let columns: [String]
  let rows: [FetchedRow]
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
      guard let position = result.columns.firstIndex(where: { $0.utf8.elementsEqual(column.name.utf8) }) else {
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

/// A row whose values stand at other positions.
private final class MappedRow: Row {
  private let row: FetchedRow
  private let positions: [Int]

  init(row: FetchedRow, positions: [Int]) {
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
