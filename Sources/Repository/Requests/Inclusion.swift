import Query

// Related elements of a whole result, by one further query for each relation, instead of one query for each element in a loop.

/// The related elements to load with the elements of a result, by a relation.
///
/// ```swift
/// let tree = try await regions.sorted { $0.name.ascending }.including(
///   Region.towns.from(towns.sorted { $0.name.ascending }.including(Town.port.from(ports)))).all()
/// for (region, towns) in tree {
///   for (town, port) in towns { print(region.name, town.name, port?.name ?? "no port") }
/// }
/// ```
///
/// Each level is one query for all elements of the level above. Levels read from one snapshot of the store within
/// ``Store/read(_:)``.
public struct Inclusion<Element: Storable, Related: Sendable>: Sendable {
  /// Loads the related elements of each of several elements, in their order.
  fileprivate let load: @Sendable ([Element]) async throws(RepositoryError) -> [Related]
}

/// A ``Selection`` whose elements are loaded with related elements, as tuples or as values of a type of your own.
public struct LoadedSelection<Element: Entity, Output: Sendable>: Sendable {
  fileprivate let selection: Selection<Element>
  fileprivate let load: @Sendable ([Element]) async throws(RepositoryError) -> [Output]

  /// Finds all elements of the selection with their related elements.
  ///
  /// - Throws: as ``Selection/all()`` does.
  public func all() async throws(RepositoryError) -> [Output] { try await load(try await selection.all()) }

  /// Finds the first element with its related elements.
  ///
  /// - Throws: as ``Selection/all()`` does.
  public func first() async throws(RepositoryError) -> Output? {
    try await load(try await selection.prefix(1).all()).first
  }

  /// Returns the selection whose results are converted: `including(Region.towns.from(towns)).map(RegionTree.init)`.
  public func map<Result: Sendable>(_ transform: @escaping @Sendable (Output) -> Result) -> LoadedSelection<
    Element, Result
  > {
    LoadedSelection<Element, Result>(selection: selection) { [load] elements throws(RepositoryError) in
      try await load(elements).map(transform)
    }
  }
}

extension Selection where Element: Entity {
  /// Returns the selection with related elements of each element.
  ///
  /// - Parameter inclusion: the relation, with the selection in which its elements are found.
  public func including<Related: Sendable>(
    _ inclusion: Inclusion<Element, Related>
  ) -> LoadedSelection<Element, (Element, Related)> {
    // Without this overload, the compiler can't solve an expression that goes on with the tuples of the result.
    LoadedSelection(selection: self) { elements throws(RepositoryError) in
      try await elements.including(inclusion)
    }
  }

  /// Returns the selection with the elements of several relations of each element.
  public func including<First: Sendable, Second: Sendable, each Related: Sendable>(
    _ first: Inclusion<Element, First>, _ second: Inclusion<Element, Second>,
    _ rest: repeat Inclusion<Element, each Related>
  ) -> LoadedSelection<Element, (Element, First, Second, repeat each Related)> {
    let loads = erased(first, second, repeat each rest)
    return LoadedSelection(selection: self) { elements throws(RepositoryError) in
      try tuples(of: elements, try await columns(of: elements, loads))
    }
  }
}

extension Sequence where Element: Storable {
  /// Loads related elements of elements that were found before; see ``Selection/including(_:)``.
  ///
  /// - Returns: each element with its related elements, in the order of the inclusions.
  /// - Throws: as ``Selection/all()`` does.
  public func including<Related: Sendable>(
    _ inclusion: Inclusion<Element, Related>
  ) async throws(RepositoryError) -> [(Element, Related)] {
    let elements = Array(self)
    return Array(zip(elements, try await inclusion.load(elements)))
  }

  /// Loads the elements of several relations.
  public func including<First: Sendable, Second: Sendable, each Related: Sendable>(
    _ first: Inclusion<Element, First>, _ second: Inclusion<Element, Second>,
    _ rest: repeat Inclusion<Element, each Related>
  ) async throws(RepositoryError) -> [(Element, First, Second, repeat each Related)] {
    let elements = Array(self)
    let loads = erased(first, second, repeat each rest)
    return try tuples(of: elements, try await columns(of: elements, loads))
  }
}

// Several relations at once. No pack is alive while a task waits: an asynchronous function that passes a pack on to another one
// frees its memory in the wrong order, and the program ends (Swift 6.3).

/// The related elements of one relation, of a type that only the caller knows.
private struct RelatedColumn<Related: Sendable>: Sendable {
  let elements: [Related]
}

/// A relation to load, whose type only the caller knows.
private protocol ErasedInclusion<Element>: Sendable {
  associatedtype Element: Storable

  func column(of elements: [Element]) async throws(RepositoryError) -> any Sendable
}

extension Inclusion: ErasedInclusion {
  fileprivate func column(of elements: [Element]) async throws(RepositoryError) -> any Sendable {
    let related = try await load(elements)
    return RelatedColumn(elements: related)
  }
}

/// Returns the loads of several relations.
private func erased<Element: Storable, First: Sendable, Second: Sendable, each Other: Sendable>(
  _ first: Inclusion<Element, First>, _ second: Inclusion<Element, Second>,
  _ rest: repeat Inclusion<Element, each Other>
) -> [any ErasedInclusion<Element>] {
  var erased: [any ErasedInclusion<Element>] = []
  erased.append(first)
  erased.append(second)
  for inclusion in repeat each rest { erased.append(inclusion) }
  return erased
}

private func columns<Element: Storable>(
  of elements: [Element], _ inclusions: [any ErasedInclusion<Element>]
) async throws(RepositoryError) -> [any Sendable] {
  var columns: [any Sendable] = []
  for inclusion in inclusions { columns.append(try await inclusion.column(of: elements)) }
  return columns
}

