public import Query

// Related elements of a whole result by one further query, instead of one query for each element in a loop.
extension Repository where Element: Entity {
  /// Finds the elements to which others refer by a foreign key, with one query for all of them.
  ///
  /// ```swift
  /// let pokemon = try await pokedex.findAll(where: { $0.weight > 90 })
  /// let trainers = try await trainerRepository.parents(of: pokemon, by: \.trainerID)
  /// for pokemon in pokemon { print(pokemon.name, trainers[pokemon.trainerID]?.name ?? "wild") }
  /// ```
  ///
  /// Each key is asked for once. A foreign key that is `nil` has no parent; where all are `nil`, nothing is asked. A
  /// key of several columns is asked for column by column, so that combinations are fetched, and dropped, to which no
  /// element refers.
  ///
  /// - Parameters:
  ///   - children: the elements that refer.
  ///   - foreignKey: the property that refers, or what makes the key of several.
  /// - Throws: as `findAll(_:)` does, and where a key can't be one of the table.
  public func parents<Child>(
    of children: some Sequence<Child>, by foreignKey: (Child) -> Element.ID?
  ) async throws(RepositoryError) -> ToOne<Element> {
    let table = try Element.schema.table()
    var keys: Set<[Value]> = []
    for child in children {
      if let id = foreignKey(child) { keys.insert(try table.key(id)) }
    }
    if keys.isEmpty { return try ToOne([], for: [], in: table) }
    let parts = table.primaryKeyColumns.enumerated().map { position, column in
      // Sorted, so that equal questions are the same query.
      AnyQuery.in(key: column.name, values: Set(keys.map { $0[position] }).sorted())
    }
    return try ToOne(try await findAll(FetchRequest(.all(of: parts))), for: keys, in: table)
  }

