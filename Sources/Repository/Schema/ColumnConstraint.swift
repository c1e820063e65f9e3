public import Query

/// A constraint of a column beyond its type.
public struct ColumnConstraint: Hashable, Sendable {
  private let kind: String
  /// The value of ``default(_:)``.
  @usableFromInline let defaultValue: Value?
  /// The timestamp that the store sets, if any.
  @usableFromInline let timestamp: Timestamp?

  /// The reason why no column can have the constraint, if there is one.
  @usableFromInline let problem: String?

  init(kind: String, defaultValue: Value? = nil, timestamp: Timestamp? = nil, problem: String? = nil) {
    (self.kind, self.defaultValue, self.timestamp, self.problem) = (kind, defaultValue, timestamp, problem)
  }

  init(timestamp: Timestamp) {
    self.init(kind: "timestamp", timestamp: timestamp)
  }

  /// The constraint of the primary key, or a part of it: all columns with this constraint form the key, in their order. A
  /// schema without it uses the column that is called `id`.
  public static let primaryKey = ColumnConstraint(kind: "primaryKey")
  /// The constraint that no two rows have the same value; nulls are not equal in this respect.
  public static let unique = ColumnConstraint(kind: "unique")
  /// The request for an index, for queries that compare or sort by this column.
  public static let indexed = ColumnConstraint(kind: "indexed")
  /// Returns a default value for the column: the value of rows older than the column, and of rows that another program adds
  /// without the column.
  ///
  /// An element always has its own value, which is saved.
  public static func `default`(_ value: Value) -> ColumnConstraint {
    ColumnConstraint(kind: "default", defaultValue: value)
  }

  /// Returns a default value of a property's type for the column: `.default(Kind.fire)`.
  ///
  /// The schema is not valid if no column can store the value.
  public static func `default`(_ value: some ValueConvertible) -> ColumnConstraint {
    do throws(ValueError) {
      return ColumnConstraint(kind: "default", defaultValue: try value.makeValue())
    } catch {
      return ColumnConstraint(kind: "default", problem: error.summary)
    }
  }

  /// The request that the store generates a number for an element that is inserted without a key, larger than all existing keys
  /// and at least 1.
  ///
  /// For a primary key of one integer column, whose property is optional, so that it can be `nil` until the insertion:
  ///
  /// ```swift
  /// struct Note: Entity {
  ///   let id: Int?
  ///   var text: String
  ///   static let schema = Schema<Note>(table: "note") {
  ///     Parameters(of: Note.init)
  ///     Column("id", \.id, .generated)
  ///     Column("text", \.text)
  ///   }
  /// }
  /// let note = try await notes.insert(Note(id: nil, text: "buy berries"))  // note.id is a number
  /// ```
  ///
  /// In memory and in SQLite, it is the largest existing number plus one: the number of a deleted element is reused if it was
  /// the largest, and when the largest possible number is in use, an unused number is chosen at random. PostgreSQL uses a
  /// sequence, which leaves gaps.
  public static let generated = ColumnConstraint(kind: "generated")

  /// Returns whether two constraints are equal.
  public static func == (lhs: ColumnConstraint, rhs: ColumnConstraint) -> Bool {
    lhs.kind == rhs.kind && lhs.defaultValue == rhs.defaultValue
      && lhs.timestamp === rhs.timestamp && lhs.problem == rhs.problem
  }

  /// Hashes the components that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(defaultValue)
    hasher.combine(timestamp.map(ObjectIdentifier.init))
  }
}
