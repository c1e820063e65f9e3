public import Query

// The constraints on rows beyond those of single columns. The store enforces them, both a database and memory.
extension Schema {
  /// Returns the schema with a unique constraint on several properties together; `nil` does not equal `nil`.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).unique(\.name, \.region)
  /// ```
  public func unique(_ properties: any PartialKeyPath<Element> & Sendable...) -> Schema {
    let keys = properties.map { key(of: $0) }
    return changingTable { table throws(QueryError) in try table.adding(unique: [keys]) }
  }

  /// Returns the schema with a check that each element has to match.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).check("heavy enough") { $0.weight > 0 }
  /// ```
  ///
  /// It may contain any condition, except for `like` and texts with their case ignored, for which a database would need
  /// functions that other programs don't have.
  ///
  /// - Parameters:
  ///   - name: the constraint's name, by which errors refer to it.
  ///   - query: the condition. A comparison with `nil` is false, as in every query: write `$0.weight == nil || $0.weight >
  ///     0` for an optional property.
  public func check(_ name: String, _ query: (Fields<Element>) -> AnyQuery) -> Schema {
    let rule = CheckRule(name, query(Fields(self)))
    return changingTable { table throws(QueryError) in try table.adding(checks: [rule]) }
  }

  /// Returns the schema with elements that are distributed over the servers of a database that has several, by the value of
  /// a property: elements with equal values are on the same server.
  ///
  /// ```swift
  /// static let schema = Schema("visit", Visit.init, …).distributed(by: \.trainer)
  /// ```
  ///
  /// Stores with one server ignore the distribution. On PostgreSQL with Citus, each unique constraint and the primary key have
  /// to include the property.
  public func distributed(by property: any PartialKeyPath<Element> & Sendable) -> Schema {
    let key = key(of: property)
    return changingTable { table throws(QueryError) in try table.distributed(.by(key)) }
  }

  /// Returns the schema with elements that are replicated to each server, so that the elements of all other schemas may refer
  /// to them.
  ///
  /// Stores with one server ignore the replication.
  public func distributedAsReference() -> Schema {
    changingTable { table throws(QueryError) in try table.distributed(.reference) }
  }

  /// Returns the schema with a reference to a type whose key has several columns.
  ///
  /// ```swift
  /// static let schema = Schema("key", Key.init, …).references(Drawer.self, by: \.cabinet, \.number)
  /// ```
  ///
  /// - Parameters:
  ///   - target: the type that is referred to.
  ///   - properties: the properties that hold the key of that type, in the order of the key's columns.
  ///   - onDelete: the rule for a referring element when the element that it refers to is deleted.
  public func references<Target: Entity>(
    _ target: Target.Type, by properties: any PartialKeyPath<Element> & Sendable..., onDelete: DeleteRule = .restrict
  ) -> Schema {
    changingReferences(
      by: properties.map { key(of: $0) }, ReferenceDeclaration(target: target, onDelete: onDelete))
  }
}

// The resolution of a schema's references, once all of their schemas have been made.
extension Schema {
  /// Returns the tables that the table needs: the table itself first, followed by the tables that it refers to, directly or
  /// through others.
  ///
  /// - Throws: as ``table()`` does.
  package func tables() throws(RepositoryError) -> [TableSchema] {
    var tables = [try table()]
    var pending = references.map(\.declaration.target)
    while let target = pending.popLast() {
      let (table, further) = try Self.visit(target)
      if tables.contains(named: table.name) { continue }
      tables.append(table)
      pending += further
    }
    return tables
  }

  private static func visit<Target: Entity>(
    _ target: Target.Type
  ) throws(RepositoryError) -> (table: TableSchema, further: [any Entity.Type]) {
    (try target.schema.table(), target.schema.references.map(\.declaration.target))
  }

  /// Returns a reference as a constraint of the table, which contains the other table's name.
  func rule(
    _ columns: [String], _ declaration: ReferenceDeclaration
  ) throws(QueryError) -> ReferenceRule {
    let target = try Self.unreferencedTable(of: declaration.target)
    return ReferenceRule(
      columns, to: target.name, key: target.primaryKeyColumns.map(\.name), onDelete: declaration.onDelete)
  }

  private static func unreferencedTable<Target: Entity>(of target: Target.Type) throws(QueryError) -> TableSchema {
    try target.schema.unreferencedTable.get()
  }
}

