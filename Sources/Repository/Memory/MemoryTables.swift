import Query

/// The tables of a store in memory. A copy is a snapshot: nothing is copied until the tables or their copy change.
struct MemoryTables: Sendable {
  /// The position of a table when a repository was opened, so that its rows are found without a lookup by name.
  struct Handle: Sendable {
    fileprivate let name: String
    fileprivate let position: Int
    fileprivate let origin: MemoryTable.Origin
    /// Whether the primary key is one column that holds only integers.
    let hasIntegerKey: Bool
  }

  /// A reference to a table, whose uniqueness can be checked: a table consists of a dozen references, each of which a copy
  /// would retain.
  private final class Box: @unchecked Sendable {
    // Sendable although it has variables: only the holder of a unique reference changes them. That also makes the check of
    // exclusive access superfluous, which would cost as much as a lookup.
    @exclusivity(unchecked) var table: MemoryTable
    /// The number of the last change of this table.
    @exclusivity(unchecked) var revision: Int

    init(_ table: MemoryTable, revision: Int) {
      (self.table, self.revision) = (table, revision)
    }

    /// Returns the row with a key, found through two of the table's parts: a method of the table would receive a copy of the
    /// table.
    func row(_ key: RowKey) -> MemoryRow? {
      guard let position = table.positions[key] else { return nil }
      return table.rows[position]
    }
  }

  private var tables: [Box] = []
  /// The position of each table, by name.
  private var positions: [Name: Int] = [:]
  /// The number of changes of tables.
  private var changeCount = 0
  /// The number of changes at the last recorded commit.
  private var notedChangeCount = 0
  /// The log of the tables that an observed read reads; `nil` for other reads.
  var log: TableLog?
  /// The deferred references whose rows were missing when they were written or deleted.
  var deferredReferences: [DeferredReference] = []
  /// Whether deferred references are checked later: at the end of the transaction, or of the write that is being made.
  var isDeferring = false
  /// Whether a repository made the store for itself, so that no other repository adds rows.
  var belongsToOneRepository = false

  /// The names of the tables, by their bytes, as a database sorts them.
  private var names: [String] { positions.keys.sorted().map(\.text) }

  /// Returns the table of a schema.
  ///
  /// - Throws: ``RepositoryError`` if the table does not exist: the transaction that created it was rolled back.
  func table(_ schema: TableSchema) throws(RepositoryError) -> MemoryTable {
    guard let table = table(named: schema.name) else { throw .missingTable(schema.name, among: names) }
    return table
  }

  /// Returns the handle of the table of a schema.
  ///
  /// - Throws: ``RepositoryError`` if the table does not exist.
  func handle(of schema: TableSchema) throws(RepositoryError) -> Handle {
    guard let position = positions[Name(schema.name)] else { throw .missingTable(schema.name, among: names) }
    let key = schema.primaryKeyColumns
    return Handle(
      name: schema.name, position: position, origin: tables[position].table.origin,
      hasIntegerKey: key.count == 1 && key[0].type == .integer && key[0].declaredType == nil)
  }

  /// Returns the row with a key.
  ///
  /// - Throws: ``RepositoryError`` if the table no longer exists.
  func row(_ key: RowKey, of handle: Handle) throws(RepositoryError) -> MemoryRow? {
    var position = handle.position
    if position >= tables.count || tables[position].table.origin !== handle.origin {
      // Another table with the name may have been created since.
      guard let named = positions[Name(handle.name)] else { throw .missingTable(handle.name, among: names) }
      position = named
    }
    if let log { log.note(TableSet([handle.name])) }
    return tables[position].row(key)
  }

  /// Returns the table with a name, if there is one.
  func table(named name: String) -> MemoryTable? {
    if let log { log.note(TableSet([name])) }
    return positions[Name(name)].map { tables[$0].table }
  }

