public import Query

/// A statement in SQL with placeholders, and the values for them: values are always bound, never part of the SQL.
public struct CompiledStatement: Hashable, Sendable {
  package let text: StatementText
  /// The values, in the order of the placeholders; null where one of the ``lists`` is bound.
  public let bindings: [Value]
  /// The lists that are bound as one value each; empty for a dialect that does not use them.
  public let lists: [BoundList]

  /// Makes a statement.
  public init(sql: String, bindings: [Value], lists: [BoundList] = []) {
    self.init(StatementText(sql), bindings: bindings, lists: lists)
  }

  package init(_ text: StatementText, bindings: [Value], lists: [BoundList] = []) {
    self.text = text
    self.bindings = bindings
    self.lists = lists
  }

  package init(_ text: StatementText, _ bound: BoundValues) {
    self.init(text, bindings: bound.values, lists: bound.lists)
  }

  /// The SQL, which depends on the structure of a query, not on its values, so that a prepared statement can be reused.
  public var sql: String { text.sql }
}

extension CompiledStatement: CustomStringConvertible {
  /// The SQL without the values, so that a statement may be logged.
  public var description: String { sql }
}

/// A list that is bound as one value, such as a PostgreSQL array.
public struct BoundList: Hashable, Sendable {
  /// The position of the list's placeholder among all placeholders of the statement, counted from 0.
  public let position: Int
  /// The items.
  public let values: [Value]
  /// The type of the items.
  public let type: ValueType

  package init(position: Int, values: [Value], type: ValueType) {
    (self.position, self.values, self.type) = (position, values, type)
  }
}

/// The SQL of a statement, compared by its bytes: two names may be canonically equal and yet denote two columns.
///
/// Its hash is computed once, since a statement is looked up repeatedly.
package struct StatementText: Hashable, Sendable {
  package let sql: String
  private let hash: Int

  package init(_ sql: String) {
    var (sql, hasher) = (sql, Hasher())
    sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    self.sql = sql
    hash = hasher.finalize()
  }

  package static func == (lhs: StatementText, rhs: StatementText) -> Bool {
    // The hashes of most different statements differ, which spares the comparison of the texts.
    lhs.hash == rhs.hash && Value.text(lhs.sql) == .text(rhs.sql)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
