/// What a column asks of its store beyond its type.
public struct ColumnConstraint: Hashable, Sendable {
  private let name: String

  /// The column is the primary key, or part of one: all columns marked so make the key, in their order. A schema without
  /// a mark takes the column that is called `id`.
  public static let primaryKey = ColumnConstraint(name: "primaryKey")
  /// No two rows may hold the same value; nulls don't count as the same.
  public static let unique = ColumnConstraint(name: "unique")
  /// The store keeps an index, for queries that compare or sort by this column.
  public static let indexed = ColumnConstraint(name: "indexed")
}