  /// Returns the schema of the table with a name, for requests that lead there.
  ///
  /// - Parameter name: the name, possibly in another case, as case-insensitive databases accept it: the error then suggests the
  ///   right name.
  func schema(_ name: String) -> TableSchema? {
    if let table = table(named: name) { return table.schema }
    return names.first(foldedNamed: name).flatMap { table(named: $0)?.schema }
  }

  /// Returns the tables that have references to a table, in the order of their names, with the references' positions.
  func referrers(to name: String) -> [(table: String, reference: Int)] {
    names.flatMap { table in
      (self.table(named: table)?.schema.references ?? []).enumerated()
        .filter { Name($1.table) == name }.map { (table, $0.offset) }
    }
  }

  /// Finds or creates the tables of a schema: its own, and those that it refers to.
  ///
  /// - Throws: ``RepositoryError`` if a table with one of these names differs.
  mutating func open(_ schemas: [TableSchema]) throws(RepositoryError) {
    for schema in schemas { try checkPresent(schema) }
    let missing = schemas.filter { table(named: $0.name) == nil }
    for schema in missing {
      try schema.checkIsCreatable(among: names + missing.map(\.name))
      try schema.checkReferences(among: names) { name in
        schemas.first(named: name) ?? table(named: name)?.schema
      }
    }
    for schema in missing { add(MemoryTable(schema)) }
  }

  /// Adds a table, whose name no other table has.
  mutating func add(_ table: MemoryTable) {
    changeCount &+= 1
    positions[Name(table.schema.name)] = tables.count
    tables.append(Box(table, revision: changeCount))
  }

  private func checkPresent(_ table: TableSchema) throws(RepositoryError) {
    guard let present = self.table(named: table.name)?.schema else { return }
    let withDefault = Set(present.columns.filter { $0.defaultValue != nil }.map { Value.text($0.name) })
    let differences = table.differences(from: present.generatingKeys, columnsWithDefault: withDefault)
    if let error = RepositoryError.mismatch(differences, in: table.name) { throw error }
  }

  /// Returns whether tables with these names exist and do not differ.
  func hold(_ schemas: [TableSchema]) -> Bool { schemas.allSatisfy { table(named: $0.name)?.schema == $0 } }

  /// Changes a table in place, without a copy.
  mutating func change<Result>(
    _ name: String, _ change: (inout MemoryTable) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    guard let position = positions[Name(name)] else { throw .missingTable(name, among: names) }
    changeCount &+= 1
    if !isKnownUniquelyReferenced(&tables[position]) {
      tables[position] = Box(tables[position].table, revision: changeCount)
    }
    tables[position].revision = changeCount
    return try change(&tables[position].table)
  }

  /// Records a commit.
  ///
  /// - Parameter isObserved: whether the changed tables are needed.
  /// - Returns: the tables that were changed since the last commit; `nil` if there are no observers, or no table was changed.
  mutating func noteCommit(isObserved: Bool) -> TableSet? {
    defer { notedChangeCount = changeCount }
    if !isObserved || notedChangeCount == changeCount { return nil }
    return TableSet(positions.filter { tables[$1].revision > notedChangeCount }.keys.map(\.text))
  }

  /// Changes tables all or nothing: if the change throws, they are restored.
  ///
  /// It costs a copy of each table that changes. A change that throws before it has changed anything needs no copy, and no call
  /// of this method.
  mutating func atomically<Result>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let copy = self
    do throws(RepositoryError) {
      return try change(&self)
    } catch {
      self = copy
      throw error
    }
  }
}

extension TableSchema {
  /// The table with its key as a generated one, if SQLite would make the key the rowid.
  fileprivate var generatingKeys: TableSchema {
    guard primaryKey.count == 1, columns[primaryKey[0]].type == .integer, !columns[primaryKey[0]].isGenerated else {
      return self
    }
    let key = columns[primaryKey[0]]
    var columns = columns
    columns[primaryKey[0]] = key.generated
    let changed = try? TableSchema(
      name, columns: columns, primaryKey: [key.name], unique: uniqueSets.map { $0.map { columns[$0].name } },
      partialUnique: partialUnique, checks: checks, references: references)
    return changed ?? self
  }
}
