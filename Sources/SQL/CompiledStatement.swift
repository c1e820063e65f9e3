public import Query

/// SQL with placeholders, and the values for them: values are always bound, never part of the SQL.
public struct CompiledStatement: Hashable, Sendable {
  package let text: StatementText
  /// The values, in the order of the placeholders.
  public let bindings: [Value]

  /// Makes a statement.
  public init(sql: String, bindings: [Value]) {
    self.init(StatementText(sql), bindings: bindings)
  }

  package init(_ text: StatementText, bindings: [Value]) {
    self.text = text
    self.bindings = bindings
  }

  /// The SQL; it depends on the shape of a query, not on its values, so that a prepared statement can be used again.
  public var sql: String { text.sql }
}

extension CompiledStatement: CustomStringConvertible {
  /// The SQL; the values stay out, so that a statement may be logged.
  public var description: String { sql }
}
