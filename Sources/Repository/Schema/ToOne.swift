public import Query

/// A relation to one element of another type, by a foreign key: declared once beside the model, and used everywhere.
///
/// ```swift
/// struct Town: Entity {
///   let id: Int
///   var name: String
///   var regionID: Int
///   static let region = ToOne(\Town.regionID, to: Region.self, onDelete: .cascade)
///   static let schema = Schema<Town>(table: "town") {
///     Parameters(of: Town.init)
///     Column("id", \.id)
///     Column("name", \.name)
///     Column("region_id", \.regionID)
///   }.references(region)
/// }
/// extension Region { static let towns = ToMany(Town.region) }
/// ```
///
/// In closures, the relation is a member of the row: `towns.filter { $0.region.name == "Johto" }`. ``from(_:)-(Selection<Target>)``
/// loads the elements to which those of a result refer.
public struct ToOne<Source: Storable, Target: Entity>: Sendable {
  let paths: [any PartialKeyPath<Source> & Sendable]
  let onDelete: DeleteRule
  let isDeferred: Bool
  /// Returns the foreign key of an element.
  let key: @Sendable (Source) throws(ValueError) -> [Value]

  /// Makes a relation by a property.
  ///
  /// - Parameters:
  ///   - path: the property, of the type of the other element's id, optional or not.
  ///   - target: the type that is referred to.
  ///   - onDelete: the rule for a referring element when the element that it refers to is deleted.
  ///   - isDeferred: whether the store checks the reference at the end of the transaction, or of a single write, so that
  ///     children can be saved before their parents: `ToOne(\Note.parentID, to: Note.self, isDeferred: true)`.
  public init<Key: ValueConvertible>(
    _ path: any KeyPath<Source, Key> & Sendable, to target: Target.Type, onDelete: DeleteRule = .restrict,
    isDeferred: Bool = false
  ) where Key.Unwrapped == Target.ID.Unwrapped {
    (paths, self.onDelete, self.isDeferred) = ([path], onDelete, isDeferred)
    key = { source throws(ValueError) in [try source[keyPath: path].makeValue()] }
  }

  /// Makes a relation by several properties: `ToOne(\Key.cabinet, \Key.number, to: Drawer.self)`.
  ///
  /// - Parameters:
  ///   - first: the property that holds the first column of the other element's key.
  ///   - second: the property that holds the second one.
  ///   - rest: the properties that hold the others, in the order of the key.
  ///   - target: the type that is referred to.
  ///   - onDelete: the rule for a referring element when the element that it refers to is deleted.
  ///   - isDeferred: whether the store checks the reference at the end of the transaction, or of a single write.
  public init<First: ValueConvertible, Second: ValueConvertible, each Rest: ValueConvertible>(
    _ first: any KeyPath<Source, First> & Sendable, _ second: any KeyPath<Source, Second> & Sendable,
    _ rest: repeat any KeyPath<Source, each Rest> & Sendable, to target: Target.Type, onDelete: DeleteRule = .restrict,
    isDeferred: Bool = false
  ) {
    var paths: [any PartialKeyPath<Source> & Sendable] = [first, second]
    for path in repeat each rest { paths.append(path) }
    (self.paths, self.onDelete, self.isDeferred) = (paths, onDelete, isDeferred)
    key = { source throws(ValueError) in
      var parts = [try source[keyPath: first].makeValue(), try source[keyPath: second].makeValue()]
      for path in repeat each rest { parts.append(try source[keyPath: path].makeValue()) }
      return parts
    }
  }
}

/// A relation to the elements that refer to an element: the other side of a ``ToOne``.
///
/// ```swift
/// extension Region { static let towns = ToMany(Town.region) }
/// let large = try await regions.findAll(where: { $0.towns.count > 3 && $0.towns.contains { $0.name.hasPrefix("C") } })
/// ```
public struct ToMany<Source: Entity, Target: Entity>: Sendable {
  let inverse: ToOne<Target, Source>

  /// Makes the other side of a relation.
  public init(_ inverse: ToOne<Target, Source>) {
    self.inverse = inverse
  }
}

extension Schema {
  /// Returns the schema with references: elements can be saved only if the elements that they refer to exist.
  ///
  /// ```swift
  /// static let schema = Schema<Town>(table: "town") { … }.references(region, port)
  /// ```
  ///
  /// A key that is `nil` refers to no element. A referring column is indexed, so that a deletion finds referring rows without a scan.
  /// The schemas of the other types are read when a repository is opened, so that two types may refer to each other.
  public func references<each Target: Entity>(_ relations: repeat ToOne<Element, each Target>) -> Schema {
    var schema = self
    for relation in repeat each relations {
      schema = schema.changingReferences(
        by: relation.paths.map { key(of: $0) }, relation.declaration)
    }
    return schema
  }
}

extension ToOne {
  fileprivate var declaration: ReferenceDeclaration {
    ReferenceDeclaration(target: Target.self, onDelete: onDelete, isDeferred: isDeferred)
  }
}
