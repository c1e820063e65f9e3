public import Query

/// A term: a column or an expression in a statement, with the description of its values.
@dynamicMemberLookup
public struct SQLTerm: Sendable {
  /// The SQL. It may be written more than once, and binds as tightly as a name.
  public let sql: String
  /// The description of the values, as of a column that holds them.
  public let column: ColumnSchema
  /// The value of a constant.
  package var constant: Value?
  /// The database's own arithmetic operation, which may return a value where the contract requires null; ``sql`` also tests for
  /// that. `nil` for all other terms.
  package var unchecked: String?
  /// The same operation by functions of this toolkit, for cases in which ``unchecked`` is not conclusive.
  package var exact: String?
  /// Makes a condition on the operation, from a closure that makes a condition on its SQL. For most rows ``unchecked`` is
  /// conclusive, and the operation is computed only once.
  package var checking: (@Sendable (_ condition: (String) -> String) -> String)?

  /// Makes a term.
  public init(_ sql: String, _ column: ColumnSchema) {
    (self.sql, self.column) = (sql, column)
  }

  /// Accesses a property of the column.
  public subscript<Property>(dynamicMember path: KeyPath<ColumnSchema, Property>) -> Property { column[keyPath: path] }
}

extension Dialect {
  /// Returns a column of the only table of a statement.
  package func term(_ column: ColumnSchema) -> SQLTerm { SQLTerm(quoted(column.name), column) }
}

extension SQLTerm {
  /// The kind of the values.
  var kind: ExpressionType.Kind { ExpressionType(column).kind }
}
