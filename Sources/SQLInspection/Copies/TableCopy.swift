import Query
package import Repository
package import SQLStore

/// A table that is copied into another database.
package struct TableCopy {
  package let name: String
  /// The notes on parts that are left out or changed, a line each.
  package let notes: [String]
  /// The columns that are written, as the other database has them.
  private let table: TableSchema
  private let form: Form

  /// The form in which the other database has the table.
  private enum Form {
    /// By the table's own statements, where both databases know the same.
    case verbatim(Verbatim)
    /// By types and rules that any database has.
    case portable(indexes: [IndexDescription], source: [ColumnSchema])
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
  /// - Parameter others: the tables and views that are not copied.
  init(verbatim definition: TableDefinition, in store: SQLDatabase, others: [String]) throws {
    name = definition.schema.name
    let computed = definition.columns.filter { $0.generatedBy != nil }.map(\.schema.name)
    let key = definition.schema.primaryKeyColumns.map(\.name)
    let triggers = CopiedTrigger.all(of: definition, others: others)
    let rowid: Rowid?
    switch try Rowid.find(of: definition, in: store) {
    case .none: (rowid, notes) = (nil, [])
    case .found(let found): (rowid, notes) = (found, [])
    case .unreadable: (rowid, notes) = (nil, ["the rows get new rowids, because no statement can read rowids"])
    }
    form = .verbatim(
      Verbatim(
        statements: definition.statements.dropLast(triggers.count), triggers: triggers,
        sequence: try store.sequence(ofTable: name), rowid: rowid))
    table = try TableSchema(
      name, columns: definition.schema.columns.filter { !computed.contains(named: $0.name) },
      primaryKey: key.contains { computed.contains(named: $0) } ? [] : key)
  }

  /// Makes a copy for another kind of database.
  init(portable definition: TableDefinition, in store: SQLDatabase) throws {
    name = definition.schema.name
    let portable = try definition.portable()
    let queried = try store.queriedTable(name)
    var notes = portable.leftOut.isEmpty ? [] : ["skipped \(portable.leftOut.joined(separator: ", "))"]
    notes += queried.shown.map { "\($0.column) (\($0.type)) becomes text" }
    var columns = portable.table.columns.filter { queried.schema.columns.contains(named: $0.name) }
    notes += queried.schema.columns.filter { $0.nativeType?.isNumeric == true }.map {
      "\($0.name) becomes text, to keep its digits"
    }
    let present = queried.schema.columns.filter {
      ($0.declaredType != nil || $0.type == .any) && $0.nativeType != .shown && columns.contains(named: $0.name)
    }
    let types = try HeldTypes(of: present, in: queried.schema, of: store)
    for (name, type) in types.types {
      guard let position = columns.firstIndex(named: name), columns[position].type != type else { continue }
      columns[position] = columns[position].retyped(type)
      notes.append("\(name) becomes \(type), to fit its values")
    }
    let kept = { (names: [String]) in names.allSatisfy { columns.contains(named: $0) } }
    table = try TableSchema(
      name, columns: columns, primaryKey: portable.table.primaryKeyColumns.map(\.name),
      unique: portable.table.uniqueSets.map { $0.map { portable.table.columns[$0].name } }.filter(kept),
      references: portable.table.references)
    form = .portable(
      indexes: portable.indexes.filter { kept($0.columns.compactMap(\.self)) },
      source: columns.map { queried.schema.columns.first(named: $0.name) ?? $0 })
    self.notes = notes
  }

  package func create(in transaction: SQLTransaction) throws {
    switch form {
    case .verbatim(let original): for sql in original.statements.prefix(1) { try transaction.execute(sql) }
    case .portable(let indexes, _):
      try transaction.create(table)
      if hasDeferredReferences { try create(indexes, in: transaction) }
    }
  }

  /// Makes what slows the writing of rows down, or would change them.
  ///
  /// - Parameter present: the tables and views that the other database had before.
  /// - Returns: what is left out, since it needs what is not there, a line each.
  package func finish(in transaction: SQLTransaction, beside present: [String]) throws -> [String] {
    switch form {
    case .verbatim(let original): return try finish(original, in: transaction, beside: present)
    case .portable(let indexes, _):
      if !hasDeferredReferences { try create(indexes, in: transaction) }
      return []
    }
  }

  /// Whether checks of the rows are pending until the transaction ends. PostgreSQL makes no index of such a table, so that its
  /// indexes are made before the rows.
  private var hasDeferredReferences: Bool { table.references.contains(where: \.isDeferred) }

  private func create(_ indexes: [IndexDescription], in transaction: SQLTransaction) throws {
    for index in indexes {
      let keys = index.terms.compactMap { term in term.column.map { (column: $0, isDescending: term.isDescending) } }
      try transaction.createIndex(index.name, on: keys, of: table, isUnique: index.isUnique)
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
    let writer = transaction.writer(for: try writtenTable(), replacing: false)
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
      batch.append(written(row))
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
  private func written(_ row: [Value]) -> [Value] {
    switch form {
    case .verbatim: row
    case .portable(_, let source):
      row.indices.map { position in
        let value = source[position].portable(row[position])
        return value.converted(to: table.columns[position].type) ?? value
      }
    }
  }

  private var rowid: Rowid? {
    if case .verbatim(let original) = form { original.rowid } else { nil }
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
      try store.blocking.repository(Schema(source)).forEachRow(request, isSorted: false, body)
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
