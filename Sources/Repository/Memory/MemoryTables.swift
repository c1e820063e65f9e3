import Query

/// The tables of a store in memory. A copy is a snapshot: nothing is copied until one of both changes.
struct MemoryTables: Sendable {
  /// The position of a table when a repository was opened, so that its rows are found without a look-up by name.
  struct Handle: Sendable {
    fileprivate let name: String
    fileprivate let position: Int
    fileprivate let origin: MemoryTable.Origin
    /// Whether the primary key is one column that holds integers alone.
    let hasIntegerKey: Bool
  }

  /// A table behind a reference, so that it can be asked where it is: a table is made of a dozen references, each of which
  /// a copy would count.
  private final class Box: @unchecked Sendable {
    // Sendable although it is variable: only who holds the one reference to it changes it. That also makes the check of
    // exclusive access superfluous, which would cost as much as a look-up.
    @exclusivity(unchecked) var table: MemoryTable
    /// The change of the tables that was the last of this one.
    @exclusivity(unchecked) var revision: Int

    init(_ table: MemoryTable, revision: Int) {
      (self.table, self.revision) = (table, revision)
    }

    /// The row with a key, found through two of the table's parts: a method of the table would be given a copy of it.
    func row(_ key: RowKey) -> MemoryRow? {
      guard let position = table.positions[key] else { return nil }
      return table.rows[position]
    }
  }

  private var tables: [Box] = []
  /// The position of each table, by name.
  private var positions: [Name: Int] = [:]
  /// How many changes of tables there were.
  private var changeCount = 0
  /// How many of them were there when the last commit was noted.
  private var notedChangeCount = 0
  /// Collects the tables that an observed read reads; `nil` for other reads.
  var log: TableLog?

  /// The names of the tables, by their bytes, as a database sorts them.
  private var names: [String] { positions.keys.sorted().map(\.text) }

  /// The table of a schema.
  ///
  /// - Throws: ``RepositoryError`` where there is none: the transaction that created it was undone.
  func table(_ schema: TableSchema) throws(RepositoryError) -> MemoryTable {
    guard let table = table(named: schema.name) else { throw .missingTable(schema.name, among: names) }
    return table
  }

  /// The handle of the table of a schema.
  ///
  /// - Throws: ``RepositoryError`` where there is none.
  func handle(of schema: TableSchema) throws(RepositoryError) -> Handle {
    guard let position = positions[Name(schema.name)] else { throw .missingTable(schema.name, among: names) }
    let key = schema.primaryKeyColumns
    return Handle(
      name: schema.name, position: position, origin: tables[position].table.origin,
      hasIntegerKey: key.count == 1 && key[0].type == .integer && key[0].declaredType == nil)
  }

  /// The row with a key.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table any more.
  func row(_ key: RowKey, of handle: Handle) throws(RepositoryError) -> MemoryRow? {
    var position = handle.position
    if position >= tables.count || tables[position].table.origin !== handle.origin {
      // Another table of the name may have been created since.
      guard let named = positions[Name(handle.name)] else { throw .missingTable(handle.name, among: names) }
      position = named
    }
    if let log { log.note(TableSet([handle.name])) }
    return tables[position].row(key)
  }

  /// The table of a name, if there is one.
  func table(named name: String) -> MemoryTable? {
    if let log { log.note(TableSet([name])) }
    return positions[Name(name)].map { tables[$0].table }
  }

  /// The schema of the table of a name, for requests that lead there.
  ///
  /// - Parameter name: in another case also, as databases find it that know no case: the query is told what was meant then.
  func schema(_ name: String) -> TableSchema? {
    if let table = table(named: name) { return table.schema }
    return names.first { Name($0).folded == Name(name).folded }.flatMap { table(named: $0)?.schema }
  }

  /// The tables that have references to a table, in the order of their names, and the references' positions.
  func referrers(to name: String) -> [(table: String, reference: Int)] {
    names.flatMap { table in
      (self.table(named: table)?.schema.references ?? []).enumerated()
        .filter { Name($1.table) == name }.map { (table, $0.offset) }
    }
  }

  /// Finds or creates the tables of a schema: its own, and those that it refers to.
  ///
  /// - Throws: ``RepositoryError`` where there is a table of one of these names that differs.
  mutating func open(_ schemas: [TableSchema]) throws(RepositoryError) {
    for schema in schemas { try checkPresent(schema) }
    let missing = schemas.filter { table(named: $0.name) == nil }
    for schema in missing {
      try schema.checkIsCreatable(among: names + missing.map(\.name))
      try schema.checkReferences(among: names) { name in
        schemas.first(named: name) ?? table(named: name)?.schema
      }
    }
    for schema in missing {
      positions[Name(schema.name)] = tables.count
      changeCount &+= 1
      tables.append(Box(MemoryTable(schema), revision: changeCount))
    }
  }

  private func checkPresent(_ table: TableSchema) throws(RepositoryError) {
    guard let present = self.table(named: table.name)?.schema else { return }
    let withDefault = Set(present.columns.filter { $0.defaultValue != nil }.map { Value.text($0.name) })
    let differences = table.differences(from: present.generatingKeys, columnsWithDefault: withDefault)
    if let error = RepositoryError.mismatch(differences, in: table.name) { throw error }
  }

  /// Whether tables of these names are there and differ in nothing.
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

  /// Notes a commit.
  ///
  /// - Parameter isObserved: whether it is asked for which tables were changed.
  /// - Returns: the tables that were changed since the commit before; `nil` where nothing is observed, or none was.
  mutating func noteCommit(isObserved: Bool) -> TableSet? {
    defer { notedChangeCount = changeCount }
    if !isObserved || notedChangeCount == changeCount { return nil }
    return TableSet(positions.filter { tables[$1].revision > notedChangeCount }.keys.map(\.text))
  }

  /// Changes tables all or nothing: as they were, where the change throws.
  ///
  /// It costs a copy of each table that changes. A change that throws before it changed anything needs none.
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
  /// The table with a key that can be generated, where a database would make it the row's own number.
  fileprivate var generatingKeys: TableSchema {
    guard primaryKey.count == 1, columns[primaryKey[0]].type == .integer, !columns[primaryKey[0]].isGenerated else {
      return self
    }
    let key = columns[primaryKey[0]]
    var columns = columns
    columns[primaryKey[0]] = ColumnSchema(
      key.name, key.type, isUnique: key.isUnique, isIndexed: key.isIndexed, isGenerated: true,
      declaredType: key.declaredType,
      collation: key.collation
    ).kept(as: key.storage)
    let changed = try? TableSchema(
      name, columns: columns, primaryKey: [key.name], unique: uniqueSets.map { $0.map { columns[$0].name } },
      checks: checks, references: references)
    return changed ?? self
  }
}
