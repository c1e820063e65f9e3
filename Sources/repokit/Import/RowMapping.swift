import CSV
import Query

/// Turns the records of a file into the rows of a table.
struct RowMapping {
  private struct Target {
    let column: ColumnSchema
    /// Which field it takes; none stays null.
    let field: Int?
    let conversion: FieldConversion
  }

  private let file: String
  private let targets: [Target]

  /// Finds each column of a file in a table, by its name.
  ///
  /// - Parameter file: what messages call the file.
  /// - Throws: a failure where the table lacks a column of the file, or the file one that may not be null.
  init(_ header: [String], of file: String, to table: TableSchema) throws(Failure) {
    self.file = file
    var fields = [Int?](repeating: nil, count: table.columns.count)
    for (index, name) in header.enumerated() {
      do throws(QueryError) {
        fields[try table.position(of: name)] = index
      } catch {
        throw Failure("\(file): \(error.summary)", details: [error.reason, error.suggestion])
      }
    }
    targets = zip(table.columns, fields).map { Target(column: $0, field: $1, conversion: FieldConversion($0)) }
    if let missing = targets.first(where: { $0.field == nil && !$0.column.isNullable })?.column {
      throw Failure(
        "\(file): there is no column \(missing.name)", details: ["\(missing.name) of \(table.name) may not be null"])
    }
  }

  /// The row of a record, in the order of the table's columns.
  func row(of record: CSVRecord) throws(Failure) -> [Value] {
    var row: [Value] = []
    row.reserveCapacity(targets.count)
    for target in targets {
      guard let index = target.field, !record.fields[index].isAbsent else {
        if !target.column.isNullable { throw absent(target.column.name, line: record.line) }
        row.append(.null)
        continue
      }
      do throws(FieldMisfit) {
        row.append(try target.conversion.value(of: record.fields[index]))
      } catch {
        throw Failure(
          "\(file), line \(record.line), column \(target.column.name): \(error.summary)", details: [error.suggestion])
      }
    }
    return row
  }

  private func absent(_ column: String, line: Int) -> Failure {
    Failure("\(file), line \(line), column \(column): the field is empty", details: ["\(column) may not be null"])
  }
}
