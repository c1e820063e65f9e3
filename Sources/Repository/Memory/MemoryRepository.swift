public import Query

/// A repository of elements in memory, with which a test replaces a database.
///
/// ```swift
/// let pokedex = try MemoryRepository([bulbasaur, charizard])
/// let fire = try await pokedex.findAll(FetchRequest(.equal(key: "type", value: "fire")))
/// ```
///
/// It stores rows, not elements, so that results are converted in the same way as with a database; an element that was decoded
/// from a row is cached with the row. ``blocking`` has the requirements of a repository for code that can't suspend.
public struct MemoryRepository<Element: Storable>: Repository {
  let store: MemoryStore
  /// The transaction in which the repository was opened, if any.
  let transaction: MemoryTransaction?
  let schema: Schema<Element>
  let table: TableSchema
  /// The table as the store has it, which may have more columns and constraints.
  let stored: TableSchema
  /// The positions in the stored table of the schema's columns; `nil` if they are the same.
  let columns: [Int]?
  /// The position in the stored table of the column that marks soft-deleted rows; `nil` if there is none.
  private let deletionColumn: Int?
  let handle: MemoryTables.Handle

  init(
    store: MemoryStore, transaction: MemoryTransaction?, schema: Schema<Element>, table: TableSchema,
    stored: TableSchema, handle: MemoryTables.Handle
  ) {
    self.store = store
    self.transaction = transaction
    self.schema = schema
    self.table = table
    self.stored = stored
    self.handle = handle
    let columns = table.columns.compactMap { stored.columns.firstIndex(named: $0.name) }
    self.columns = columns.elementsEqual(stored.columns.indices) ? nil : columns
    deletionColumn = schema.softDeletion.flatMap { stored.columns.firstIndex(named: $0.key) }
  }

  /// Makes a repository in a store of its own.
  ///
  /// A type that refers to another one takes a ``MemoryStore``, from which the repositories of both are opened.
  ///
  /// - Throws: `RepositoryError` if the schema contradicts itself, and as `save(_:)` does.
  public init(_ elements: [Element] = [], schema: Schema<Element>) throws(RepositoryError) {
    self = try MemoryStore(ofOneRepository: ()).memoryRepository(schema, in: nil)
    try blocking.save(elements)
  }

  /// Makes a repository of a model type in a store of its own.
  ///
  /// - Throws: `RepositoryError` if the schema contradicts itself, and as `save(_:)` does.
  public init(_ elements: [Element] = []) throws(RepositoryError) where Element: Entity {
    try self.init(elements, schema: Element.schema)
  }

  /// Finds the element with a key, in constant time.
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    if store.needsYield(after: 1) { await Task.yield() }
    return try element(id)
  }

  /// Finds all elements that match a request, in its order.
  ///
  /// A query for values of the primary key, of unique columns or of referring columns, possibly with further conditions, looks
  /// them up in an index; any other query scans the rows. The result is sorted only as far as the offset and the limit require.
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    try await inTurn { () throws(RepositoryError) in try elements(try rows(request)) }
  }

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  public func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    try await inTurn { () throws(RepositoryError) in try readable(request) }
  }

  /// Observes the elements that match a request: their current state, and each new state.
  public func changes(_ request: FetchRequest) -> Changes<Element> {
    Changes(store.signal) { () throws(RepositoryError) in
      if store.isInTransaction(boundTo: transaction) { throw .changesInsideTransaction }
      let log = TableLog()
      let rows = try rows(request, in: store.tables(notedIn: log))
      return ((try elements(rows), rows.map(\.values)), log.tables)
    }
  }

  /// Counts the elements that match a query.
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try await inTurn { () throws(RepositoryError) in try rowCount(query) }
  }

  /// Finds the columns of a projection.
  ///
  /// Values are shared with the rows, so that none is copied.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await inTurn { () throws(RepositoryError) in try rows(request) }
  }

  /// Computes aggregates of the elements that match a query.
  ///
  /// It scans the rows.
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await inTurn { () throws(RepositoryError) in try aggregates(request) }
  }
}

