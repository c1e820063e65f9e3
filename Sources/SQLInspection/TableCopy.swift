import Query
package import Repository
package import SQLStore

/// The tables of one database that are copied into another, those that others refer to first.
package struct DatabaseCopy {
  package let tables: [TableCopy]
  /// What is left out, since it has no rows of its own: views and virtual tables.
  package let leftOut: [String]

  /// Finds out what is to be copied, from the state of the database in which the rows are read afterwards.
  ///
  /// - Parameters:
  ///   - names: the tables; all where there are none.
  ///   - isVerbatim: whether the other database takes the statements of this one.
  /// - Throws: ``/Repository/RepositoryError`` for what can't be copied, or can't be read.
  package init(of store: SQLDatabase, tables names: [String], isVerbatim: Bool) throws {
    for name in names { _ = try store.schema(ofTable: name) }
    var definitions: [TableDefinition] = []
    var leftOut: [String] = []
    for (name, result) in try store.definitions() where names.isEmpty || names.contains(named: name) {
      if names.isEmpty, try store.isView(name) {
        leftOut.append("the view \(name)")
        continue
      }
      let definition = try Self.readable(result, of: name)
      switch definition.kind {
      case .table: definitions.append(definition)
      case .shadow where names.isEmpty: break
      case let kind where names.isEmpty: leftOut.append("the \(kind.rawValue) table \(name)")
      default:
        throw RepositoryError(
          .unsupported, "\(name) is no table that could be copied",
          reason: "a view has no rows of its own, and those of a virtual table are another program's",
          suggestion: "repokit dump writes views and virtual tables, too")
      }
    }
    self.leftOut = leftOut
    let copied = definitions.map(\.schema.name)
    let others = try store.tableNames().filter { !copied.contains(named: $0) }
    var tables: [TableCopy] = []
    while !definitions.isEmpty {
      let waiting = definitions.map(\.schema.name)
      let index =
        definitions.firstIndex { definition in
          !definition.references.contains { $0.table != definition.schema.name && waiting.contains(named: $0.table) }
        } ?? 0
      tables.append(try TableCopy(of: definitions.remove(at: index), in: store, others: others, isVerbatim: isVerbatim))
    }
    self.tables = tables
  }

  private static func readable(
    _ result: Result<TableDefinition, RepositoryError>, of name: String
  ) throws(RepositoryError) -> TableDefinition {
    do throws(RepositoryError) {
      return try result.get()
    } catch {
      throw RepositoryError(
        error.code, "\(name) can't be copied",
        reason: [error.summary, error.reason].compactMap(\.self).joined(separator: ": "),
        suggestion: "name the tables to copy without it")
    }
  }
}

