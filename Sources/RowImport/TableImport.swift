package import Query
import Repository
import SQLStore
import SQLiteInspection
package import SQLiteStore

/// Puts the records of files into a table, all or none.
package struct TableImport {
  /// What is to be done.
  package struct Job {
    package let table: String
    /// The names of a new table's key columns.
    package var key: [String] = []
    /// The types of a new table's columns that are not left to the files.
    package var types: [(column: String, type: ValueType)] = []
    package let mode: ImportMode
    /// Whether everything is undone in the end.
    package var isDryRun = false
    /// Whether rows that can't be imported are left out.
    package var skipsBadRows = false

    package init(
      table: String, key: [String] = [], types: [(column: String, type: ValueType)] = [], mode: ImportMode,
      isDryRun: Bool = false, skipsBadRows: Bool = false
    ) {
      (self.table, self.key, self.types, self.mode) = (table, key, types, mode)
      (self.isDryRun, self.skipsBadRows) = (isDryRun, skipsBadRows)
    }
  }

  /// The number of rows between two progress reports: a power of two.
  private static let rowsPerReport = 1 << 10
  /// The most rows that are left out of which the observer is told.
  private static let reportedRows = 10

  private let job: Job
  private let inputs: [InputFile]
  private let store: SQLiteStore
  private let observer: any ImportObserver

  package init(_ job: Job, of inputs: [InputFile], into store: SQLiteStore, _ observer: any ImportObserver) {
    (self.job, self.inputs, self.store, self.observer) = (job, inputs, store, observer)
  }

  /// Imports the files.
  ///
  /// - Throws: ``ImportError``, ``RepositoryError``, and what the observer throws; nothing is imported then.
  package func run() throws -> ImportReport {
    defer { observer.endWork() }
    return switch job.mode {
    case .append, .upsert: try addRows()
    case .create, .replace: try makeTable()
    }
  }

  private func makeTable() throws -> ImportReport {
    // Before the files are read, which may take long.
    let former = try formerTable()
    let formerCount = try former.map { former in try store.rowCount(ofTable: former.name) }
    observer.beginWork("finding types", total: size)
    var progress = Progress()
    let schema = try TableInference(name: job.table, key: job.key, types: job.types).schema(of: inputs) {
      input, reader, body in
      try read(input, reader, &progress, isFirstLook: true) { reader in try body(reader) }
    }
    observer.beginWork("importing \(job.table)", total: size)
    var skipped = 0
    let count = try transaction { transaction in
      if let former { try transaction.drop(former) }
      try transaction.create(schema)
      return try write(to: schema, transaction.writer(for: schema, replacing: false), [], &skipped)
    }
    return report(count, skipped, schema, formerCount ?? 0)
  }

  private func addRows() throws -> ImportReport {
    let schema: TableSchema
    do throws(RepositoryError) {
      schema = try store.schema(ofTable: job.table)
    } catch {
      guard error.code == .missingTable else { throw error }
      throw ImportError(
        error.summary,
        details: [error.reason, error.suggestion, "without --append and --upsert, a new table is made"],
        isUsageError: true)
    }
    if job.mode == .upsert, schema.primaryKey.isEmpty {
      throw ImportError(
        "\(job.table) has no primary key",
        details: ["--upsert replaces the row with the same key", "--append adds rows without looking for one"],
        isUsageError: true)
    }
    let computed = try store.computedColumns(ofTable: job.table)
    let written = try written(schema, without: computed)
    observer.beginWork("importing \(job.table)", total: size)
    var skipped = 0
    let count = try transaction { transaction in
      try write(to: written, transaction.writer(for: written, replacing: job.mode == .upsert), computed, &skipped)
    }
    return report(count, skipped, schema)
  }

  private var size: Int { inputs.reduce(0) { $0 + $1.size } }

  private func report(_ count: Int, _ skipped: Int, _ table: TableSchema, _ formerCount: Int = 0) -> ImportReport {
    ImportReport(
      mode: job.mode, isDryRun: job.isDryRun, count: count, skipped: skipped, table: table, formerCount: formerCount)
  }

  /// A table as it is written: without columns that the database computes, and without those that no input has and that
  /// may be null, so that they get their default in new rows and stay as they are in others.
  private func written(_ table: TableSchema, without computed: [String]) throws -> TableSchema {
    let computed = Set(computed.map(Name.init))
    let given = Set(try givenColumns(of: table).map(Name.init))
    let columns = table.columns.filter { column in
      !computed.contains(Name(column.name)) && (!column.isNullable || given.contains(Name(column.name)))
    }
    if columns.count == table.columns.count { return table }
    return try TableSchema(table.name, columns: columns, primaryKey: table.primaryKeyColumns.map(\.name))
  }

  /// The columns that the inputs name; all where their records have names of their own.
  private func givenColumns(of table: TableSchema) throws(ImportError) -> [String] {
    var names: [String] = []
    for input in inputs { names += try input.reader(recordNames(of: table)).names }
    return names
  }

  private func recordNames(of table: TableSchema, _ computed: [String] = []) -> RecordNames {
    RecordNames(table.columns.map(\.name) + computed) { name throws(ImportError) in
      try RowBinding.position(of: name, in: table)
    }
  }

  /// The table that a new one would replace.
  ///
  /// - Throws: ``ImportError`` where the table exists, and the mode does not say what becomes of it.
  private func formerTable() throws -> TableSchema? {
    let folded = Name(job.table).folded
    guard let name = try store.tableNames().first(where: { Name($0).folded == folded }) else { return nil }
    if job.mode == .create {
      throw ImportError(
        "there is a table \(name) already",
        details: [
          "--append adds the rows to it", "--upsert adds them, or replaces those with the same key",
          "--replace drops it and makes a new one",
        ])
    }
    return try store.schema(ofTable: name)
  }

  private func transaction(_ body: (SQLiteTransaction) throws -> Int) throws -> Int {
    if job.isDryRun { return try store.dryRun(body) }
    return try store.transaction { transaction in
      let count = try body(transaction)
      // The last moment at which it can be undone.
      try observer.checkCancellation()
      return count
    }
  }

  private func write(
    to table: TableSchema, _ writer: SQLiteTransaction.TableWriter, _ computed: [String], _ skipped: inout Int
  ) throws -> Int {
    var inserted = 0
    var progress = Progress()
    try writer.writeEach { insertion in
      for input in inputs {
        let reader = try input.reader(recordNames(of: table, computed))
        let binding = try RowBinding(reader.names, of: input.name, to: table, computed: computed)
        try read(input, reader, &progress, isFirstLook: false) { reader in
          if try binding.insert(reader, insertion) { inserted += 1 }
        }
      }
    }
    skipped = progress.skipped
    return inserted
  }

  /// How much has been read.
  private struct Progress {
    var rows = 0
    /// The rows that were left out.
    var skipped = 0
    /// The sizes of the files that were read whole.
    var bytesBefore = 0
  }

  /// Reads the records of a file.
  ///
  /// - Parameter isFirstLook: whether they are read again, so that one that is left out is counted then.
  private func read(
    _ input: InputFile, _ reader: any RecordReader, _ progress: inout Progress, isFirstLook: Bool,
    _ body: (any RecordReader) throws -> Void
  ) throws {
    while true {
      try observer.checkCancellation()
      do {
        guard try reader.next() else { break }
        try body(reader)
      } catch let bad as BadRow {
        guard job.skipsBadRows else { throw bad.error }
        if !isFirstLook {
          progress.skipped += 1
          if progress.skipped <= Self.reportedRows { observer.skipped(bad.error) }
        }
      }
      progress.rows += 1
      if progress.rows & (Self.rowsPerReport - 1) == 0 {
        observer.update(rows: progress.rows, bytes: progress.bytesBefore + reader.offset)
      }
    }
    progress.bytesBefore += reader.offset
  }
}
