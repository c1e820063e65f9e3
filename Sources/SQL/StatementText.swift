import Query

/// The SQL of a statement, told from others by its bytes: two names may be canonically equal and yet two columns.
///
/// Its hash is worked out once, since a statement of some length is looked up again and again.
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
    // Most that are not the same are told apart without a look at the text.
    lhs.hash == rhs.hash && Value.text(lhs.sql) == .text(rhs.sql)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