/// A table that is copied into another database.
package struct TableCopy {
  package let name: String
  /// What is left out or changed, a line each.
  package let notes: [String]
  /// The columns that are written, as the other database has them.
  private let table: TableSchema
  /// The statements that make it and its indexes, where both databases know the same.
  private let statements: [String]
  private let triggers: [CopiedTrigger]
  private let indexes: [IndexDescription]
  /// The rowid after which those of new rows go on.
  private let sequence: Int64?
  /// The rowid, which is copied with each row.
  private let rowid: Rowid?

  /// - Parameter others: the tables and views that are not copied.
  init(of definition: TableDefinition, in store: SQLDatabase, others: [String], isVerbatim: Bool) throws {
    name = definition.schema.name
    if isVerbatim {
      let computed = definition.columns.filter { $0.generatedBy != nil }.map(\.schema.name)
      let key = definition.schema.primaryKeyColumns.map(\.name)
      triggers = CopiedTrigger.all(of: definition, others: others)
      statements = definition.statements.dropLast(triggers.count)
      indexes = []
      switch try Rowid.find(of: definition, in: store) {
      case .none: (rowid, notes) = (nil, [])
      case .found(let found): (rowid, notes) = (found, [])
      case .unreadable:
        (rowid, notes) = (nil, ["its rows get new rowids, which no statement can read"])
      }
      sequence = try store.sequence(ofTable: name)
      table = try TableSchema(
        name, columns: definition.schema.columns.filter { !computed.contains(named: $0.name) },
        primaryKey: key.contains { computed.contains(named: $0) } ? [] : key)
      return
    }
    (statements, triggers) = ([], [])
    (sequence, rowid) = (nil, nil)
    let portable = try definition.portable()
    let queried = try store.queriedTable(name)
    var notes = portable.leftOut.isEmpty ? [] : ["left out: \(portable.leftOut.joined(separator: ", "))"]
    notes += queried.leftOut.map { "the column \($0.column) (\($0.type)) is left out" }
    var columns = portable.table.columns.filter { queried.schema.columns.contains(named: $0.name) }
    let present = definition.columns.map(\.schema).filter { $0.declaredType != nil || $0.type == .any }
    let types = try HeldTypes(of: present.filter { columns.contains(named: $0.name) }, in: definition.schema, of: store)
    for (name, type) in types.types {
      guard let position = columns.firstIndex(named: name), columns[position].type != type else { continue }
      columns[position] = columns[position].retyped(type)
      notes.append("\(name) becomes \(type), by what it holds")
    }
    let kept = { (names: [String]) in names.allSatisfy { columns.contains(named: $0) } }
    table = try TableSchema(
      name, columns: columns, primaryKey: portable.table.primaryKeyColumns.map(\.name),
      unique: portable.table.uniqueSets.map { $0.map { portable.table.columns[$0].name } }.filter(kept),
      references: portable.table.references)
    indexes = portable.indexes.filter { kept($0.columns.compactMap(\.self)) }
    self.notes = notes
  }

  package func create(in transaction: SQLTransaction) throws {
    if statements.isEmpty { try transaction.create(table) } else { try transaction.execute(statements[0]) }
  }

  /// Makes what slows the writing of rows down, or would change them.
  ///
  /// - Parameter present: the tables and views that the other database had before.
  /// - Returns: what is left out, since it needs what is not there, a line each.
  package func finish(in transaction: SQLTransaction, beside present: [String]) throws -> [String] {
    for sql in statements.dropFirst() { try transaction.execute(sql) }
    var leftOut: [String] = []
    for trigger in triggers {
      guard let missing = trigger.needed.first(where: { !present.contains(named: $0) }) else {
        try transaction.execute(trigger.statement)
        continue
      }
      leftOut.append("left out: the trigger \(trigger.name), since it needs \(missing), which is not copied")
    }
    for index in indexes {
      let keys = index.terms.compactMap { term in term.column.map { (column: $0, isDescending: term.isDescending) } }
      try transaction.createIndex(index.name, on: keys, of: table, isUnique: index.isUnique)
    }
    if let sequence { try transaction.setSequence(sequence, ofTable: name) }
    return leftOut
  }

  /// Writes the rows.
  ///
  /// - Parameter note: is told every now and then how many there are.
  /// - Returns: how many rows there are.
  /// - Throws: ``CopySourceError`` for what can't be read, and errors of the other database.
  package func write(
    from store: SQLDatabase, to transaction: SQLTransaction, note: (Int) throws -> Void
  ) throws -> Int {
    let writer = transaction.writer(for: try writtenTable(), replacing: false)
    let size = max(500, writer.rowsWrittenTogether)
    var batch: [[Value]] = []
    var count = 0
    func flush() throws {
      if batch.isEmpty { return }
      var isWritten = false
      if writer.rowsWrittenTogether > 0 { isWritten = try writer.writeTogether(batch) != nil }
      if !isWritten {
        try writer.writeEach { insertion in
          for row in batch {
            for (position, value) in row.enumerated() { try insertion.bindUnchecked(value, at: position) }
            _ = try insertion.insert(leavingOutOnFailure: false) { row }
          }
        }
      }
      count += batch.count
      batch = []
      try note(count)
    }
    var failure: (any Error)?
    try forEachRow(of: store) { row in
      batch.append(statements.isEmpty ? zip(row, table.columns).map { $0.converted(to: $1.type) ?? $0 } : row)
      if batch.count < size { return true }
      do {
        try flush()
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    try flush()
    return count
  }

  /// The columns that are written, with the rowid in front if that is copied.
  private func writtenTable() throws(QueryError) -> TableSchema {
    guard let rowid else { return table }
    return try TableSchema(
      name, columns: [rowid.column] + table.columns, primaryKey: table.primaryKeyColumns.map(\.name))
  }

  private func forEachRow(of store: SQLDatabase, _ body: ([Value]) -> Bool) throws(CopySourceError) {
    do throws(RepositoryError) {
      if let rowid { return try rowid.forEachRow(of: table, table.columns, in: store, body) }
      let source = try store.queriedTable(name).schema
      let request = ProjectionRequest(table.columns.map { .key($0.name) })
      try store.repository(for: Schema(source)).forEachRow(request, isSorted: false, body)
    } catch {
      throw CopySourceError(error: error)
    }
  }
}

/// The error of the database that is copied, beside those of the one into which it is copied.
package struct CopySourceError: Error {
  package let error: RepositoryError
}

extension SQLDatabase {
  fileprivate func isView(_ name: String) throws(RepositoryError) -> Bool {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.catalog.isView(name) }
  }

  fileprivate func sequence(ofTable name: String) throws(RepositoryError) -> Int64? {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.inspection.sequence(ofTable: name) }
  }
}

extension SQLTransaction {
  fileprivate func setSequence(_ sequence: Int64, ofTable name: String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.inspection.setSequence(sequence, ofTable: name)
    }
  }
}
