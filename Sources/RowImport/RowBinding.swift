import CSV
import Query
import Repository
import SQLStore

/// Binds the fields of an input's records to the columns of a table, by their names.
struct RowBinding {
  private struct Target {
    let column: ColumnSchema
    /// Which field it takes; none stays null.
    let field: Int?
    let conversion: FieldConversion
  }

  /// What is the fault of a row, rather than of the database.
  private static let faults: Set<RepositoryError.Code> = [
    .conflict, .constraint, .invalidValue, .foreignKeyViolation, .restrictViolation, .tooBig,
  ]

  private let file: String
  private let targets: [Target]

  /// Finds each column of an input in a table, by its name.
  ///
  /// - Parameters:
  ///   - names: the names of the input's columns, or those of the table where each record has names of its own.
  ///   - file: what messages call the input.
  ///   - table: the columns that are written.
  ///   - computed: columns of the table that are left to the database, also where the input has them.
  /// - Throws: a failure where the table lacks a column of the input, or the input one that may not be null.
  init(
    _ names: [String], of file: String, to table: TableSchema, computed: [String] = []
  ) throws(ImportError) {
    self.file = file
    let positions = Dictionary(table.columns.enumerated().map { (Name($1.name), $0) }) { first, _ in first }
    let left = Set(computed.map(Name.init))
    var fields = [Int?](repeating: nil, count: table.columns.count)
    for (index, name) in names.enumerated() where !left.contains(Name(name)) {
      guard let position = positions[Name(name)] else {
        do throws(ImportError) {
          _ = try Self.position(of: name, in: table)
        } catch {
          throw error.at(file)
        }
        continue
      }
      fields[position] = index
    }
    targets = zip(table.columns, fields).map { Target(column: $0, field: $1, conversion: FieldConversion($0)) }
    if let missing = targets.first(where: { $0.field == nil && !$0.column.isNullable })?.column {
      throw ImportError(
        "\(file): there is no column \(missing.name)", details: ["\(missing.name) of \(table.name) may not be null"])
    }
  }

  /// The position of a column in a table.
  static func position(of name: String, in table: TableSchema) throws(ImportError) -> Int {
    do throws(QueryError) {
      return try table.position(of: name)
    } catch {
      throw ImportError(error.summary, details: [error.reason, error.suggestion])
    }
  }

  /// Inserts the row of a record.
  ///
  /// - Returns: whether the table took it.
  /// - Throws: ``BadRow`` where this record is at fault.
  func insert(_ reader: any RecordReader, _ insertion: RowWriter) throws -> Bool {
    for position in targets.indices {
      let target = targets[position]
      guard let index = target.field else {
        try insertion.bindUnchecked(.null, at: position)
        continue
      }
      let field = reader.field(at: index)
      if field.isAbsent {
        if !target.column.isNullable { throw absent(target.column.name, line: reader.line) }
        try insertion.bindUnchecked(.null, at: position)
      } else {
        do {
          try target.conversion.bind(field, to: insertion, at: position)
        } catch let error as FieldConversionError {
          throw BadRow(
            error: ImportError(
              "\(file), line \(reader.line), column \(target.column.name): \(error.summary)",
              details: [error.suggestion]))
        }
      }
    }
    do throws(RepositoryError) {
      return try insertion.insert { row(of: reader) }
    } catch {
      // A full disk is no matter of this line.
      guard Self.faults.contains(error.code) else { throw error }
      throw BadRow(error: ImportError(error).at("\(file), line \(reader.line)"))
    }
  }

  /// The row of a record, in the order of the table's columns.
  private func row(of reader: any RecordReader) -> [Value] {
    targets.map { target in
      guard let index = target.field else { return .null }
      let field = reader.field(at: index)
      return field.isAbsent ? .null : (try? target.conversion.value(of: field)) ?? .null
    }
  }

  private func absent(_ column: String, line: Int) -> BadRow {
    BadRow(
      error: ImportError(
        "\(file), line \(line), column \(column): the field is empty", details: ["\(column) may not be null"]))
  }
}

extension FieldConversion {
  /// Binds the value of a field that is not absent.
  ///
  /// - Throws: ``FieldConversionError`` where the field is at fault.
  fileprivate func bind(_ field: ImportField, to insertion: RowWriter, at position: Int) throws {
    switch self {
    case .text where field.kind != .boolean:
      return try insertion.bindUnchecked(text: field.bytes, at: position)
    case .integer:
      if let integer = NumberSyntax.integer(field.bytes) {
        return try insertion.bindUnchecked(.integer(integer), at: position)
      }
    case .real:
      if let real = NumberSyntax.shortReal(field.bytes) {
        return try insertion.bindUnchecked(.real(real), at: position)
      }
    default: break
    }
    try insertion.bind(try value(of: field), at: position)
  }
}
