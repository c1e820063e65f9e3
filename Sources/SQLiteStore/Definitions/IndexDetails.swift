/// An index of a table.
package struct IndexDetails: Hashable, Sendable {
  /// A part of an index.
  package struct Term: Hashable, Sendable {
    /// The column's name; `nil` for an expression.
    package let column: String?
    /// The expression as SQL, or the column's name.
    package let text: String
    /// Whether the index holds it from great to small.
    package let isDescending: Bool
    /// The collation, unless it is by bytes.
    package let collation: String?
  }

  /// What made the index.
  package enum Origin: Hashable, Sendable {
    /// A statement of its own.
    case statement
    /// A rule of uniqueness.
    case uniqueRule
    /// The primary key.
    case primaryKey
  }

  /// The name; SQLite makes one up for an index that no statement names.
  package let name: String
  /// What the index is of, in order.
  package let terms: [Term]
  /// Whether no two rows may agree in all terms.
  package let isUnique: Bool
  /// Which rows it holds, as SQL; `nil` for all.
  package let condition: String?
  /// What made it.
  package let origin: Origin
}
