public import Query

/// Elements in memory: what a test puts in the place of a database.
///
/// ```swift
/// let pokedex = try MemoryRepository([bulbasaur, charizard])
/// let fire = try pokedex.findAll(FetchRequest(.equal(key: "type", value: "fire")))
/// ```
///
/// It keeps rows, not elements, so that what comes back has gone the same way as through a database. Its methods don't
/// suspend and may be called from synchronous code.
public struct MemoryRepository<Element: Storable>: Repository {
  private let store: MemoryStore
  private let schema: Schema<Element>
  private let table: TableSchema

  init(store: MemoryStore, schema: Schema<Element>, table: TableSchema) {
    self.store = store
    self.schema = schema
    self.table = table
  }

  /// Makes a repository in a store of its own.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, and as ``save(_:)`` does.
  public init(_ elements: [Element] = [], schema: Schema<Element>) throws(RepositoryError) {
    self = try MemoryStore().memoryRepository(schema)
    try save(elements)
  }

  /// Makes a repository of a model type in a store of its own.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, and as ``save(_:)`` does.
  public init(_ elements: [Element] = []) throws(RepositoryError) where Element: Entity {
    try self.init(elements, schema: Element.schema)
  }

  /// Finds the element with a key, in constant time.
  public func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    let key = try table.key(id)
    guard let row = store.read(table).row(key: key) else { return nil }
    return try schema.element(from: row, in: table)
  }

  /// Finds all elements that a request means, in its order.
  ///
  /// Each row is looked at; what was found is sorted.
  public func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    let resolved = try table.resolve(request)
    var elements: [Element] = []
    for row in store.read(table).rows(resolved) { elements.append(try schema.element(from: row, in: table)) }
    return elements
  }

  /// Counts the elements that a query means.
  public func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    let resolved = try table.resolve(query)
    return store.read(table).count(resolved)
  }

  /// Saves elements, all or none.
  ///
  /// One element is saved in constant time; several cost a copy of the table's list of rows once.
  public func save(_ elements: [Element]) throws(RepositoryError) {
    var rows: [[Value]] = []
    for element in elements { rows.append(try schema.row(from: element, in: table)) }
    try store.write(table, keepingCopy: rows.count > 1) { table throws(RepositoryError) in
      for row in rows { try table.upsert(row) }
    }
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  public func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    var keys: [[Value]] = []
    for id in ids { keys.append(try table.key(id)) }
    return try store.write(table, keepingCopy: false) { table throws(RepositoryError) in
      keys.count { table.delete(key: $0) }
    }
  }
}
