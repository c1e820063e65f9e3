/// Related elements to load with elements that were found: those to which they refer, or those that refer to them, with
/// relations of their own.
///
/// ```swift
/// let tree = try await regions.findAll(sortedBy: \.name).including(
///   .children(in: towns, by: \.regionID, sortedBy: .ascending(\.name), including: .parent(in: towns, by: \.port)))
/// for (region, towns) in tree {
///   for (town, port) in towns { print(region.name, town.name, port?.name ?? "no port") }
/// }
/// ```
///
/// Each level is one query for all elements of the level above it. Levels see one state of the store within
/// ``Store/read(_:)``.
public struct Inclusion<Element: Storable, Related>: Sendable {
  /// Finds what is related to each of some elements, in their order.
  fileprivate let load: @Sendable ([Element]) async throws(RepositoryError) -> [Related]
}

extension Sequence where Element: Storable {
  /// Loads related elements of each element, by one query a level.
  ///
  /// - Parameter inclusions: what to load: ``Inclusion/children(in:by:where:sortedBy:including:)`` and
  ///   ``Inclusion/parent(in:by:including:)``.
  /// - Returns: each element with what is related to it, in the order of the inclusions.
  /// - Throws: as ``Repository/findAll(_:)`` does.
  public func including<each Related>(
    _ inclusions: repeat Inclusion<Element, each Related>
  ) async throws(RepositoryError) -> [(Element, repeat each Related)] {
    let elements = Array(self)
    let related = (repeat try await (each inclusions).load(elements))
    return elements.indices.map { index in (elements[index], repeat (each related)[index]) }
  }
}

// To-one relations.
extension Inclusion where Element: Entity {
  /// The element to which each one refers; `nil` where it refers to none.
  ///
  /// - Parameters:
  ///   - repository: finds the elements that are referred to.
  ///   - foreignKey: the property that refers; for a key of several columns, a computed one that makes it.
  ///   - inclusions: what to load with the elements that are found.
  public static func parent<Parent: Entity, each Further>(
    in repository: some Repository<Parent>, by foreignKey: any KeyPath<Element, Parent.ID> & Sendable,
    including inclusions: repeat Inclusion<Parent, each Further>
  ) -> Inclusion where Related == (Parent, repeat each Further)? {
    parent(in: repository, including: repeat each inclusions) { $0[keyPath: foreignKey] }
  }

  /// The element to which each one refers by a foreign key that may be `nil`; see ``parent(in:by:including:)``.
  public static func parent<Parent: Entity, each Further>(
    in repository: some Repository<Parent>, by foreignKey: any KeyPath<Element, Parent.ID?> & Sendable,
    including inclusions: repeat Inclusion<Parent, each Further>
  ) -> Inclusion where Related == (Parent, repeat each Further)? {
    parent(in: repository, including: repeat each inclusions) { $0[keyPath: foreignKey] }
  }

  private static func parent<Parent: Entity, each Further>(
    in repository: some Repository<Parent>, including inclusions: repeat Inclusion<Parent, each Further>,
    by foreignKey: @escaping @Sendable (Element) -> Parent.ID?
  ) -> Inclusion where Related == (Parent, repeat each Further)? {
    Inclusion { children throws(RepositoryError) in
      let parents = try await repository.parents(of: children, by: foreignKey)
      let rows = try await parents.all.including(repeat each inclusions)
      return children.map { child in parents.position(of: foreignKey(child)).map { rows[$0] } }
    }
  }
}