  /// Finds the elements that refer to others by a foreign key, with one query for all of them.
  ///
  /// ```swift
  /// let trainers = try await trainerRepository.findAll()
  /// let teams = try await pokedex.children(of: trainers, by: \.trainerID, sortedBy: .descending(\.weight))
  /// for trainer in trainers { print(trainer.name, teams[trainer.id].map(\.name)) }
  /// ```
  ///
  /// Each key is asked for once; where there is no parent, nothing is asked.
  ///
  /// - Parameters:
  ///   - parents: the elements that are referred to.
  ///   - foreignKey: the property that refers.
  ///   - query: which children; all by default.
  ///   - sort: in which order those of a parent come; by their primary key by default.
  /// - Throws: as `findAll(_:)` does.
  public func children<Parent: Identifiable>(
    of parents: some Sequence<Parent>, by foreignKey: KeyPath<Element, Parent.ID>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID: ValueConvertible {
    try await children(of: parents, [foreignKey], { [$0[keyPath: foreignKey]] }, query, sort)
  }

  /// Finds the elements that refer to others by a foreign key that may be `nil`; see
  /// ``children(of:by:where:sortedBy:)``.
  public func children<Parent: Identifiable>(
    of parents: some Sequence<Parent>, by foreignKey: KeyPath<Element, Parent.ID?>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID: ValueConvertible {
    try await children(of: parents, [foreignKey], { [$0[keyPath: foreignKey]] }, query, sort)
  }

  /// Finds the elements that refer to others whose key is generated, so that it may be `nil` there but not here; see
  /// ``children(of:by:where:sortedBy:)``.
  public func children<Parent: Identifiable, Key: ValueConvertible>(
    of parents: some Sequence<Parent>, by foreignKey: KeyPath<Element, Key>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID == Key? {
    try await children(of: parents, [foreignKey], { [$0[keyPath: foreignKey]] }, query, sort)
  }

  /// Finds the elements that refer to others by a key of several columns: `children(of: drawers, by: \.cabinet, \.number)`.
  ///
  /// The key is asked for column by column, so that combinations are fetched, and dropped, which are no parent's.
  ///
  /// - Parameters:
  ///   - parents: the elements that are referred to.
  ///   - first: the property that holds the first column of their key.
  ///   - rest: the properties that hold the others, in the order of the key.
  ///   - query: which children; all by default.
  ///   - sort: in which order those of a parent come; by their primary key by default.
  /// - Throws: as `findAll(_:)` does.
  public func children<
    Parent: Identifiable, First: ValueConvertible, Second: ValueConvertible, each Rest: ValueConvertible
  >(
    of parents: some Sequence<Parent>, by first: KeyPath<Element, First>, _ second: KeyPath<Element, Second>,
    _ rest: repeat KeyPath<Element, each Rest>, where query: (Fields<Element>) -> AnyQuery = { _ in .true },
    sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID: PrimaryKey {
    var paths: [AnyKeyPath] = [first, second]
    for path in repeat each rest { paths.append(path) }
    return try await children(
      of: parents, paths,
      { child in
        var parts: [any ValueConvertible] = [child[keyPath: first], child[keyPath: second]]
        for path in repeat each rest { parts.append(child[keyPath: path]) }
        return parts
      }, query, sort)
  }

  private func children<Parent: Identifiable>(
    of parents: some Sequence<Parent>, _ paths: [AnyKeyPath], _ parent: (Element) -> [any ValueConvertible],
    _ query: (Fields<Element>) -> AnyQuery, _ sort: Sort<Element>
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID: PrimaryKey {
    let schema = Element.schema
    var keys: Set<[Value]> = []
    for parent in parents {
      let key = try Value.key { () throws(ValueError) in try parent.id.keyValues() }
      if key.count != paths.count {
        throw RepositoryError(
          .invalidQuery,
          "a key of \(Parent.self) has \(key.count) columns, and is asked for by \(paths.count) properties")
      }
      // No element refers to a key that is not generated yet.
      if !key.contains(where: \.isNull) { keys.insert(key) }
    }
    if keys.isEmpty { return ToMany([], by: [:]) }
    let parts = paths.indices.map { position in
      // Sorted, so that equal questions are the same query.
      AnyQuery.in(key: schema.key(of: paths[position]), values: Set(keys.map { $0[position] }).sorted())
    }
    var found: [Element] = []
    var groups: [[Value]: [Int]] = [:]
    let request = FetchRequest(.all(of: parts) && query(Fields(schema)), sortedBy: sort.erased(by: schema))
    for child in try await findAll(request) {
      var key: [Value] = []
      for part in parent(child) { key.append(try Value.key { () throws(ValueError) in try part.makeValue() }) }
      guard keys.contains(key) else { continue }
      groups[key, default: []].append(found.count)
      found.append(child)
    }
    return ToMany(found, by: groups)
  }
}

/// The elements that refer to others, by the keys to which they refer.
///
/// It is no dictionary, because keys are compared as a store compares them: to `String`, a composed and a decomposed "é"
/// are one key, in a table they are two.
public struct ToMany<ParentID: PrimaryKey, Child: Storable>: Sendable {
  /// The children of all parents, in the order that was asked for.
  public let all: [Child]
  /// The positions in ``all`` of the children of each parent.
  private let groups: [[Value]: [Int]]

  fileprivate init(_ found: [Child], by groups: [[Value]: [Int]]) {
    all = found
    self.groups = groups
  }

  /// The children of the parent with a key, in the order that was asked for; none where it has none.
  public subscript(_ id: ParentID) -> [Child] { positions(of: id).map { all[$0] } }

  /// The positions in ``all`` of the children of the parent with a key.
  func positions(of id: ParentID) -> [Int] { (try? id.keyValues()).flatMap { groups[$0] } ?? [] }
}

extension Value {
  /// What is made of a key or a part of one.
  fileprivate static func key<Result>(_ make: () throws(ValueError) -> Result) throws(RepositoryError) -> Result {
    do throws(ValueError) {
      return try make()
    } catch {
      throw RepositoryError(
        .invalidValue, "this key can't be asked for", reason: error.summary, suggestion: error.suggestion,
        underlying: error)
    }
  }
}

/// The elements to which others refer, by their keys.
///
/// It is no dictionary, because keys are compared as a store compares them: to `String`, a composed and a decomposed "é"
/// are one key, in a table they are two.
public struct ToOne<Parent: Storable>: Sendable {
  /// The parents, in the order of their primary key.
  public let all: [Parent]
  private let positions: [[Value]: Int]

  init(_ found: [Parent], for keys: Set<[Value]>, in table: TableSchema) throws(RepositoryError) {
    var all: [Parent] = []
    var positions: [[Value]: Int] = [:]
    for parent in found {
      // A key of several columns was asked for column by column, which finds combinations to which no element refers.
      let key = try table.key(parent.id)
      if keys.contains(key), positions.updateValue(all.count, forKey: key) == nil { all.append(parent) }
    }
    self.all = all
    self.positions = positions
  }

  /// The element to which a foreign key refers; `nil` where the key is `nil`, and where there is no such element.
  public subscript(_ id: Parent.ID?) -> Parent? { position(of: id).map { all[$0] } }

  /// The position in ``all`` of the element to which a foreign key refers.
  func position(of id: Parent.ID?) -> Int? {
    guard let id, let key = try? id.keyValues() else { return nil }
    return positions[key]
  }
}
