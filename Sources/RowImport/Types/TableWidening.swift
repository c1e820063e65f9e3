import CSV
import Query
import Repository
import SQLInspection
import SQLStore

/// The changes of a table that make it accept the records of files: missing columns are added, integers become reals, and
/// numbers texts.
struct TableWidening {
  private let table: TableSchema
  private let computed: [String]
  private var columns: [ColumnSchema]
  /// The reasons why columns get another type, by their positions.
  private var reasons: [Int: String] = [:]

  init(of table: TableSchema, without computed: [String]) {
    (self.table, self.computed, columns) = (table, computed, table.columns)
  }

  /// Observes the columns of a file.
  mutating func take(_ file: InferredColumns) throws(ImportError) {
    for (field, name) in file.names.enumerated() {
      guard let position = columns.firstIndex(foldedNamed: name) else {
        columns.append(ColumnSchema(name, file.type(field), isNullable: true))
        continue
      }
      let column = columns[position]
      if !file.hasValue(field) || computed.contains(named: column.name) { continue }
      let conversion = FieldConversion(column)
      guard conversion.isWidenable, let type = column.type.union(file.type(field)), type != column.type else {
        continue
      }
      if column.isGenerated { throw isFixed(column, "the database numbers the rows by this column") }
      columns[position] = column.retyped(type)
      if type == .text { reasons[position] = file.reasonForText(field).map { ", because \($0)" } }
    }
  }

  private func isFixed(_ column: ColumnSchema, _ reason: String) -> ImportError {
    ImportError("can't change the type of \(shortName(column.name)) of \(shortName(table.name))", details: [reason])
  }

  /// Whether the table accepts the files as it is.
  var isEmpty: Bool { columns == table.columns }

  /// The notes about the changes, a line for each column.
  var notes: [String] {
    columns.enumerated().compactMap { position, column in
      guard position < table.columns.count else {
        return "added the column \(shortName(column.name)) (\(column.type)) to \(shortName(table.name))"
      }
      let present = table.columns[position].type
      if column.type == present { return nil }
      return
        "changed \(shortName(column.name)) of \(shortName(table.name)) from \(present) to "
        + "\(column.type)\(reasons[position] ?? "")"
    }
  }

  /// The columns that get another type.
  private var retyped: [RetypedColumn] {
    zip(columns, table.columns).filter { $0.type != $1.type }.map { RetypedColumn($0.0.name, $0.0.type) }
  }

  /// Whether types change, which takes a rebuild of the table, rather than only columns being added.
  var isRebuild: Bool { !retyped.isEmpty }

  /// The table afterwards.
  var schema: TableSchema {
    get throws(QueryError) {
      try TableSchema(
        table.name, columns: columns, primaryKey: table.primaryKeyColumns.map(\.name),
        unique: table.uniqueSets.map { $0.map { table.columns[$0].name } }, partialUnique: table.partialUnique,
        checks: table.checks, references: table.references)
    }
  }

  /// Changes the table, and then writes the rows.
  func apply<Result>(in transaction: SQLTransaction, _ write: () throws -> Result) throws -> Result {
    for column in columns[table.columns.count...] { try transaction.addColumn(column, to: table) }
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
    case .text, .blob, .blobOrText, .numberOrText, .boolean, .booleanOrText, .decimal, .shortDecimal, .uuid, .timestamp,
      .day:
      false
    }
  }
}