extension MemoryRepository {
  /// Calls a closure, after yielding to other tasks if it is their turn.
  private func inTurn<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if store.needsYield(after: MemoryStore.effortOfCall) { await Task.yield() }
    return try body()
  }

  func element(_ id: Element.ID) throws(RepositoryError) -> Element? {
    guard let row = try store.row(try key(id), of: handle, in: transaction) else { return nil }
    if let deletionColumn, !row[deletionColumn].isNull { return nil }
    return try element(of: row)
  }

  func readable(_ request: FetchRequest) throws(RepositoryError) -> PartialResult<Element> {
    var elements: [Element] = []
    var unreadable: [UnreadableRow] = []
    for (position, row) in try rows(request).enumerated() {
      let row = ValueRow(row.values)
      if let element = try schema.coder.element(from: row, in: table, at: position + 1, orAddingTo: &unreadable) {
        elements.append(element)
      }
    }
    return PartialResult(elements: elements, unreadable: unreadable)
  }

  func rowCount(_ query: AnyQuery) throws(RepositoryError) -> Int {
    let resolved = try resolve(query)
    let tables = try store.tables(in: transaction)
    return try tables.table(table).count(resolved, beside: tables)
  }

  func rows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] {
    let tables = try store.tables(in: transaction)
    let request = self.schema.softDeletion.excludingDeleted(request)
    let schema: TableLookup = request.needsOtherTables ? tables.schema : { _ in nil }
    var projection = try table.resolve(request, with: schema)
    if columns != nil { projection = try stored.resolve(request, with: schema) }
    return try tables.table(table).rows(projection, beside: tables)
  }

  func aggregates(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    let tables = try store.tables(in: transaction)
    let request = schema.softDeletion.excludingDeleted(request)
    var resolved = try table.resolve(request, with: tables.schema)
    if columns != nil { resolved = try stored.resolve(request, with: tables.schema) }
    let rows = try tables.table(table)
    do throws(AggregateError) {
      return try rows.aggregate(resolved, beside: tables)
    } catch {
      throw RepositoryError(error)
    }
  }

  func rows(_ request: FetchRequest) throws(RepositoryError) -> [MemoryRow] {
    try rows(request, in: try store.tables(in: transaction))
  }

  private func rows(_ request: FetchRequest, in tables: MemoryTables) throws(RepositoryError) -> [MemoryRow] {
    let request = schema.softDeletion.excludingDeleted(request)
    var resolved = try table.resolve(request, with: tables.schema)
    if columns != nil { resolved = try stored.resolve(request, with: tables.schema) }
    return try tables.table(table).rows(resolved, beside: tables)
  }

  /// Checks a query against the schema, and resolves its keys in the table as the store has it.
  func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    let query = schema.softDeletion.excludingDeleted(query)
    let tables: TableLookup = query.needsOtherTables ? try store.tables(in: transaction).schema : { _ in nil }
    let resolved = try table.resolve(query, with: tables)
    return columns == nil ? resolved : try stored.resolve(query, with: tables)
  }

  private func element(of row: MemoryRow, at number: Int? = nil) throws(RepositoryError) -> Element {
    guard let columns else { return try row.element(by: schema, in: table, at: number) }
    let values = row.values
    return try schema.element(from: columns.map { values[$0] }, in: table, at: number)
  }

  /// Returns the key of the row with an id.
  func key(_ id: Element.ID) throws(RepositoryError) -> RowKey {
    // An `Int` is by far the most common key, and a column of integers stores it unchanged. The id is known to be an `Int`
    // here: a cast would compare the types once more.
    if handle.hasIntegerKey, Element.ID.self == Int.self { return .integer(Int64(unsafeBitCast(id, to: Int.self))) }
    return RowKey(try table.key(id))
  }

  func elements(_ rows: [MemoryRow]) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for (position, row) in rows.enumerated() {
      elements.append(try element(of: row, at: position + 1))
    }
    return elements
  }
}