// To-many relations.
extension Inclusion {
  /// The elements that refer to each one.
  ///
  /// - Parameters:
  ///   - repository: finds the elements that refer.
  ///   - foreignKey: the property by which they refer.
  ///   - query: which of them; all by default.
  ///   - sort: in which order those of one element come; by their primary key by default.
  ///   - inclusions: what to load with the elements that are found.
  public static func children<Child: Entity, each Further>(
    in repository: some Repository<Child>, by foreignKey: any KeyPath<Child, Element.ID> & Sendable,
    where query: (Fields<Child>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Child> = .primaryKey,
    including inclusions: repeat Inclusion<Child, each Further>
  ) -> Inclusion where Related == [(Child, repeat each Further)], Element.ID: ValueConvertible {
    let query = query(Fields(Child.schema))
    return children(including: repeat each inclusions) { parents throws(RepositoryError) in
      try await repository.children(of: parents, by: foreignKey, where: { _ in query }, sortedBy: sort)
    }
  }

  /// The elements that refer to each one by a foreign key that may be `nil`; see
  /// ``children(in:by:where:sortedBy:including:)``.
  public static func children<Child: Entity, each Further>(
    in repository: some Repository<Child>, by foreignKey: any KeyPath<Child, Element.ID?> & Sendable,
    where query: (Fields<Child>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Child> = .primaryKey,
    including inclusions: repeat Inclusion<Child, each Further>
  ) -> Inclusion where Related == [(Child, repeat each Further)], Element.ID: ValueConvertible {
    let query = query(Fields(Child.schema))
    return children(including: repeat each inclusions) { parents throws(RepositoryError) in
      try await repository.children(of: parents, by: foreignKey, where: { _ in query }, sortedBy: sort)
    }
  }

  /// The elements that refer to each one, whose key is generated; see ``children(in:by:where:sortedBy:including:)``.
  public static func children<Child: Entity, Key: ValueConvertible, each Further>(
    in repository: some Repository<Child>, by foreignKey: any KeyPath<Child, Key> & Sendable,
    where query: (Fields<Child>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Child> = .primaryKey,
    including inclusions: repeat Inclusion<Child, each Further>
  ) -> Inclusion where Related == [(Child, repeat each Further)], Element.ID == Key? {
    let query = query(Fields(Child.schema))
    return children(including: repeat each inclusions) { parents throws(RepositoryError) in
      try await repository.children(of: parents, by: foreignKey, where: { _ in query }, sortedBy: sort)
    }
  }

  /// The elements that refer to each one by a key of several columns: `.children(in: keys, by: \.cabinet, \.number)`.
  ///
  /// - Parameters:
  ///   - repository: finds the elements that refer.
  ///   - first: the property that holds the first column of the key.
  ///   - rest: the properties that hold the others, in the order of the key.
  ///   - query: which of them; all by default.
  ///   - sort: in which order those of one element come; by their primary key by default.
  ///   - inclusions: what to load with the elements that are found.
  public static func children<
    Child: Entity, First: ValueConvertible, Second: ValueConvertible, each Rest: ValueConvertible, each Further
  >(
    in repository: some Repository<Child>, by first: any KeyPath<Child, First> & Sendable,
    _ second: any KeyPath<Child, Second> & Sendable, _ rest: repeat any KeyPath<Child, each Rest> & Sendable,
    where query: (Fields<Child>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Child> = .primaryKey,
    including inclusions: repeat Inclusion<Child, each Further>
  ) -> Inclusion where Related == [(Child, repeat each Further)] {
    let query = query(Fields(Child.schema))
    return children(including: repeat each inclusions) { parents throws(RepositoryError) in
      try await repository.children(
        of: parents, by: first, second, repeat each rest, where: { _ in query }, sortedBy: sort)
    }
  }

  private static func children<Child: Entity, each Further>(
    including inclusions: repeat Inclusion<Child, each Further>,
    by find: @escaping @Sendable ([Element]) async throws(RepositoryError) -> ToMany<Element.ID, Child>
  ) -> Inclusion where Related == [(Child, repeat each Further)] {
    Inclusion { parents throws(RepositoryError) in
      let children = try await find(parents)
      let rows = try await children.all.including(repeat each inclusions)
      return parents.map { parent in children.positions(of: parent.id).map { rows[$0] } }
    }
  }
}
