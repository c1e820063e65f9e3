import Query
package import Repository
package import SQLStore

/// The tables of one database that are copied into another, those that others refer to first.
package struct DatabaseCopy {
  /// How the definitions of tables come into the other database.
  package enum Form {
    /// Between files of SQLite: by the tables' own statements.
    case verbatim
    /// Between servers: by the definitions in the catalog.
    case server
    /// Between both: by the parts that both have.
    case portable
  }

  /// How tables that are referred to are copied.
  package enum Parents {
    /// The named tables alone.
    case none
    /// The tables to which the named ones refer, and to which those refer.
    case copied
    /// The named tables alone, without references to tables that neither are copied nor are there.
    case leftOut(beside: [String])
  }

  package let tables: [TableCopy]
  /// What is left out, as it has no rows of its own: views, virtual tables, and tables whose rows another table shows.
  package let leftOut: [String]

  /// Finds out what is to be copied, from the state of the database in which the rows are read afterwards.
  ///
  /// - Parameter names: the tables; all where there are none.
  /// - Throws: ``/Repository/RepositoryError`` for what can't be copied, or can't be read.
  package init(of store: SQLDatabase, tables names: [String], form: Form, parents: Parents = .none) throws {
    for name in names { _ = try store.schema(ofTable: name) }
    let all = try store.definitions()
    let inheriting = try store.inheritingTables()
    let names = Self.adding(parents, to: names, all)
    var definitions: [TableDefinition] = []
    var leftOut: [String] = []
    for (name, result) in all where names.isEmpty || names.contains(named: name) {
      if names.isEmpty, try store.isView(name) {
        leftOut.append("the view \(name)")
        continue
      }
      let definition = try Self.readable(result, of: name)
      switch definition.kind {
      case .table:
        // Of each table, the rows are copied once.
        guard let own = inheriting.first(where: { Name($0.name) == name }),
          names.isEmpty || names.contains(named: own.parent), form == .portable || own.isPartition
        else {
          definitions.append(definition)
          continue
        }
        if form == .portable { leftOut.append(own.note) }
      case .shadow where names.isEmpty: break
      case let kind where names.isEmpty: leftOut.append("the \(kind.rawValue) table \(name)")
      default:
        throw RepositoryError(
          .unsupported, "repokit can't copy \(name), which is not a plain table",
          reason: "a view has no rows of its own, and another program stores the rows of a virtual table",
          suggestion: "repokit dump writes views and virtual tables too")
      }
    }
    if names.isEmpty {
      leftOut += try store.tableNames().filter { !all.map(\.table).contains(named: $0) }
        .map { "the table \($0), which has no columns" }
    }
    self.leftOut = leftOut
    let copied = definitions.map(\.schema.name)
    let others = try store.tableNames().filter { !copied.contains(named: $0) }
    var keys: [[UInt8]: (name: String, key: [String], columns: [String])] = [:]
    for case (let name, .success(let table)) in all {
      keys[Name(name).folded] = (name, table.declaredKey, table.columns.map(\.schema.name))
    }
    func isKept(_ table: String) -> Bool {
      guard case .leftOut(let present) = parents else { return true }
      return copied.contains { Name($0).equalsFolded(table) } || present.contains { Name($0).equalsFolded(table) }
    }
    tables = try Self.inReferenceOrder(definitions, inheriting).map { definition in
      let name = definition.schema.name
      switch form {
      case .verbatim: return try TableCopy(verbatim: definition, in: store, others: others, isKept: isKept)
      case .server:
        var statements = try store.copiedTable(name)
        statements.references.removeAll { !isKept($0.table) }
        return try TableCopy(server: definition, statements)
      case .portable:
        return try TableCopy(
          portable: definition, in: store,
          hasOtherRows: inheriting.contains { !$0.isPartition && Name($0.parent) == name },
          isKept: isKept, find: { keys[Name($0).folded] })
      }
    }
  }

  /// Returns the names with those of the tables that they refer to, in any number of steps, if these are to be copied.
  private static func adding(
    _ parents: Parents, to names: [String], _ all: [(table: String, result: Result<TableDefinition, RepositoryError>)]
  ) -> [String] {
    guard case .copied = parents else { return names }
    var names = names
    var position = 0
    while position < names.count {
      defer { position += 1 }
      guard let definition = try? all.first(where: { Name($0.table) == names[position] })?.result.get() else {
        continue
      }
      for reference in definition.references {
        guard let parent = all.first(where: { Name($0.table).equalsFolded(reference.table) })?.table else { continue }
        if !names.contains(named: parent) { names.append(parent) }
      }
    }
    return names
  }

  /// Returns the tables in an order in which those that others refer to come first, as far as no references form a cycle.
  private static func inReferenceOrder(
    _ definitions: [TableDefinition], _ inheriting: [InheritingTable]
  ) -> [TableDefinition] {
    var (waiting, ordered) = (definitions, [TableDefinition]())
    while !waiting.isEmpty {
      let names = waiting.map(\.schema.name)
      let index = waiting.firstIndex { definition in
        !definition.references.contains { $0.table != definition.schema.name && names.contains(named: $0.table) }
          && !inheriting.contains { Name($0.name) == definition.schema.name && names.contains(named: $0.parent) }
      }
      ordered.append(waiting.remove(at: index ?? 0))
    }
    return ordered
  }

  private static func readable(
    _ result: Result<TableDefinition, RepositoryError>, of name: String
  ) throws(RepositoryError) -> TableDefinition {
    do throws(RepositoryError) {
      return try result.get()
    } catch {
      throw RepositoryError(
        error.code, "can't copy \(name)",
        reason: [error.summary, error.reason].compactMap(\.self).joined(separator: ": "),
        suggestion: "name the tables to copy, without \(name)")
    }
  }
}

extension SQLDatabase {
  /// The names of the tables whose rows a copy in a database of another kind has in their parents.
  package func mergedTables() throws(RepositoryError) -> [String] { try inheritingTables().map(\.name) }

  /// The tables with rows that refer to missing rows, each with the number of these rows.
  package func brokenReferences() throws(RepositoryError) -> [(table: String, parent: String, count: Int)] {
    let counts = try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.catalog.brokenReferenceCounts()
    }
    return counts.compactMap { tables, count in
      guard case .text(let table)? = tables.first, case .text(let parent)? = tables.last else { return nil }
      return (table, parent, count)
    }.sorted { ($0.table, $0.parent) < ($1.table, $1.parent) }
  }

  fileprivate func inheritingTables() throws(RepositoryError) -> [InheritingTable] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.inspection.inheritingTables() }
  }

  fileprivate func copiedTable(_ name: String) throws(RepositoryError) -> ServerTable {
    let table = try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.copiedTable(name)
    }
    guard let table else { throw RepositoryError(.unsupported, "repokit can't copy \(name) between servers") }
    return table
  }

  fileprivate func isView(_ name: String) throws(RepositoryError) -> Bool {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.catalog.isView(name) }
  }
}

extension InheritingTable {
  /// A note that the table is not copied by itself.
  fileprivate var note: String {
    if isPartition { return "the partition \(name), whose rows are in \(parent)" }
    if ownColumns.isEmpty { return "the table \(name), whose rows are in \(parent)" }
    return
      "the table \(name), whose rows are in \(parent) without \(ownColumns.joined(separator: ", ")); name the table to copy it"
  }
}
