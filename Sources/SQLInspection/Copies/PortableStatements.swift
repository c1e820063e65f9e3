import Query
import Repository
import SQL
import SQLStore

/// The statements that make a table as SQLite and PostgreSQL can both describe it.
struct PortableStatements {
  private let table: PortableTable
  private let compiler: Compiler
  private let isServer: Bool

  /// - Parameter language: that of the database in which the table is made.
  init(of table: PortableTable, in language: TableDefinition.Language, _ compiler: Compiler) {
    (self.table, self.compiler) = (table, compiler)
    isServer = language == .postgres
  }

  /// The statement that makes the table; of a server without its references, for which all rows have to be there.
  var creation: String {
    let hasSingleKey = table.key.count == 1
    var definitions = table.columns.map { column in
      let isKey = !isServer && hasSingleKey && Name(table.key[0]) == column.name
      return definition(of: column) + (isKey ? " PRIMARY KEY" : "")
    }
    if !table.key.isEmpty, isServer || !hasSingleKey {
      definitions.append("\(constraint(of: table.key, isPrimaryKey: true))PRIMARY KEY (\(SQLName.list(table.key)))")
    }
    definitions += table.indexes.filter(isConstraint).map { index in
      let columns = index.terms.map(\.column)
      return constraint(of: columns, isPrimaryKey: false) + "UNIQUE"
        + (index.hasEqualNulls && isServer ? " NULLS NOT DISTINCT" : "") + " (\(SQLName.list(columns)))"
        + (index.isDeferrable && isServer ? " DEFERRABLE" : "")
    }
    definitions += checks.map { "CHECK (\($0.sql))" }
    if !isServer { definitions += table.references.map(foreignKey) }
    return
      "CREATE TABLE \(SQLName.quoted(table.name)) (\(definitions.joined(separator: ", ")))\(isStrict ? " STRICT" : "")"
  }

  /// The statements that make the indexes.
  var indexes: [String] {
    table.indexes.filter { !isConstraint($0) && (isServer || !$0.isKey) }.map { index in
      "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLName.quoted(name(of: index))) ON "
        + "\(SQLName.quoted(table.name)) (\(index.terms.map(sql).joined(separator: ", ")))"
        + (index.hasEqualNulls && isServer ? " NULLS NOT DISTINCT" : "")
        + (index.condition.map { " WHERE \($0.sql)" } ?? "")
    }
  }

  /// The statements that add the references, where the statement of the table does not make them.
  var references: [String] {
    if !isServer { return [] }
    return table.references.map { reference in
      let rule = ReferenceRule(reference.columns, to: reference.table, key: reference.key)
      return "ALTER TABLE \(SQLName.quoted(table.name)) ADD CONSTRAINT "
        + "\(SQLName.quoted(compiler.foreignKeyName(of: rule, in: table.name))) \(foreignKey(reference))"
    }
  }

  /// Refuses names that the database would shorten.
  func checkNames() throws(RepositoryError) {
    guard let limit = compiler.dialect.maximumNameLength else { return }
    let names = [("table", table.name)] + table.columns.map { ("column", $0.name) }
    guard let (kind, long) = names.first(where: { $0.1.utf8.count > limit }) else { return }
    throw RepositoryError(
      .invalidSchema, "the name \(long) is too long",
      reason: "the name has \(long.utf8.count) bytes, but the database accepts \(limit)",
      suggestion: "give the \(kind) a shorter name")
  }

  /// Whether a table of SQLite refuses values of other types than the declared ones, which are only a few.
  private var isStrict: Bool {
    !isServer && table.columns.allSatisfy { if case .decimal = $0.kind { false } else { true } }
  }

  private var checks: [PortableExpression] {
    let written = table.checks.compactMap(\.expression)
    if isServer { return written }
    return table.columns.compactMap { column in
      switch column.kind {
      case .text(let length?): .comparison(.length(.column(column.name)), "<=", .number(String(length)))
      case .boolean: .member(.column(column.name), [.number("0"), .number("1")], isNegated: false)
      default: nil
      }
    } + written
  }

  private func isConstraint(_ index: PortableTable.Index) -> Bool {
    index.isRule && index.condition == nil && index.terms.allSatisfy { !isServer || !$0.ignoresCase }
  }

