import CSV
import Query
import Repository
import SQLStore

/// The binding of the fields of records to the columns that they name.
struct RowBinding {
  fileprivate struct Target {
    let column: ColumnSchema
    /// The position of the column's field; `nil` for a column that becomes null.
    let field: Int?
    let conversion: FieldConversion
  }

  /// The codes of errors that are the fault of a row, rather than of the database.
  private static let faults: Set<RepositoryError.Code> = [
    .conflict, .constraint, .invalidValue, .overflow, .foreignKeyViolation, .restrictViolation, .tooBig, .unsupported,
  ]

  private let file: String
  private let targets: [Target]
  /// The fields that a record may leave to the table, and whether the records of this binding have them.
  private let optionalFields: [(field: Int, isNamed: Bool)]
  /// The writer of the columns of the targets.
  let writer: SQLTransaction.TableWriter
  /// Whether an option would make a column of numbers accept other values.
  private let canWiden: Bool
  /// The columns by which a record replaces a row; none if each record adds a row.
  private let key: [String]

  fileprivate init(
    _ file: String, _ targets: [Target], _ optionalFields: [(field: Int, isNamed: Bool)],
    _ writer: SQLTransaction.TableWriter, canWiden: Bool, key: [String]
  ) {
    (self.file, self.targets, self.optionalFields, self.writer) = (file, targets, optionalFields, writer)
    self.key = key
    self.canWiden = canWiden
  }

  /// Whether the current record names the columns of this binding, and no others.
  func fits(_ reader: any RecordReader) -> Bool {
    optionalFields.allSatisfy { reader.hasField(at: $0.field) == $0.isNamed }
  }

  /// Inserts the row of a record.
  ///
  /// - Parameter isLeftOut: whether a bad row is skipped.
  /// - Returns: whether the table accepted the row.
  /// - Throws: ``BadRow`` if this record is at fault.
  func insert(
    _ reader: any RecordReader, _ insertion: RowWriter, leavingOutOnFailure isLeftOut: Bool
  ) throws -> Bool {
    for position in targets.indices {
      try convert(targets[position], of: reader) { field, conversion in
        if let field {
          try conversion.bind(field, to: insertion, at: position)
        } else {
          try insertion.bindUnchecked(.null, at: position)
        }
      }
    }
    return try insert(insertion, leavingOutOnFailure: isLeftOut, line: reader.line) {
      (try? row(of: reader)) ?? targets.map { _ in .null }
    }
  }

  /// Inserts a row that was made of a record.
  ///
  /// - Throws: ``BadRow`` if the row is at fault.
  func insert(
    _ row: [Value], ofLine line: Int, _ insertion: RowWriter, leavingOutOnFailure isLeftOut: Bool
  ) throws -> Bool {
    for (position, value) in row.enumerated() { try insertion.bindUnchecked(value, at: position) }
    return try insert(insertion, leavingOutOnFailure: isLeftOut, line: line) { row }
  }

  private func insert(
    _ insertion: RowWriter, leavingOutOnFailure isLeftOut: Bool, line: Int, _ row: () -> [Value]
  ) throws -> Bool {
    do throws(RepositoryError) {
      return try insertion.insert(leavingOutOnFailure: isLeftOut, row)
    } catch {
      // Other errors, such as that of a full disk, are not the fault of this row.
      guard Self.faults.contains(error.code) else { throw error }
      let values = row()
      func value(_ name: String) -> Value? {
        targets.firstIndex { Name($0.column.name) == Name(name) }.map { values[$0] }
      }
      let text = ViolationText(error, value: value) ?? ViolationText(error, newBy: key, value: value)
      let problem = text.map { ImportError($0.summary, details: $0.details) } ?? ImportError(error)
      throw BadRow(error: problem.at("\(file), line \(line)"))
    }
  }

  /// Returns the row of a record, in the order of the columns that are written.
  ///
  /// - Throws: ``BadRow`` if a field is not a value of its column.
  func row(of reader: any RecordReader) throws -> [Value] {
    try targets.map { target in
      try convert(target, of: reader) { field, conversion in
        try field.map { try target.column.stored(try conversion.value(of: $0)) } ?? .null
      }
    }
  }

  /// Passes the field of a column and its conversion to a closure; a field of `nil` if the column is to be null.
  ///
  /// - Throws: ``BadRow`` if the field is not a value of the column, or is missing.
  @inline(__always)
  private func convert<Result>(
    _ target: Target, of reader: any RecordReader, _ body: (ImportField?, FieldConversion) throws -> Result
  ) throws -> Result {
    guard let index = target.field else { return try body(nil, target.conversion) }
    let field = reader.field(at: index)
    if field.isAbsent, !target.column.isNullable {
      throw badRow(target, of: reader, "the field is empty", "\(shortName(target.column.name)) may not be null")
    }
    do {
      return try body(field.isAbsent ? nil : field, target.conversion)
    } catch let error as FieldConversionError {
      let widening =
        canWiden && target.conversion.isWidenable
        ? Self.numbersAdvice(field, target.column.name)
          ?? Self.wideningAdvice(field, target)
        : nil
      throw badRow(target, of: reader, error.summary, error.suggestion, widening)
    } catch let error as QueryError {
      throw badRow(target, of: reader, error.summary, error.suggestion)
    } catch let error as RepositoryError where error.code == .invalidValue {
      throw badRow(target, of: reader, error.summary, error.suggestion)
    }
  }