/// A constraint of a column beyond its type.
public struct ColumnConstraint: Hashable, Sendable {
  private let name: String
  private let declaration: ReferenceDeclaration?
  /// The value of ``default(_:)``.
  @usableFromInline let defaultValue: Value?
  /// The timestamp of ``createdAt`` and ``updatedAt``.
  @usableFromInline let timestamp: Timestamp?

  init(name: String, declaration: ReferenceDeclaration? = nil, defaultValue: Value? = nil, timestamp: Timestamp? = nil)
  {
    (self.name, self.declaration, self.defaultValue, self.timestamp) = (name, declaration, defaultValue, timestamp)
  }

  init(timestamp: Timestamp) {
    self.init(name: "timestamp", timestamp: timestamp)
  }

  /// The constraint of the primary key, or a part of it: all columns with this constraint form the key, in their order. A
  /// schema without it uses the column that is called `id`.
  public static let primaryKey = ColumnConstraint(name: "primaryKey")
  /// The constraint that no two rows hold the same value; nulls are not equal in this respect.
  public static let unique = ColumnConstraint(name: "unique")
  /// The request for an index, for queries that compare or sort by this column.
  public static let indexed = ColumnConstraint(name: "indexed")
  /// Returns a default value for the column: that of rows older than the column, and of rows that another program adds without
  /// the column.
  ///
  /// An element always has its own value, which is saved.
  public static func `default`(_ value: Value) -> ColumnConstraint {
    ColumnConstraint(name: "default", defaultValue: value)
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
  ///   static let schema = Schema("note", Note.init, Column("id", \.id, .generated), Column("text", \.text))
  /// }
  /// let note = try await notes.insert(Note(id: nil, text: "buy berries"))  // note.id is a number
  /// ```
  ///
  /// In memory and in SQLite, it is the largest existing number plus one: the number of a deleted element is reused if it was
  /// the largest, and when the largest possible number is in use, an unused number is chosen at random. PostgreSQL uses a
  /// sequence, which leaves gaps.
  public static let generated = ColumnConstraint(name: "generated")

  /// Returns a reference: the column holds the key of an element of another type, or of the same one.
  ///
  /// ```swift
  /// Column("trainer_id", \.trainerID, .references(Trainer.self, onDelete: .setNull))
  /// ```
  ///
  /// An element can be saved only if the element that it refers to exists; `nil` refers to no element. The column is indexed,
  /// so that deleting finds referring rows without a scan. A key of several columns is referred to by
  /// ``Schema/references(_:by:onDelete:)``.
  ///
  /// - Parameters:
  ///   - target: the type that is referred to. Its schema is only read when a repository is opened, so that two types may
  ///     refer to each other.
  ///   - onDelete: the rule for a referring element when the element that it refers to is deleted.
  public static func references<Target: Entity>(
    _ target: Target.Type, onDelete: DeleteRule = .restrict
  ) -> ColumnConstraint {
    ColumnConstraint(name: "references", declaration: ReferenceDeclaration(target: target, onDelete: onDelete))
  }

  /// Returns whether two constraints are equal.
  public static func == (lhs: ColumnConstraint, rhs: ColumnConstraint) -> Bool {
    lhs.name == rhs.name && lhs.declaration == rhs.declaration && lhs.defaultValue == rhs.defaultValue
      && lhs.timestamp === rhs.timestamp
  }

  /// Hashes the components that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(declaration)
    hasher.combine(defaultValue)
    hasher.combine(timestamp.map(ObjectIdentifier.init))
  }

  @usableFromInline
  static func reference(in constraints: [ColumnConstraint]) -> ReferenceDeclaration? {
    constraints.lazy.compactMap(\.declaration).first
  }
}

/// A declared reference: to a model type, whose schema is read when it is needed.
///
/// The schema is not read earlier: it is a static property, and one that reads itself while it is being made, even through the
/// schema of another type, would wait for itself.
@usableFromInline
struct ReferenceDeclaration: Hashable, Sendable {
  let target: any Entity.Type
  let onDelete: DeleteRule

  init(target: any Entity.Type, onDelete: DeleteRule) {
    self.target = target
    self.onDelete = onDelete
  }

  @usableFromInline
  static func == (lhs: ReferenceDeclaration, rhs: ReferenceDeclaration) -> Bool {
    ObjectIdentifier(lhs.target) == ObjectIdentifier(rhs.target) && lhs.onDelete == rhs.onDelete
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(target))
    hasher.combine(onDelete)
  }
}
