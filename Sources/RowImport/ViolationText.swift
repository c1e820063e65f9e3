package import Query
package import Repository

/// The message about a row that violates a constraint, with values of the row: the user of a tool sees only own data.
package struct ViolationText {
  package let summary: String
  /// Reasons and suggestions, a line each.
  package let details: [String]

  /// Creates the message; `nil` for an error about anything else, and for values that are not known.
  ///
  /// - Parameter value: returns the row's value in a column; `nil` if the value is not known.
  package init?(_ error: RepositoryError, value: (String) -> Value?) {
    guard let broken = error.brokenConstraint else { return nil }
    let values = broken.columns.compactMap { name in value(name).flatMap { $0.isNull ? nil : $0 } }
    guard values.count == broken.columns.count else { return nil }
    switch broken.kind {
    case .notNull: return nil
    case .unique:
      summary = "a row with \(Self.list(broken.columns, values)) already exists"
      details = [error.reason].compactMap(\.self)
    case .reference(let rule):
      let columns = broken.columns.map(shortName).joined(separator: " and ")
      let table = shortName(rule.table)
      summary = "no \(table) has \(Self.list(rule.key, values))"
      details = ["\(columns) \(values.count == 1 ? "refers" : "refer") to \(table): add the row of \(table) first"]
    }
  }

  /// Creates the message about a row that an upsert can't add, since a record names no value of a required column.
  ///
  /// - Parameters:
  ///   - key: the columns by which the record would replace a row.
  ///   - value: returns the row's value in a column; `nil` if the record does not name the column.
  init?(_ error: RepositoryError, newBy key: [String], value: (String) -> Value?) {
    guard let broken = error.brokenConstraint, broken.kind == .notNull, let column = broken.columns.first,
      value(column) == nil
    else { return nil }
    let values = key.compactMap(value)
    guard !key.isEmpty, values.count == key.count else { return nil }
    summary = "\(Self.list(key, values)) is new, and a new row needs \(shortName(column))"
    details = ["add the column \(shortName(column)) to the file, or remove the new row"]
  }

  /// Columns with their values: `id 1`, `name "Ann" and year 2024`.
  private static func list(_ columns: [String], _ values: [Value]) -> String {
    zip(columns, values).map { "\(shortName($0)) \(text(of: $1))" }.joined(separator: " and ")
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .blob(let bytes): Value.blob(Array(bytes.prefix(16))).description + (bytes.count > 16 ? "…" : "")
    case .null, .integer, .real: value.description
    }
  }
}
