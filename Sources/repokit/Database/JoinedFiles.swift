import ErrorDetails
import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// Files of rows beside a database: their tables and those of the database that belong to a call, together in memory.
struct JoinedFiles {
  private let files: DataFiles
  /// The table of the call; `nil` if it is about the whole database.
  private let table: String?

  /// - Returns: `nil` without a file.
  /// - Throws: ``Failure`` where options are invalid.
  init?(_ arguments: Arguments) throws(Failure) {
    guard arguments.has(InputArguments.with) else { return nil }
    table = arguments[.table]
    files = try DataFiles(beside: table, arguments)
  }

  /// Copies tables of a database into one in memory, and adds the files.
  ///
  /// - Parameter location: the location of the database, for messages.
  func open(beside database: SQLDatabase, _ location: DatabaseLocation) throws(Failure) -> SQLDatabase {
    do {
      let store = try SQLiteStore.inMemory()
      OpenStores.add(store)
      let names = try connectedTables(of: database, location)
      let copy = try DatabaseCopy(of: database, tables: names, form: database is SQLiteStore ? .verbatim : .portable)
      try store.blocking.transaction(.rebuilding) { transaction in
        for table in copy.tables { try table.create(in: transaction) }
        for table in copy.tables {
          _ = try table.write(from: database, to: transaction) { _ in try Interruption.check() }
          _ = try table.finish(in: transaction, beside: [])
        }
      }
      for table in copy.tables {
        for note in table.notes { StandardStreams.say("note: \(table.name), read beside the file: \(note)") }
      }
      try files.add(to: store) { try declare($0, in: store) }
      return store
    } catch let error as CopySourceError {
      throw location.failure(translating: error.error)
    } catch {
      throw location.failure(translating: error)
    }
  }

  /// The tables of the call and of the references, with all that are connected with them by references.
  private func connectedTables(of database: SQLDatabase, _ location: DatabaseLocation) throws -> [String] {
    let own = files.files.map(\.table)
    var links: [(from: String, to: String)] = []
    var tables: [String] = []
    for (name, result) in try database.definitions() {
      guard case .success(let definition) = result, definition.kind == .table else { continue }
      if let file = files.files.first(where: { Name($0.table).equalsFolded(name) }) {
        throw Failure(
          "\(location.name) already has a table \(name)",
          details: ["\(InputArguments.with.name) name=\(file.path) gives the file another name"])
      }
      tables.append(name)
      links += definition.references.map { (name, $0.table) }
    }
    let named = ([table].compactMap(\.self) + files.references.flatMap { [$0.table, $0.rule.table] })
      .filter { !own.contains(named: $0) }
    if let missing = named.first(where: { !tables.contains(named: $0) }) {
      throw Failure(
        "\(location.name) has no table \(missing)", details: [.among(tables + own, nearestTo: missing)],
        status: .usageError)
    }
    var found = Set(named.isEmpty ? tables.map(Name.init) : named.map(Name.init))
    var count = 0
    while count != found.count {
      count = found.count
      for link in links where found.contains(Name(link.from)) || found.contains(Name(link.to)) {
        found.formUnion([Name(link.from), Name(link.to)])
      }
    }
    return tables.filter { found.contains(Name($0)) }
  }

  /// Makes a reference of a table of the database, or to one.
  private func declare(_ reference: DataFiles.Reference, in store: SQLiteStore) throws {
    let own = files.files.map(\.table)
    if !own.contains(named: reference.rule.table) {
      let target = try store.schema(ofTable: reference.rule.table)
      for column in reference.rule.key { _ = try target.position(of: column) }
      let indexes = try store.indexes(ofTable: target.name)
      let names = reference.rule.key.map(Name.init)
      let isUnique =
        target.primaryKeyColumns.map { Name($0.name) } == names
        || indexes.contains { $0.isUnique && $0.condition == nil && $0.columns.map { $0.map(Name.init) } == names }
      if !isUnique {
        do {
          try store.blocking.transaction(.writing) { transaction in
            try transaction.createIndex(
              store.indexName(of: reference.rule.key, in: target.name),
              on: reference.rule.key.map { ($0, false) }, of: target, isUnique: true)
          }
        } catch let error as RepositoryError where error.code == .conflict {
          let key = reference.rule.key.joined(separator: " and ")
          throw Failure(
            "rows of \(target.name) have the same \(key), so a path could lead to several rows",
            details: ["exchange the sides of \(InputArguments.reference.name), or name a column that is unique"])
        }
      }
    }
    if own.contains(named: reference.table) { return }
    let source = try store.schema(ofTable: reference.table)
    for column in reference.rule.columns { _ = try source.position(of: column) }
    // Rows may refer to none of a file.
    try store.blocking.transaction(.rebuilding) { transaction in
      try transaction.addReference(reference.rule, to: source)
    }
  }
}
