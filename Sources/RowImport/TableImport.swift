package import Query
import Repository
import SQLInspection
package import SQLStore

/// An import of the records of files into a table, all or none.
package struct TableImport {
  /// The request.
  package struct Job {
    package var table: String
    /// The names of a new table's key columns.
    package var key: [String]
    /// The types of a new table's columns that are not inferred from the files.
    package var types: [(column: String, type: ValueType)]
    package let mode: ImportMode
    /// Whether the import is undone at its end.
    package var isDryRun: Bool
    /// Whether rows that can't be imported are left out.
    package var skipsBadRows: Bool
    /// The names of the columns by which a row replaces another; empty for those of the primary key. In a new table, each of the
    /// columns is unique.
    package var uniqueColumns: [String]
    /// Whether an existing table gets the columns that it lacks, and types that fit the files.
    package var isWidening: Bool
    /// References of a new table's columns; rows that violate them are accepted.
    package var references: [ReferenceRule]

    package init(
      table: String, key: [String] = [], types: [(column: String, type: ValueType)] = [], mode: ImportMode,
      isDryRun: Bool = false, skipsBadRows: Bool = false, uniqueColumns: [String] = [], isWidening: Bool = false,
      references: [ReferenceRule] = []
    ) {
      self.references = references
      (self.table, self.key, self.types, self.mode) = (table, key, types, mode)
      (self.isDryRun, self.skipsBadRows) = (isDryRun, skipsBadRows)
      (self.uniqueColumns, self.isWidening) = (uniqueColumns, isWidening)
    }
  }

  private let job: Job
  private let inputs: [InputFile]
  private let store: SQLDatabase
  private let observer: any ImportObserver
  private let units = NumberUnits()

  package init(_ job: Job, of inputs: [InputFile], into store: SQLDatabase, _ observer: any ImportObserver) {
    (self.job, self.inputs, self.store, self.observer) = (job, inputs, store, observer)
    for input in inputs { input.units = units }
  }

  /// Imports the files.
  ///
  /// - Throws: ``ImportError``, ``RepositoryError``, and errors of the observer; nothing is imported then.
  package func run() throws -> ImportReport {
    defer { observer.endWork() }
    return switch job.mode {
    case .append, .upsert: try addRows()
    case .create, .replace: try makeTable()
    }
  }

  private func makeTable() throws -> ImportReport {
    // An existing table is refused before the files are read, which may take long.
    let former = try formerTable()
    let formerCount = try former.map { former in try store.rowCount(ofTable: former.name) }
    let dateNotes = try findDates()
    observer.beginWork("finding types", total: size)
    let look = RecordCursor(skipsBadRows: job.skipsBadRows, isFirstPass: true, observer)
    let inference = TableInference(
      name: job.table, key: job.key, types: job.types, uniqueColumns: job.uniqueColumns, references: job.references)
    let (schema, notes) = try inference.schema(of: inputs) { reader, body in
      while try look.next(in: reader) { try look.use(reader) { try body(reader) } }
    }
    observer.beginWork("importing \(job.table)", total: size)
    let result = try transaction(former == nil && job.references.isEmpty ? .writing : .rebuilding) { transaction in
      let replacement = try former.map { former in try transaction.drop(former, for: schema) }
      try create(schema, transaction)
      try replacement?.restoreIndexes()
      let result = try write(to: ImportTarget(schema), transaction)
      try replacement?.finish()
      return result
    }
    return report(
      (result.inserted, nil, result.skipped), schema, formerCount ?? 0, former?.references.map(\.table) ?? [],
      notes: dateNotes + notes)
  }

  /// Creates the table.
  ///
  /// - Throws: ``ImportError`` if the database does not support the type of a column.
  private func create(_ schema: TableSchema, _ transaction: SQLTransaction) throws {
    do throws(RepositoryError) {
      try transaction.create(schema)
    } catch {
      guard error.code == .unsupported else { throw error }
      throw ImportError(
        error.summary, details: [error.reason, error.suggestion, "--types sets the types of the new columns"])
    }
  }

  private func addRows() throws -> ImportReport {
    let schema: TableSchema
    do throws(RepositoryError) {
      schema = try store.schema(ofTable: job.table)
    } catch {
      guard error.code == .missingTable else { throw error }
      throw ImportError(
        error.summary,
        details: [error.reason, error.suggestion, "without --append and --upsert, import creates a table"],
        isUsageError: true)
    }
    let key = try replacedKey(of: schema)
    let (computed, defaulted) = (
      try store.computedColumns(ofTable: job.table), try store.columnsWithDefault(ofTable: job.table)
    )
    let dateNotes = try findDates()
    let formNotes = try formNotes(schema)
    let widening = job.isWidening ? try widening(of: schema, without: computed) : nil
    let target = ImportTarget(
      try widening?.schema ?? schema, computed: computed, defaulted: defaulted, key: key, canWiden: !job.isWidening)
    observer.beginWork("importing \(job.table)", total: size)
    let rows = try transaction(widening?.isRebuild == true ? .rebuilding : .writing) { transaction in
      guard let widening else { return try writeCounting(to: target, transaction) }
      return try widening.apply(in: transaction) { try writeCounting(to: target, transaction) }
    }
    return report(
      rows, target.table, notes: dateNotes + formNotes + units.notes(of: job.table) + (widening?.notes ?? []))
  }

  /// The notes on dates and Booleans that the files write in another form than the table has.
  private func formNotes(_ table: TableSchema) throws -> [String] {
    let notations = ColumnNotations(of: table, in: store)
    return try inputs.flatMap { input in notations.notes(on: try input.reader(RecordNames()), of: input.name) }
  }

  /// Finds the columns that hold dates in the requested order, in all files together.
  ///
  /// - Returns: the notes about columns of which only some values are dates.
  private func findDates() throws -> [String] {
    guard let order = inputs.lazy.compactMap(\.dateOrder).first else { return [] }
    observer.beginWork("finding dates", total: size)
    var columns = DateColumnSearch(order)
    let look = RecordCursor(skipsBadRows: job.skipsBadRows, isFirstPass: true, observer)
    for input in inputs {
      let reader = try input.reader(RecordNames())
      columns.begin(reader)
      while try look.next(in: reader) { try look.use(reader) { columns.observe(reader, of: input.name) } }
    }
    for input in inputs { input.dateColumns = columns.names }
    return columns.notes
  }

  /// Returns the changes that the table needs for the files; `nil` if it needs none.
  private func widening(of schema: TableSchema, without computed: [String]) throws -> TableWidening? {
    observer.beginWork("finding types", total: size)
    var widening = TableWidening(of: schema, without: computed)
    let look = RecordCursor(skipsBadRows: job.skipsBadRows, isFirstPass: true, observer)
    for input in inputs {
      let columns = try TableInference(name: job.table, key: [], types: []).columns(of: [input]) { reader, body in
        while try look.next(in: reader) { try look.use(reader) { try body(reader) } }
      }
      try widening.take(columns)
    }
    return widening.isEmpty ? nil : widening
  }

  /// Returns the positions of the columns by which a record replaces a row; `nil` if each record adds a row.
  private func replacedKey(of table: TableSchema) throws -> [Int]? {
    guard job.mode == .upsert else { return nil }
    if job.uniqueColumns.isEmpty {
      if table.primaryKey.isEmpty { throw try withoutKey(table) }
      return table.primaryKey
    }
    let key = try job.uniqueColumns.map { name throws(ImportError) in
      do throws(QueryError) {
        return try table.position(of: name)
      } catch {
        throw ImportError("--by: \(error.summary)", details: [error.reason, error.suggestion], isUsageError: true)
      }
    }
    let names = Set(key.map { Name(table.columns[$0].name) })
    let isUnique =
      try Set(key) == Set(table.primaryKey)
      || (store.indexes(ofTable: table.name)).contains { index in
        index.isUnique && index.condition == nil && Set(index.columns.map { $0.map(Name.init) }) == names
      }
    if isUnique { return key }
    let list = job.uniqueColumns.joined(separator: " and ")
    throw ImportError(
      "several rows of \(table.name) can have the same \(list)",
      details: [
        "--by needs columns that are unique together",
        "repokit index add makes the columns unique: index add DATABASE \(table.name) "
          + "\(job.uniqueColumns.joined(separator: " ")) --unique",
      ], isUsageError: true)
  }

  /// Returns the error for a table whose rows can't be found by a key.
  private func withoutKey(_ table: TableSchema) throws(RepositoryError) -> ImportError {
    let nullable = try store.declaredKey(of: table).filter(\.isNullable).map(\.name)
    return ImportError(
      nullable.isEmpty
        ? "\(table.name) has no primary key"
        : "the primary key of \(table.name) can be null: \(nullable.joined(separator: ", "))",
      details: [
        nullable.isEmpty ? nil : "any number of rows can have a null key, so the key does not identify a row",
        "--upsert replaces the row with the same key, or with the same values in the columns of --by",
        "--append adds rows without looking for existing rows",
      ], isUsageError: true)
  }

  private var size: Int { inputs.reduce(0) { $0 + $1.size } }

  private func report(
    _ rows: (inserted: Int, new: Int?, skipped: Int), _ table: TableSchema, _ formerCount: Int = 0,
    _ formerReferences: [String] = [], notes: [String] = []
  ) -> ImportReport {
    ImportReport(
      mode: job.mode, isDryRun: job.isDryRun, count: rows.inserted, newCount: rows.new, skipped: rows.skipped,
      table: table,
      uniqueColumns: job.uniqueColumns, formerCount: formerCount, formerReferences: formerReferences,
      notes: inputs.flatMap(\.notes) + notes)
  }

  /// Returns the existing table that a new one would replace, if there is one.
  ///
  /// - Throws: ``ImportError`` if the table exists, and the mode does not allow for that.
  private func formerTable() throws -> TableSchema? {
    guard let name = try store.tableNames().first(foldedNamed: job.table) else { return nil }
    if job.mode == .create {
      throw ImportError(
        "the table \(name) already exists",
        details: [
          "--append adds the rows to the table", "--upsert adds the rows, or replaces rows with the same key",
          "--replace drops the table and creates it again",
        ])
    }
    return try store.schema(ofTable: name)
  }

  private func transaction<Result>(
    _ kind: TransactionKind = .writing, _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    if job.isDryRun { return try store.blocking.dryRun(kind, body) }
    return try store.blocking.transaction(kind) { transaction in
      let result = try body(transaction)
      // This is the last moment at which the import can be undone.
      try observer.checkCancellation()
      return result
    }
  }

  /// Writes the rows, and counts those that replace no other.
  private func writeCounting(
    to target: ImportTarget, _ transaction: SQLTransaction
  ) throws -> (inserted: Int, new: Int?, skipped: Int) {
    let countBefore = try job.mode == .upsert ? transaction.rowCount(ofTable: target.table.name) : nil
    let rows = try write(to: target, transaction)
    // A trigger can add and delete other rows.
    let new = try countBefore.map { before in
      min(max(0, try transaction.rowCount(ofTable: target.table.name) - before), rows.inserted)
    }
    return (rows.inserted, new, rows.skipped)
  }

  private func write(
    to target: ImportTarget, _ transaction: SQLTransaction
  ) throws -> (inserted: Int, skipped: Int) {
    var inserted = 0
    let cursor = RecordCursor(skipsBadRows: job.skipsBadRows, observer)
    for input in inputs {
      let reader = try input.reader(RecordNames(of: target))
      let bindings = try RowBindings(reader, of: input.name, to: target, in: transaction)
      var hasRecord = try cursor.next(in: reader)
      while hasRecord {
        guard let binding = try bindings.binding(of: reader) else {
          try cursor.use(reader) { throw RowBindings.empty(in: input.name, line: reader.line) }
          hasRecord = try cursor.next(in: reader)
          continue
        }
        if binding.writer.rowsWrittenTogether > 0 {
          let batch = RowBatch(of: binding, leavingOutBadRows: job.skipsBadRows, cursor)
          hasRecord = try batch.write(from: reader)
          inserted += batch.insertedCount
          continue
        }
        // Records that name the same columns are written by one statement.
        try binding.writer.writeEach { insertion in
          repeat {
            try cursor.use(reader) {
              if try binding.insert(reader, insertion, leavingOutOnFailure: job.skipsBadRows) { inserted += 1 }
            }
            hasRecord = try cursor.next(in: reader)
          } while hasRecord && binding.fits(reader)
        }
      }
    }
    return (inserted, cursor.skipped)
  }
}

/// The treatment of an existing table.
package enum ImportMode: Sendable {
  /// The table must not exist.
  case create
  /// Rows are added; a key that exists is a conflict.
  case append
  /// A new table replaces the existing one.
  case replace
  /// Rows are added, or replace those with the same key.
  case upsert
}

extension RecordNames {
  /// Makes the names of a table's columns; other names are errors.
  fileprivate convenience init(of target: ImportTarget) {
    self.init(target.table.columns.map(\.name)) { name throws(ImportError) in try target.position(of: name) }
  }
}
