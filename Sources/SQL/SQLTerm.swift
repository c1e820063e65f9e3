public import Query

/// A value of each row as it stands in a statement: a column or an expression, and what is known of its values.
@dynamicMemberLookup
public struct SQLTerm: Sendable {
  /// The SQL. It may be written more than once, and binds as tightly as a name.
  public let sql: String
  /// What is known of the values, as of a column that holds them.
  public let column: ColumnSchema
  /// The value, of a constant.
  package var constant: Value?
  /// An arithmetic operation as the database has it, which may give another number than the contract where there is no
  /// result; only what is made of it tells. `nil` for all else.
  package var unchecked: String?
  /// The same operation by functions of this toolkit, for where ``unchecked`` does not tell.
  package var exact: String?
  /// Makes a condition on the operation, of what makes one of its SQL: most rows are told by ``unchecked`` alone, which is
  /// worked out once for them.
  package var checking: (@Sendable (_ condition: (String) -> String) -> String)?

  /// Makes a term.
  public init(_ sql: String, _ column: ColumnSchema) {
    (self.sql, self.column) = (sql, column)
  }

  /// What is known of the column.
  public subscript<Property>(dynamicMember path: KeyPath<ColumnSchema, Property>) -> Property { column[keyPath: path] }
}

extension Dialect {
  /// A column of the only table of a statement.
  package func term(_ column: ColumnSchema) -> SQLTerm { SQLTerm(quoted(column.name), column) }
}

extension SQLTerm {
  /// What the values can be.
  var kind: ExpressionType.Kind { ExpressionType(column).kind }
}
