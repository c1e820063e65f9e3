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
  /// Each key is requested once. A foreign key that is `nil` has no parent; if all are `nil`, no query is run. A key of several
  /// columns is requested column by column, so that elements are also fetched, and discarded, to whose combination of columns
  /// no element refers.
  ///
  /// - Parameters:
  ///   - children: the referring elements.
  ///   - foreignKey: the referring property, or a closure that returns a key of several columns.
  /// - Throws: as `findAll(_:)` does, and if a value can't be a key of the table.
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
      // Sorted, so that equal sets of keys make equal queries.
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
  /// Each key is requested once; without parents, no query is run.
  ///
  /// - Parameters:
  ///   - parents: the elements that are referred to.
  ///   - foreignKey: the referring property.
  ///   - query: the condition on children; all by default.
  ///   - sort: the order of the children of a parent; by their primary key by default.
  /// - Throws: as `findAll(_:)` does.
  public func children<Parent: Identifiable>(
    of parents: some Sequence<Parent>, by foreignKey: KeyPath<Element, Parent.ID>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID: ValueConvertible {
    try await children(of: parents, [foreignKey], { [$0[keyPath: foreignKey]] }, query, sort)
  }

  /// Finds the elements that refer to others by an optional foreign key; see ``children(of:by:where:sortedBy:)``.
  public func children<Parent: Identifiable>(
    of parents: some Sequence<Parent>, by foreignKey: KeyPath<Element, Parent.ID?>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID: ValueConvertible {
    try await children(of: parents, [foreignKey], { [$0[keyPath: foreignKey]] }, query, sort)
  }

  /// Finds the elements that refer to others with a generated key, where the id is optional and the foreign key is not; see
  /// ``children(of:by:where:sortedBy:)``.
  public func children<Parent: Identifiable, Key: ValueConvertible>(
    of parents: some Sequence<Parent>, by foreignKey: KeyPath<Element, Key>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> ToMany<Parent.ID, Element> where Parent.ID == Key? {
    try await children(of: parents, [foreignKey], { [$0[keyPath: foreignKey]] }, query, sort)
  }

  /// Finds the elements that refer to others by a key of several columns: `children(of: drawers, by: \.cabinet, \.number)`.
  ///
  /// The key is requested column by column, so that elements are also fetched, and discarded, whose combination of columns is
  /// the key of no parent.
  ///
  /// - Parameters:
  ///   - parents: the elements that are referred to.
  ///   - first: the property that holds the first column of their key.
  ///   - rest: the properties that hold the other columns, in the order of the key.
  ///   - query: the condition on children; all by default.
  ///   - sort: the order of the children of a parent; by their primary key by default.
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
      // Sorted, so that equal sets of keys make equal queries.
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
/// It is not a dictionary, because keys are compared as a store compares them: a composed and a decomposed "é" are one key
/// to `String`, but two in a table.
public struct ToMany<ParentID: PrimaryKey, Child: Storable>: Sendable {
  /// The children of all parents, in the requested order.
  public let all: [Child]
  /// The positions in ``all`` of the children of each parent.
  private let groups: [[Value]: [Int]]

  fileprivate init(_ found: [Child], by groups: [[Value]: [Int]]) {
    all = found
    self.groups = groups
  }

  /// Returns the children of the parent with a key, in the requested order; empty for a parent without children.
  public subscript(_ id: ParentID) -> [Child] { positions(of: id).map { all[$0] } }

  /// Returns the positions in ``all`` of the children of the parent with a key.
  func positions(of id: ParentID) -> [Int] { (try? id.keyValues()).flatMap { groups[$0] } ?? [] }
}

extension Value {
  /// Returns the result of a closure that makes a key, or a part of one.
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
/// It is not a dictionary, because keys are compared as a store compares them: a composed and a decomposed "é" are one key
/// to `String`, but two in a table.
public struct ToOne<Parent: Storable>: Sendable {
  /// The parents, in the order of their primary key.
  public let all: [Parent]
  private let positions: [[Value]: Int]

  init(_ found: [Parent], for keys: Set<[Value]>, in table: TableSchema) throws(RepositoryError) {
    var all: [Parent] = []
    var positions: [[Value]: Int] = [:]
    for parent in found {
      // A key of several columns was requested column by column, which finds combinations to which no element refers.
      let key = try table.key(parent.id)
      if keys.contains(key), positions.updateValue(all.count, forKey: key) == nil { all.append(parent) }
    }
    self.all = all
    self.positions = positions
  }

  /// Returns the element to which a foreign key refers; `nil` if the key is `nil`, and if there is no such element.
  public subscript(_ id: Parent.ID?) -> Parent? { position(of: id).map { all[$0] } }

  /// Returns the position in ``all`` of the element to which a foreign key refers.
  func position(of id: Parent.ID?) -> Int? {
    guard let id, let key = try? id.keyValues() else { return nil }
    return positions[key]
  }
}