  private func constraint(of columns: [String], isPrimaryKey: Bool) -> String {
    if !isServer { return "" }
    let name = compiler.uniqueConstraintName(of: columns, in: table.name, isPrimaryKey: isPrimaryKey)
    return "CONSTRAINT \(SQLName.quoted(name)) "
  }

  private func name(of index: PortableTable.Index) -> String {
    let isMadeUp = index.isRule || index.isKey
    let isLong = compiler.dialect.maximumNameLength.map { index.name.utf8.count > $0 } ?? false
    let suffix = index.terms.contains(where: \.ignoresCase) ? ["ignoring case"] : []
    return isMadeUp || isLong ? compiler.indexName(of: index.terms.map(\.column) + suffix, in: table.name) : index.name
  }

  private func sql(_ term: PortableTable.Term) -> String {
    let column = table.columns.first { Name($0.name) == term.column }
    let isNullable = column?.isNullable ?? true
    if !isServer {
      let collation = term.ignoresCase && column?.ignoresCase != true ? " COLLATE NOCASE" : ""
      return SQLName.quoted(term.column) + collation + (term.isDescending ? " DESC" : "")
    }
    // Of the letters, the collation folds those of ASCII alone, as SQLite does.
    let name = term.ignoresCase ? "lower(\(SQLName.quoted(term.column)) COLLATE \"C\")" : SQLName.quoted(term.column)
    // The order of requests, in which null is less than any value.
    if term.isDescending { return "\(name) DESC\(isNullable ? " NULLS LAST" : "")" }
    return name + (isNullable ? " NULLS FIRST" : "")
  }

  private func foreignKey(_ reference: PortableTable.Reference) -> String {
    "FOREIGN KEY (\(SQLName.list(reference.columns))) REFERENCES \(SQLName.quoted(reference.table)) "
      + "(\(SQLName.list(reference.key)))\(reference.rule.rules)"
  }

  // MARK: Columns

  private func definition(of column: PortableColumn) -> String {
    var sql = "\(SQLName.quoted(column.name)) \(isServer ? serverType(of: column) : type(of: column))"
    if !isServer, column.ignoresCase { sql += " COLLATE NOCASE" }
    if !column.isNullable { sql += " NOT NULL" }
    switch column.defaultValue {
    case .value(.integer(let number)) where isServer && column.kind == .boolean: sql += " DEFAULT \(number != 0)"
    case .value(let value):
      sql += " DEFAULT \(literal(value))"
    case .now(let name): sql += " DEFAULT \((isServer ? PortableColumn.presentTime(name) : nil) ?? name)"
    case .other, nil: break
    }
    if isServer, column.isGenerated { sql += " GENERATED BY DEFAULT AS IDENTITY" }
    return sql
  }

  private func literal(_ value: Value) -> String {
    guard case .real(let real) = value, real.isFinite, abs(real) >= 1e-4, abs(real) < 1e15 else {
      return compiler.dialect.plainLiteral(value)
    }
    // Digits alone, which a numeric type takes exactly.
    return "\(real)"
  }

  private func serverType(of column: PortableColumn) -> String {
    switch column.kind {
    case .boolean: "boolean"
    case .integer: "bigint"
    case .real: "double precision"
    case .blob: "bytea"
    case .decimal(let precision, let scale): "numeric(\(precision),\(scale))"
    case .digits(let precision, let scale): precision.map { "numeric(\($0),\(scale))" } ?? "numeric"
    // https://www.postgresql.org/docs/15/datatype-character.html
    case .text(let length?) where length <= 10_485_760: "varchar(\(length)) COLLATE \"C\""
    case .text, .any: "text COLLATE \"C\""
    }
  }

  private func type(of column: PortableColumn) -> String {
    switch column.kind {
    case .boolean, .integer: "INTEGER"
    case .real: "REAL"
    case .blob: "BLOB"
    case .any: "ANY"
    case .text, .digits: "TEXT"
    case .decimal(let precision, let scale): "NUMERIC(\(precision),\(scale))"
    }
  }
}

extension PortableColumn.Kind {
  /// The type of the values in a database without a type of its own for them.
  var valueType: ValueType {
    switch self {
    case .boolean, .integer, .decimal(_, 0): .integer
    case .real, .decimal: .real
    case .blob: .blob
    case .any: .any
    case .digits, .text: .text
    }
  }
}
