import Query
package import Repository
package import SQLStore

/// A table that is copied into another database.
package struct TableCopy {
  package let name: String
  /// The notes on parts that are left out or changed, a line each.
  package let notes: [String]
  /// The names of tables that the table refers to, other than itself.
  package let parents: [String]
  /// The columns that are written: their names, and their types in the database that is copied.
  private let table: TableSchema
  private let form: Form

  /// The form in which the other database has the table.
  private enum Form {
    /// By the table's own statements, where both databases know the same.
    case verbatim(Verbatim)
    /// By the statements of a server, whose types other programs may have made.
    case server(ServerTable)
    /// By types and rules that SQLite and PostgreSQL have.
    case portable(PortableTable)
  }

  private struct Verbatim {
    /// The statements that make the table and its indexes.
    let statements: [String]
    let triggers: [CopiedTrigger]
    /// The rowid after which those of new rows go on.
    let sequence: Int64?
    /// The rowid, which is copied with each row.
    let rowid: Rowid?
  }

  /// Makes a copy by the table's own statements.
  ///
  /// - Parameters:
  ///   - others: the tables and views that are not copied.
  ///   - isKept: whether a reference to a table is kept.
  init(
    verbatim definition: TableDefinition, in store: SQLDatabase, others: [String], isKept: (String) -> Bool
  ) throws {
    name = definition.schema.name
    parents = definition.references.map(\.table).filter { !Name($0).equalsFolded(definition.schema.name) }
    let computed = definition.columns.filter { $0.generatedBy != nil }.map(\.schema.name)
    let key = definition.schema.primaryKeyColumns.map(\.name)
    let triggers = CopiedTrigger.all(of: definition, others: others)
    let rowid: Rowid?
    var notes: [String] = []
    switch try Rowid.find(of: definition, in: store) {
    case .none: (rowid, notes) = (nil, [])
    case .found(let found): (rowid, notes) = (found, [])
    case .unreadable: (rowid, notes) = (nil, ["the rows get new rowids, because no statement can read rowids"])
    }
    var statements = Array(definition.statements.dropLast(triggers.count))
    let dropped = Set(definition.references.map(\.table).filter { !isKept($0) })
    if !dropped.isEmpty, !statements.isEmpty {
      statements[0] = ReferenceClauses.removing(referencesTo: dropped, from: statements[0])
      notes += definition.references.filter { dropped.contains($0.table) }.map {
        "skipped the reference (\($0.columns.joined(separator: ", "))) to \($0.table)"
      }
    }
    self.notes = notes
    form = .verbatim(
      Verbatim(
        statements: statements, triggers: triggers,
        sequence: try store.sequence(ofTable: name), rowid: rowid))
    table = try TableSchema(
      name, columns: definition.schema.columns.filter { !computed.contains(named: $0.name) },
      primaryKey: key.contains { computed.contains(named: $0) } ? [] : key)
  }

  /// Makes a copy for another server of the same kind.
  init(server definition: TableDefinition, _ statements: ServerTable) throws(QueryError) {
    name = definition.schema.name
    notes = []
    parents = statements.references.map(\.table)
    form = .server(statements)
    table = try TableSchema(
      name, columns: statements.columns.map { ColumnSchema($0.name, .text, isNullable: true) }, primaryKey: [])
  }

  /// Makes a copy for another kind of database.
  ///
  /// - Parameters:
  ///   - hasOtherRows: whether the table shows rows of tables that inherit.
  ///   - isKept: whether a reference to a table is kept.
  ///   - find: returns the key of a table by its name in whatever case, with its own name; `nil` where there is none.
  init(
    portable definition: TableDefinition, in store: SQLDatabase, hasOtherRows: Bool, isKept: (String) -> Bool,
    find: (String) -> (name: String, key: [String], columns: [String])?
  ) throws {
    name = definition.schema.name
    let queried = try store.queriedTable(name)
    let key = definition.declaredKey
    let nullable = queried.schema.columns.filter { $0.isNullable && key.contains(named: $0.name) }
    let sought = queried.schema.columns.filter {
      ($0.declaredType != nil || $0.type == .any) && $0.nativeType != .shown || nullable.contains(named: $0.name)
    }
    let held = try HeldValues(of: sought, in: queried.schema, of: store)
    var portable = PortableTable(definition, holding: held, find: find)
    var changes: [String] = []
    let nulls = nullable.filter { held.columns[Name($0.name)]?.hasNull == true }.map(\.name)
    if !nulls.isEmpty {
      portable.loseKey()
      changes.append("\(nulls.joined(separator: ", ")) may be null, so that the key becomes a unique index")
    } else if hasOtherRows, !key.isEmpty,
      try !store.duplicates(of: key, in: queried.schema, limit: 1).isEmpty
    {
      portable.dropKey()
      changes.append(
        "rows of inheriting tables have the same \(key.joined(separator: ", ")), so that the copy has no key")
    } else if !nullable.isEmpty {
      portable.requireKey()
      let names = nullable.map(\.name).joined(separator: ", ")
      changes.append("\(names) may not be null in the copy, as \(nullable.count == 1 ? "a part" : "parts") of the key")
    }
    let dropped = portable.dropReferences { !isKept($0) }
    notes = PortableNotes(table: portable, definition: definition, shown: queried.shown, held: held)
      .lines(key: changes, references: dropped)
    parents = portable.references.map(\.table).filter { Name($0) != definition.schema.name }
    form = .portable(portable)
    table = queried.schema
  }

  package func create(in transaction: SQLTransaction) throws {
    switch form {
    case .verbatim(let original): for sql in original.statements.prefix(1) { try transaction.execute(sql) }
    case .server(let original):
      for sql in original.preparations + original.creations { try transaction.execute(sql) }
    case .portable(let table):
      let statements = try transaction.statements(of: table)
      try statements.checkNames()
      try transaction.execute(statements.creation)
    }
  }

  /// Makes what slows the writing of rows down, or would change them.
  ///
  /// - Parameter present: the tables and views that the other database had before.
  /// - Returns: what is left out, since it needs what is not there, a line each.
  package func finish(in transaction: SQLTransaction, beside present: [String]) throws -> [String] {
    switch form {
    case .verbatim(let original): return try finish(original, in: transaction, beside: present)
    case .server(let original):
      for sql in original.completions { try transaction.execute(sql) }
      return []
    case .portable(let table):
      for sql in try transaction.statements(of: table).indexes { try transaction.execute(sql) }
      return []
    }
  }

  /// Adds the references of a server, for which the rows of all tables have to be there, and the triggers, which other rows would
  /// set off.
  ///
  /// - Returns: what is left out, since it needs what is not there, a line each.
  package func addReferences(in transaction: SQLTransaction) throws -> [String] {
    switch form {
    case .verbatim: return []
    case .portable(let table):
      for sql in try transaction.statements(of: table).references { try transaction.execute(sql) }
      return []
    case .server(let original):
      for reference in original.references { try transaction.execute(reference.part.sql) }
      var leftOut: [String] = []
      for trigger in original.triggers {
        do {
          try transaction.blocking.transaction { try $0.base.execute(trigger.sql) }
        } catch let error as RepositoryError {
          leftOut.append("skipped \(trigger.name): \(error.reason ?? error.summary)")
        }
      }
      return leftOut
    }
  }

  private func finish(
    _ original: Verbatim, in transaction: SQLTransaction, beside present: [String]
  ) throws -> [String] {
    for sql in original.statements.dropFirst() { try transaction.execute(sql) }
    var leftOut: [String] = []
    for trigger in original.triggers {
      guard let missing = trigger.needed.first(where: { !present.contains(named: $0) }) else {
        try transaction.execute(trigger.statement)
        continue
      }
      leftOut.append("skipped the trigger \(trigger.name), which needs \(missing); \(missing) is not copied")
    }
    if let sequence = original.sequence { try transaction.setSequence(sequence, ofTable: name) }
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
    if case .server(let original) = form {
      return try ServerRows(of: name, original).copy(from: store, to: transaction, note: note)
    }
    let target = try writtenTable(in: transaction)
    let writer = transaction.writer(for: target, replacing: false)
    let size = max(500, writer.rowsWrittenTogether)
    var batch: [[Value]] = []
    var count = 0
    func flush() throws {
      if batch.isEmpty { return }
      _ = try writer.write(batch) { insertion, position in
        let row = batch[position]
        for (position, value) in row.enumerated() { try insertion.bindUnchecked(value, at: position) }
        return try insertion.insert(leavingOutOnFailure: false) { row }
      }
      count += batch.count
      batch = []
      try note(count)
    }
    // An error of the other database ends the reading, and is none of the database that is read.
    var failure: (any Error)?
    try forEachRow(of: store) { row in
      batch.append(written(row, target))
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

  /// Returns the values of a row as the other database has them.
  private func written(_ row: [Value], _ target: TableSchema) -> [Value] {
    guard case .portable = form else { return row }
    return row.indices.map { position in
      let value = table.columns[position].portable(row[position])
      return value.converted(to: target.columns[position].type) ?? value
    }
  }

  private var rowid: Rowid? {
    if case .verbatim(let original) = form { original.rowid } else { nil }
  }

  /// The columns that are written, with the rowid in front if that is copied, and of another kind of database as that has made
  /// them.
  private func writtenTable(in transaction: SQLTransaction) throws -> TableSchema {
    if let rowid {
      return try TableSchema(
        name, columns: [rowid.column] + table.columns, primaryKey: table.primaryKeyColumns.map(\.name))
    }
    guard case .portable = form else { return table }
    return try transaction.performBlocking(.read) { connection throws(RepositoryError) in
      try connection.catalog.requiredSchema(ofTable: name)
    }
  }

  private func forEachRow(of store: SQLDatabase, _ body: ([Value]) -> Bool) throws(CopySourceError) {
    do throws(RepositoryError) {
      if let rowid { return try rowid.forEachRow(of: table, table.columns, in: store, body) }
      let source = try store.queriedTable(name).schema
      let request = ProjectionRequest(table.columns.map { .key($0.name) })
      try store.blocking.repository(Schema(source)).forEachRow(request, isSorted: false, body)
    } catch {
      throw CopySourceError(error: error)
    }
  }
}

extension SQLTransaction {
  fileprivate func statements(of table: PortableTable) throws(RepositoryError) -> PortableStatements {
    try performBlocking(.read) { connection throws(RepositoryError) in
      PortableStatements(of: table, in: try connection.inspection.language, connection.compiler)
    }
  }
}

/// The error of the database that is copied, beside those of the one into which it is copied.
package struct CopySourceError: Error {
  package let error: RepositoryError
}

extension SQLDatabase {
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