  /// The advice for a number that a column of reals takes, in a column of integers. Any other value would make all numbers of the
  /// column texts.
  private static func wideningAdvice(_ field: ImportField, _ target: Target) -> String? {
    guard target.conversion == .integer, NumberSyntax(field.bytes) == .real else { return nil }
    return "--widen changes the type of \(shortName(target.column.name)) to accept the value"
  }

  /// The advice for a number with a unit in a column of numbers; `nil` for any other text.
  private static func numbersAdvice(_ field: ImportField, _ column: String) -> String? {
    guard field.kind == .untyped, let signed = SignedNumber(field.bytes), !signed.isPlain else {
      return nil
    }
    let styles = [
      (NumberStyle.plain, ""), (.thousandsComma, " --thousands-comma"), (.decimalComma, " --decimal-comma"),
    ]
    // What the file's own style reads goes first.
    guard
      let style = ([(field.numberStyle, "")] + styles).first(where: { signed.number(in: $0.0) != nil })
    else { return nil }
    let condition = signed.unit.isEmpty ? "" : ", if the existing rows have the unit \(signed.unit) too"
    return "--numbers \(shortName(column))\(style.1) reads the number\(condition)"
  }

  private func badRow(
    _ target: Target, of reader: any RecordReader, _ problem: String, _ details: String?...
  ) -> BadRow {
    BadRow(
      error: ImportError(
        "\(file), line \(reader.line), in \(shortName(target.column.name)): \(problem)", details: details))
  }
}

/// The bindings of an input's records: a binding for each set of columns that a record names.
final class RowBindings {
  /// The maximum number of bindings that are kept. The files that programs write have fewer sets of columns.
  private static let maximumCount = 256

  private let file: String
  private let target: ImportTarget
  /// The field in the input for each column of the table.
  private let fields: [Int?]
  /// The positions of the columns that a record may leave to the table.
  private let optional: [Int]
  private let transaction: SQLTransaction
  private var bindings: [[Bool]: RowBinding] = [:]

  /// Finds each column of an input in a table, by its name.
  ///
  /// - Parameters:
  ///   - reader: the reader of the input, before its first record.
  ///   - file: the name that messages use for the input.
  ///   - target: the table.
  ///   - transaction: writes the rows.
  /// - Throws: ``ImportError`` if the table lacks a column of the input, or the input lacks a required column.
  init(
    _ reader: any RecordReader, of file: String, to target: ImportTarget,
    in transaction: SQLTransaction
  ) throws(ImportError) {
    (self.file, self.target, self.transaction) = (file, target, transaction)
    let fields = try target.fields(ofColumns: reader.names, in: file)
    self.fields = fields
    // Records below a header name all of its columns.
    let hasOwnNames = reader is JSONRecordReader
    optional = target.columns.indices.filter { hasOwnNames && target.columns[$0].isOptional && fields[$0] != nil }
  }

  /// Returns the binding of the current record; `nil` if the record names no column.
  func binding(of reader: any RecordReader) throws -> RowBinding? {
    let optionalFields = optional.compactMap { position in
      fields[position].map { (field: $0, isNamed: reader.hasField(at: $0)) }
    }
    let isNamed = optionalFields.map(\.isNamed)
    if let binding = bindings[isNamed] { return binding }
    let left = Set(zip(optional, isNamed).lazy.filter { !$0.1 }.map(\.0))
    let written = target.columns.indices.filter { position in
      let column = target.columns[position]
      return !column.isComputed && !left.contains(position) && !(column.isOptional && fields[position] == nil)
    }
    if written.isEmpty { return nil }
    let targets = written.map { position in
      let column = target.columns[position]
      return RowBinding.Target(column: column.schema, field: fields[position], conversion: column.conversion)
    }
    let binding = RowBinding(
      file, targets, optionalFields, try target.writer(ofColumns: written, transaction), canWiden: target.canWiden,
      key: (target.key ?? []).map { target.columns[$0].schema.name })
    if bindings.count == Self.maximumCount { bindings = [:] }
    bindings[isNamed] = binding
    return binding
  }

  /// Returns the error of a record that names no column.
  static func empty(in file: String, line: Int) -> BadRow {
    BadRow(error: ImportError("\(file), line \(line): the object has no columns"))
  }
}

extension FieldConversion {
  /// Binds the value of a field that is not absent.
  ///
  /// - Throws: ``FieldConversionError`` if the field is at fault.
  fileprivate func bind(_ field: ImportField, to insertion: RowWriter, at position: Int) throws {
    switch self {
    case .text where field.kind != .boolean:
      return try insertion.bindUnchecked(text: field.bytes, at: position)
    case .integer:
      if let integer = NumberSyntax.integer(field.bytes) {
        return try insertion.bindUnchecked(.integer(integer), at: position)
      }
    case .real:
      if field.numberStyle == .plain, let real = NumberSyntax.shortReal(field.bytes) {
        return try insertion.bindUnchecked(.real(real), at: position)
      }
    default: break
    }
    try insertion.bind(try value(of: field), at: position)
  }
}