/// A reader of the related elements of several relations, in sequence.
private struct RelatedColumns {
  let columns: [any Sendable]
  var position = 0

  mutating func next<Related: Sendable>(_ type: Related.Type) throws(RepositoryError) -> [Related] {
    defer { position += 1 }
    guard position < columns.count, let column = columns[position] as? RelatedColumn<Related> else {
      throw RepositoryError(.storeFailure, "the related elements of type \(type) are missing")
    }
    return column.elements
  }
}

/// Returns each element with its related elements.
private func tuples<Element: Sendable, First: Sendable, Second: Sendable, each Other: Sendable>(
  of elements: [Element], _ columns: [any Sendable]
) throws(RepositoryError) -> [(Element, First, Second, repeat each Other)] {
  var columns = RelatedColumns(columns: columns)
  let (first, second) = (try columns.next(First.self), try columns.next(Second.self))
  let rest = (repeat try columns.next((each Other).self))
  return elements.indices.map { index in
    (elements[index], first[index], second[index], repeat (each rest)[index])
  }
}

extension ToOne {
  /// Returns the inclusion of the element to which each element refers; `nil` for an element that refers to no element, or to
  /// an element that the selection excludes.
  ///
  /// Each key is requested once. A key of several columns is requested column by column, so that elements are also read, and
  /// left out, to whose combination of columns no element refers.
  ///
  /// - Parameter selection: the elements that are referred to, such as all of a repository. Its range is refused.
  public func from(_ selection: Selection<Target>) -> Inclusion<Source, Target?> {
    from(LoadedSelection(selection: selection) { $0 })
  }

  /// Returns the inclusion of the elements of a repository to which elements refer.
  public func from(_ repository: some Repository<Target>) -> Inclusion<Source, Target?> {
    from(repository.selection())
  }

  /// Returns the inclusion of elements with related elements of their own.
  public func from<Output: Sendable>(_ selection: LoadedSelection<Target, Output>) -> Inclusion<Source, Output?> {
    Inclusion { [key] sources throws(RepositoryError) in
      let table = try Target.schema.table()
      var keys: [[Value]] = []
      for source in sources { keys.append(try Value.key { () throws(ValueError) in try key(source) }) }
      let found = try await selection.selection.elements(
        withKeys: keys, in: table.primaryKeyColumns.map(\.name), of: Source.self)
      let needed = Set(keys)
      var (parents, positions): ([Target], [[Value]: Int]) = ([], [:])
      for element in found {
        let key = try table.key(element.id)
        if !needed.contains(key) { continue }
        positions[key] = parents.count
        parents.append(element)
      }
      let results = try await selection.load(parents)
      return keys.map { positions[$0].map { results[$0] } }
    }
  }
}

extension ToMany {
  /// Returns the inclusion of the elements that refer to each element, in the order of the selection.
  ///
  /// - Parameter selection: the referring elements, such as all of a repository. Its range is refused.
  public func from(_ selection: Selection<Target>) -> Inclusion<Source, [Target]> {
    from(LoadedSelection(selection: selection) { $0 })
  }

  /// Returns the inclusion of the elements of a repository that refer to elements.
  public func from(_ repository: some Repository<Target>) -> Inclusion<Source, [Target]> {
    from(repository.selection())
  }

  /// Returns the inclusion of elements with related elements of their own.
  public func from<Output: Sendable>(_ selection: LoadedSelection<Target, Output>) -> Inclusion<Source, [Output]> {
    Inclusion { [inverse] sources throws(RepositoryError) in
      let schema = Target.schema
      var keys: [[Value]] = []
      for source in sources { keys.append(try Value.key { () throws(ValueError) in try source.id.keyValues() }) }
      let found = try await selection.selection.elements(
        withKeys: keys, in: inverse.paths.map { schema.key(of: $0) }, of: Source.self)
      let needed = Set(keys)
      var (children, groups): ([Target], [[Value]: [Int]]) = ([], [:])
      for element in found {
        let key = try Value.key { () throws(ValueError) in try inverse.key(element) }
        if !needed.contains(key) { continue }
        groups[key, default: []].append(children.count)
        children.append(element)
      }
      let results = try await selection.load(children)
      return keys.map { key in key.contains(where: \.isNull) ? [] : groups[key, default: []].map { results[$0] } }
    }
  }
}

extension Selection where Element: Entity {
  /// Finds the elements with some of several keys in some columns; none are requested if all keys are null.
  fileprivate func elements<Source>(
    withKeys keys: [[Value]], in columns: [String], of source: Source.Type
  ) async throws(RepositoryError) -> [Element] {
    _ = try query(of: "a load")
    let keys = Set(keys.filter { !$0.contains(where: \.isNull) })
    if keys.isEmpty { return [] }
    if let key = keys.first(where: { $0.count != columns.count }) {
      throw RepositoryError(
        .invalidQuery,
        "the key of \(source) has \(key.count) columns, but the relation to \(Element.self) has \(columns.count)")
    }
    let parts = columns.enumerated().map { position, column in
      // Sorted, so that equal sets of keys make equal queries.
      AnyQuery.in(key: column, values: Set(keys.map { $0[position] }).sorted())
    }
    return try await filter(.all(of: parts)).all()
  }
}

extension Value {
  /// Returns the result of a closure that makes a key, or a part of one.
  fileprivate static func key<Result>(_ make: () throws(ValueError) -> Result) throws(RepositoryError) -> Result {
    do throws(ValueError) {
      return try make()
    } catch {
      throw RepositoryError(
        .invalidValue, "can't request this key", reason: error.summary, suggestion: error.suggestion,
        underlying: error)
    }
  }
}
