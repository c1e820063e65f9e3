public import Query

// What rows have to keep beyond the rules of single columns. The store keeps them, a database as much as memory.
extension Schema {
  /// The schema with a rule that no two elements have the same values in several properties; `nil` is not the same as
  /// `nil`.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).unique(\.name, \.region)
  /// ```
  public func unique(_ properties: any PartialKeyPath<Element> & Sendable...) -> Schema {
    let keys = properties.map { key(of: $0) }
    return changingTable { table throws(QueryError) in try table.adding(unique: [keys]) }
  }

  /// The schema with a rule that each element has to match.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).check("heavy enough") { $0.weight > 0 }
  /// ```
  ///
  /// It may compare all that a query can, but for `like` and texts with their case ignored, which a database would need
  /// functions for that other programs don't have.
  ///
  /// - Parameters:
  ///   - name: the rule's name, by which errors tell it.
  ///   - query: what each element has to match. A comparison with `nil` is false, as in every query: write
  ///     `$0.weight == nil || $0.weight > 0` where a property may be `nil`.
  public func check(_ name: String, _ query: (Fields<Element>) -> AnyQuery) -> Schema {
    let rule = CheckRule(name, query(Fields(self)))
    return changingTable { table throws(QueryError) in try table.adding(checks: [rule]) }
  }

  /// The schema with elements that are spread over the servers of a database that has several, by the value of a property:
  /// elements that hold the same one are on the same server.
  ///
  /// ```swift
  /// static let schema = Schema("visit", Visit.init, …).distributed(by: \.trainer)
  /// ```
  ///
  /// Stores of one server take no notice. On PostgreSQL with Citus, each rule of uniqueness and the primary key have to name the
  /// property.
  public func distributed(by property: any PartialKeyPath<Element> & Sendable) -> Schema {
    let key = key(of: property)
    return changingTable { table throws(QueryError) in try table.distributed(.by(key)) }
  }

  /// The schema with elements of which each server has all, so that those of all other schemas may refer to them.
  ///
  /// Stores of one server take no notice.
  public func distributedAsReference() -> Schema {
    changingTable { table throws(QueryError) in try table.distributed(.reference) }
  }

  /// The schema with a reference to a type whose key has several columns.
  ///
  /// ```swift
  /// static let schema = Schema("key", Key.init, …).references(Drawer.self, by: \.cabinet, \.number)
  /// ```
  ///
  /// - Parameters:
  ///   - target: the type that is referred to.
  ///   - properties: the properties that hold its key, in the order of its columns.
  ///   - onDelete: what becomes of an element when the one that it refers to is deleted.
  public func references<Target: Entity>(
    _ target: Target.Type, by properties: any PartialKeyPath<Element> & Sendable..., onDelete: DeleteRule = .restrict
  ) -> Schema {
    changingReferences(
      by: properties.map { key(of: $0) }, ReferenceDeclaration(target: target, onDelete: onDelete))
  }
}

// How a schema's references are resolved, once all schemas that take part have been made.
extension Schema {
  /// The tables that the table needs: itself first, and then those that it refers to, and those they refer to.
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

  /// A reference as a rule of the table, which knows the other table by name.
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

/// A constraint of a column: what it asks of its store beyond its type.
public struct ColumnConstraint: Hashable, Sendable {
  private let name: String
  private let declaration: ReferenceDeclaration?
  /// The value, of ``default(_:)``.
  @usableFromInline let defaultValue: Value?
  /// What is kept of the time, of ``createdAt`` and ``updatedAt``.
  @usableFromInline let timestamp: Timestamp?

  init(name: String, declaration: ReferenceDeclaration? = nil, defaultValue: Value? = nil, timestamp: Timestamp? = nil)
  {
    (self.name, self.declaration, self.defaultValue, self.timestamp) = (name, declaration, defaultValue, timestamp)
  }

  init(timestamp: Timestamp) {
    self.init(name: "timestamp", timestamp: timestamp)
  }

  /// The column is the primary key, or part of one: all columns marked so make the key, in their order. A schema without
  /// a mark takes the column that is called `id`.
  public static let primaryKey = ColumnConstraint(name: "primaryKey")
  /// No two rows may hold the same value; nulls don't count as the same.
  public static let unique = ColumnConstraint(name: "unique")
  /// The store keeps an index, for queries that compare or sort by this column.
  public static let indexed = ColumnConstraint(name: "indexed")
  /// The column's default value: what rows hold that were there before it was added, and rows that another program adds
  /// without it.
  ///
  /// An element always has a value of its own, which is saved.
  public static func `default`(_ value: Value) -> ColumnConstraint {
    ColumnConstraint(name: "default", defaultValue: value)
  }

  /// The store generates the number of an element that is inserted without one: greater than all that there are, and from 1 on.
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
  /// In memory and in SQLite it is one more than the greatest: the number of a deleted element is given again if it was that, and
  /// where the greatest number that there can be is taken, a free one is drawn by lot. PostgreSQL counts by a sequence, which
  /// leaves gaps.
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

  /// Whether two constraints ask for the same.
  public static func == (lhs: ColumnConstraint, rhs: ColumnConstraint) -> Bool {
    lhs.name == rhs.name && lhs.declaration == rhs.declaration && lhs.defaultValue == rhs.defaultValue
      && lhs.timestamp === rhs.timestamp
  }

  /// Adds what is asked for to a hash.
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

/// A reference as it is declared: to a model type, whose schema is read when it is needed.
///
/// Not before: a schema is a static property, and one that reads itself while it is being made, be it through another's
/// schema, would wait for itself.
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
