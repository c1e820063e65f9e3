/// What there is of a table or a view, without its rows.
package struct TableOverview: Hashable, Sendable {
  /// What a name in a database stands for.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case table, view
    /// A table that a module makes up, such as a full-text index.
    case virtual
    /// A table in which a virtual one keeps its things.
    case shadow
  }

  /// The name.
  package let name: String
  /// What it is.
  package let kind: Kind
  /// How many rows there are; `nil` where they were not counted or, as those of a view whose table is gone, can't be.
  package let rowCount: Int?
  /// How many bytes of the file the table and its indexes take, whole pages, and of a virtual table those in
  /// which it keeps its things; `nil` for those and for a view, and where SQLite was built without the table `dbstat`.
  package let byteCount: Int?
}
