/// The related elements to load with the elements of a result: those to which they refer, or those that refer to them, with
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
/// Each level is one query for all elements of the level above. Levels read from one snapshot of the store within
/// ``Store/read(_:)``.
public struct Inclusion<Element: Storable, Related>: Sendable {
  /// Loads the related elements of each of several elements, in their order.
  fileprivate let load: @Sendable ([Element]) async throws(RepositoryError) -> [Related]
}

extension Sequence where Element: Storable {
  /// Loads related elements of each element, by one query per level.
  ///
  /// - Parameter inclusions: the elements to load: ``Inclusion/children(in:by:where:sortedBy:including:)`` and
  ///   ``Inclusion/parent(in:by:including:)``.
  /// - Returns: each element with its related elements, in the order of the inclusions.
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
  /// Returns the inclusion of the element to which each element refers; `nil` for an element that refers to none.
  ///
  /// - Parameters:
  ///   - repository: the repository of the elements that are referred to.
  ///   - foreignKey: the referring property; for a key of several columns, a computed property that returns the key.
  ///   - inclusions: the elements to load with the elements that are found.
  public static func parent<Parent: Entity, each Further>(
    in repository: some Repository<Parent>, by foreignKey: any KeyPath<Element, Parent.ID> & Sendable,
    including inclusions: repeat Inclusion<Parent, each Further>
  ) -> Inclusion where Related == (Parent, repeat each Further)? {
    parent(in: repository, including: repeat each inclusions) { $0[keyPath: foreignKey] }
  }

  /// Returns the inclusion of the element to which each element refers by an optional foreign key; see
  /// ``parent(in:by:including:)``.
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
  /// Returns the inclusion of the elements that refer to each element.
  ///
  /// - Parameters:
  ///   - repository: the repository of the referring elements.
  ///   - foreignKey: the property by which these elements refer.
  ///   - query: the condition on the referring elements; all by default.
  ///   - sort: the order of the children of one element; by their primary key by default.
  ///   - inclusions: the elements to load with the elements that are found.
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

  /// Returns the inclusion of the elements that refer to each element by an optional foreign key; see
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

  /// Returns the inclusion of the elements that refer to each element, whose key is generated; see
  /// ``children(in:by:where:sortedBy:including:)``.
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

  /// Returns the inclusion of the elements that refer to each element by a key of several columns:
  /// `.children(in: keys, by: \.cabinet, \.number)`.
  ///
  /// - Parameters:
  ///   - repository: the repository of the referring elements.
  ///   - first: the property that holds the first column of the key.
  ///   - rest: the properties that hold the other columns, in the order of the key.
  ///   - query: the condition on the referring elements; all by default.
  ///   - sort: the order of the children of one element; by their primary key by default.
  ///   - inclusions: the elements to load with the elements that are found.
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
