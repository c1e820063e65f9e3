public import Query

/// What a column asks of its store beyond its type.
public struct ColumnConstraint: Hashable, Sendable {
  private let name: String
  private var declaration: ReferenceDeclaration?
  /// The value, of ``default(_:)``.
  @usableFromInline var defaultValue: Value?

  /// The column is the primary key, or part of one: all columns marked so make the key, in their order. A schema without
  /// a mark takes the column that is called `id`.
  public static let primaryKey = ColumnConstraint(name: "primaryKey")
  /// No two rows may hold the same value; nulls don't count as the same.
  public static let unique = ColumnConstraint(name: "unique")
  /// The store keeps an index, for queries that compare or sort by this column.
  public static let indexed = ColumnConstraint(name: "indexed")
  /// What rows hold that were there before the column was added, and rows that another program adds without the column.
  ///
  /// An element always has a value of its own, which is saved.
  public static func `default`(_ value: Value) -> ColumnConstraint {
    ColumnConstraint(name: "default", defaultValue: value)
  }

  /// The store finds the number of an element that is inserted without one: one more than the greatest there is, from 1 on.
  ///
  /// For a primary key of one column of integers, whose property is optional so that it can be `nil` until then:
  ///
  /// ```swift
  /// struct Note: Entity {
  ///   let id: Int?
  ///   var text: String
  ///   static let schema = Schema("note", Note.init, Column("id", \.id, .generated), Column("text", \.text))
  /// }
  /// let note = try await notes.insert(Note(id: nil, text: "buy berries"))  // note.id is a number
  /// ```
  ///
  /// The number of a deleted element is given again if it was the greatest. Where the greatest number that there can be is
  /// taken, a free one is drawn by lot.
  public static let generated = ColumnConstraint(name: "generated")

  /// The column holds the key of an element of another type, or of the same one.
  ///
  /// ```swift
  /// Column("trainer_id", \.trainerID, .references(Trainer.self, onDelete: .setNull))
  /// ```
  ///
  /// An element can be saved only when the one that it refers to exists; `nil` refers to nothing. The column is indexed, so
  /// that deleting finds those that refer to a row without looking at each. A key of several columns is referred to by
  /// ``Schema/references(_:by:onDelete:)``.
  ///
  /// - Parameters:
  ///   - target: the type that is referred to. Its schema is not read before a repository is opened, so that two types may
  ///     refer to each other.
  ///   - onDelete: what becomes of an element when the one that it refers to is deleted.
  public static func references<Target: Entity>(
    _ target: Target.Type, onDelete: DeleteRule = .restrict
  ) -> ColumnConstraint {
    ColumnConstraint(name: "references", declaration: ReferenceDeclaration(target: target, onDelete: onDelete))
  }

  @usableFromInline
  static func reference(in constraints: [ColumnConstraint]) -> ReferenceDeclaration? {
    constraints.lazy.compactMap(\.declaration).first
  }
}
