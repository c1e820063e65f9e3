import CSV
import Query
import Repository
import SQLInspection
import SQLStore

/// The changes of a table that make it accept the records of files: missing columns are added, integers become reals, and
/// numbers texts.
struct TableWidening {
  /// The largest integer up to which `Double` represents all of them.
  private static let longestExact = 1 << 53

  private let table: TableSchema
  private let computed: [String]
  private var columns: [ColumnSchema]
  /// The notes on the changes.
  private(set) var notes: [String] = []

  init(of table: TableSchema, without computed: [String]) {
    (self.table, self.computed, columns) = (table, computed, table.columns)
  }

  /// Observes the columns of a file.
  mutating func take(_ file: InferredColumns) throws(ImportError) {
    for (field, name) in file.names.enumerated() {
      guard let position = columns.firstIndex(where: { Name($0.name).folded == Name(name).folded }) else {
        columns.append(ColumnSchema(name, file.type(field), isNullable: true))
        notes.append("\(table.name) has a new column \(name) (\(file.type(field)))")
        continue
      }
      let column = columns[position]
      if !file.hasValue(field) || computed.contains(named: column.name) { continue }
      let conversion = FieldConversion(column)
      guard conversion.isWidenable, let type = column.type.widened(to: file.type(field)) else { continue }
      if column.isGenerated { throw isFixed(column, "the database numbers its rows by it") }
      columns[position] = column.with(type)
      let reason = type == .text ? file.anyText(field).map { ", because \($0) is no number" } : nil
      notes.append("\(column.name) of \(table.name) is \(type) from now on, and was \(column.type)\(reason ?? "")")
    }
  }

  private func isFixed(_ column: ColumnSchema, _ reason: String) -> ImportError {
    ImportError("\(column.name) of \(table.name) keeps its type", details: [reason])
  }

  /// The changes; `nil` for none.
  ///
  func checked(in store: SQLDatabase) throws -> TableWidening? {
    if notes.isEmpty { return nil }
    var checked = self
    for position in table.columns.indices
    where columns[position].type == .real && table.columns[position].type == .integer {
      let name = table.columns[position].name
      let beyond =
        AnyQuery.greaterThan(key: name, value: Self.longestExact)
        || AnyQuery.lessThan(key: name, value: -Self.longestExact)
      // A real would round them.
      if try store.repository(for: Schema(table)).count(beyond) > 0 {
        checked.columns[position] = table.columns[position].with(.text)
        checked.notes.append("\(name) of \(table.name) is text, because it holds integers that a real would round")
      }
    }
    return checked
  }

  /// The columns that get another type.
  private var retyped: [RetypedColumn] {
    zip(columns, table.columns).filter { $0.type != $1.type }.map { RetypedColumn($0.0.name, $0.0.type) }
  }

  /// Whether types change, and columns are not only added.
  var isRebuild: Bool { !retyped.isEmpty }

  /// The table afterwards.
  var schema: TableSchema {
    get throws(QueryError) {
      try TableSchema(
        table.name, columns: columns, primaryKey: table.primaryKeyColumns.map(\.name),
        unique: table.uniqueSets.map { $0.map { table.columns[$0].name } }, checks: table.checks,
        references: table.references)
    }
  }

  /// Changes the table, and then writes the rows.
  func apply<Result>(in transaction: SQLTransaction, _ write: () throws -> Result) throws -> Result {
    for column in columns[table.columns.count...] { try transaction.addColumn(column, to: table.name) }
    if !isRebuild { return try write() }
    return try transaction.checkingReferences {
      try transaction.retype(retyped, of: try schema)
      return try write()
    }
  }
}

extension FieldConversion {
  /// Whether a wider type accepts more fields.
  var isWidenable: Bool {
    switch self {
    case .integer, .real, .number: true
    case .text, .blob, .blobOrText, .numberOrText: false
    }
  }
}

extension ValueType {
  /// The narrowest type that accepts both; `nil` where this one accepts the other already.
  fileprivate func widened(to other: ValueType) -> ValueType? {
    switch (self, other) {
    case (.integer, .integer), (.real, .integer), (.real, .real): nil
    case (.integer, .real): .real
    default: .text
    }
  }
}

extension ColumnSchema {
  /// Returns the same column with another type, which it has from now on in every way.
  fileprivate func with(_ type: ValueType) -> ColumnSchema {
    ColumnSchema(name, type, isNullable: isNullable, isUnique: isUnique, isIndexed: isIndexed)
  }
}
