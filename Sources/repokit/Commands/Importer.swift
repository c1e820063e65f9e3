import Query
import RowImport
import SQLiteInspection
import SQLiteStore

/// Puts the records of files into a table, all or none.
struct Importer {
  /// What is to be done.
  struct Job {
    let database: DatabaseFile
    let table: String
    /// The names of a new table's key columns.
    var key: [String] = []
    /// The types of a new table's columns that are not left to the files.
    var types: [(column: String, type: ValueType)] = []
    let mode: ImportMode
    /// Whether everything is undone in the end.
    var isDryRun = false
  }

  /// The number of rows between two progress reports: a power of two.
  private static let rowsPerReport = 1 << 10

  let job: Job
  let inputs: [InputFile]
  let badRows: BadRows
  let progress: ProgressBar

  /// Imports the files.
  ///
  /// - Returns: the message for the user.
  func run() throws(Failure) -> ImportReport {
    defer { progress.end() }
    switch job.mode {
    case .append, .upsert:
      return try addRows()
    case .create, .replace:
      let file = NewFile(at: job.database.path)
      do throws(Failure) {
        let report = try makeTable()
        if job.isDryRun { file.removeIfEmpty() }
        return report
      } catch {
        file.removeIfEmpty()
        throw error
      }
    }
  }

  private func makeTable() throws(Failure) -> ImportReport {
    // Before the files are read, which may take long.
    let store = try job.database.open(.create)
    let former = try formerTable(in: store)
    let formerCount = try former.map { former throws(Failure) in
      try Failure.translating { try store.rowCount(ofTable: former.name) }
    }
    let size = inputs.reduce(0) { $0 + $1.size }
    progress.begin("finding types", total: size)
    let meter = Meter()
    let table = TableInference(name: job.table, key: job.key, types: job.types)
    let schema = try Failure.translating {
      try table.schema(of: inputs) { input, reader, body in
        try read(input, reader, meter, isFirstLook: true) { reader in
          try body(reader)
          return true
        }
      }
    }
    progress.begin("importing \(job.table)", total: size)
    let count = try transaction(in: store) { transaction in
      if let former { try transaction.drop(former) }
      try transaction.create(schema)
      return try write(to: schema, transaction.writer(for: schema, replacing: false), Meter())
    }
    return ImportReport(
      job: job, count: count, skipped: badRows.count, table: schema, formerCount: formerCount ?? 0)
  }

  private func addRows() throws(Failure) -> ImportReport {
    let store = try job.database.open(.existing)
    let schema: TableSchema
    do {
      schema = try store.schema(ofTable: job.table)
    } catch {
      let advice = error.code == .missingTable ? "without --append and --upsert, a new table is made" : nil
      throw Failure(error).adding(advice)
    }
    if job.mode == .upsert, schema.primaryKey.isEmpty {
      throw Failure(
        "\(job.table) has no primary key",
        details: ["--upsert replaces the row with the same key", "--append adds rows without looking for one"],
        status: .usageError)
    }
    let computed = try Failure.translating { try store.computedColumns(ofTable: job.table) }
    let written = try self.written(schema, without: computed)
    progress.begin("importing \(job.table)", total: inputs.reduce(0) { $0 + $1.size })
    let count = try transaction(in: store) { transaction in
      let writer = transaction.writer(for: written, replacing: job.mode == .upsert)
      return try write(to: written, writer, Meter(), computed: computed)
    }
    return ImportReport(job: job, count: count, skipped: badRows.count, table: schema)
  }

  /// A table as it is written: without columns that the database computes, and without those that no input has and that
  /// may be null, so that they get their default in new rows and stay as they are in others.
  private func written(_ table: TableSchema, without computed: [String]) throws(Failure) -> TableSchema {
    let given = try givenColumns(of: table)
    let columns = table.columns.filter { column in
      !computed.contains(named: column.name) && (!column.isNullable || given.contains(named: column.name))
    }
    if columns.count == table.columns.count { return table }
    return try Failure.translating {
      try TableSchema(table.name, columns: columns, primaryKey: table.primaryKeyColumns.map(\.name))
    }
  }

  /// The columns that the inputs name; all where their records have names of their own.
  private func givenColumns(of table: TableSchema) throws(Failure) -> [String] {
    try Failure.translating {
      try inputs.flatMap { input in
        try input.reader(
          RecordNames(table.columns.map(\.name)) { name throws(ImportError) in
            try RowMapping.position(of: name, in: table)
          }
        ).names
      }
    }
  }

  /// The table that a new one would replace.
  ///
  /// - Throws: a failure where the table exists, and the mode does not say what becomes of it.
  private func formerTable(in store: SQLiteStore) throws(Failure) -> TableSchema? {
    let names = try Failure.translating { try store.tableNames() }
    guard let name = names.first(where: { Name($0).folded == Name(job.table).folded }) else { return nil }
    if job.mode == .create {
      throw Failure(
        "there is a table \(name) already",
        details: [
          "--append adds the rows to it", "--upsert adds them, or replaces those with the same key",
          "--replace drops it and makes a new one",
        ])
    }
    return try Failure.translating { try store.schema(ofTable: name) }
  }

  private func transaction(
    in store: SQLiteStore, _ body: (SQLiteTransaction) throws -> Int
  ) throws(Failure) -> Int {
    do {
      if job.isDryRun { return try store.dryRun(body) }
      return try store.transaction { transaction in
        let count = try body(transaction)
        // The last moment at which it can be undone.
        try Interruption.check()
        return count
      }
    } catch let error as RepositoryError where error.code == .transactionEnded {
      // What the library suggests is for programmers.
      throw Failure("\(job.database.path): the database undid the import", details: [error.reason])
    } catch let error as RepositoryError {
      throw job.database.failure(error)
    } catch {
      throw Failure(translating: error)
    }
  }

  private func write(
    to table: TableSchema, _ writer: SQLiteTransaction.TableWriter, _ meter: Meter, computed: [String] = []
  ) throws -> Int {
    var inserted = 0
    try writer.writeEach { insertion in
      for input in inputs {
        let names = RecordNames(table.columns.map(\.name) + computed) { name throws(ImportError) in
          try RowMapping.position(of: name, in: table)
        }
        let reader = try input.reader(names)
        let mapping = try RowMapping(reader.names, of: input.name, to: table, computed: computed)
        try read(input, reader, meter, isFirstLook: false) { reader in
          if try mapping.insert(reader, insertion) { inserted += 1 }
          return true
        }
      }
    }
    return inserted
  }

  /// The amount of input that has been read.
  private final class Meter {
    @exclusivity(unchecked) var rows = 0
    @exclusivity(unchecked) var bytesBefore = 0
  }

  /// Reads the records of a file.
  private func read(
    _ input: InputFile, _ reader: any RecordReader, _ meter: Meter, isFirstLook: Bool,
    _ body: (any RecordReader) throws -> Bool
  ) throws {
    var isAtEnd = false
    while !isAtEnd {
      try Interruption.check()
      // `nil` is for a row that is left out, behind which there may be others.
      let isRow = try badRows.checking(isFirstLook: isFirstLook) { try reader.next() && body(reader) }
      if isRow == false { isAtEnd = true }
      meter.rows += 1
      if meter.rows & (Self.rowsPerReport - 1) == 0 {
        progress.update(rows: meter.rows, bytes: meter.bytesBefore + reader.offset)
      }
    }
    meter.rows -= 1
    meter.bytesBefore += reader.offset
  }
}

/// What becomes of a table that exists.
enum ImportMode {
  /// There must be none of this name.
  case create
  /// Rows are added; a key that exists is a conflict.
  case append
  /// A new table replaces it.
  case replace
  /// Rows are added, or replace those with the same key.
  case upsert
}

/// What becomes of rows that can't be imported.
final class BadRows {
  /// The most of them that are listed.
  static let shownCount = 10

  /// The number of rows that were left out.
  private(set) var count = 0
  private let areSkipped: Bool
  /// Tells the user of one.
  private let report: (Failure) -> Void

  init(areSkipped: Bool, report: @escaping (Failure) -> Void) {
    self.areSkipped = areSkipped
    self.report = report
  }

  /// Does something with a row.
  ///
  /// - Parameter isFirstLook: whether the row is seen again, so that it is told then.
  /// - Returns: `nil` where the row is left out.
  func checking<Result>(isFirstLook: Bool = false, _ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as BadRow {
      let failure = Failure(translating: error.error)
      guard areSkipped else { throw failure }
      if !isFirstLook {
        count += 1
        if count <= Self.shownCount { report(failure) }
      }
      return nil
    }
  }
}

/// What an import did, or would do.
struct ImportReport {
  /// The most columns that are listed.
  private static let maximumColumns = 32

  let job: Importer.Job
  let count: Int
  /// The number of rows that were left out.
  let skipped: Int
  let table: TableSchema
  /// The number of rows of the table that was replaced.
  var formerCount = 0
}

extension ImportReport: CustomStringConvertible {
  var description: String { job.isDryRun ? "would have \(work); nothing was changed" : work }

  /// The number of rows that were left out; `nil` for none.
  var skippedRows: String? {
    skipped == 0 ? nil : "\(job.isDryRun ? "would have " : "")skipped \(Self.rows(skipped, "bad "))"
  }

  private var work: String {
    switch job.mode {
    case .create: "imported \(rows) into \(table.name) (new table: \(columns))"
    case .replace: "imported \(rows) into \(table.name) (new table: \(columns); \(Self.rows(formerCount)) dropped)"
    case .append: "appended \(rows) to \(table.name)"
    case .upsert: "inserted or replaced \(rows) of \(table.name) by \(key)"
    }
  }

  private var rows: String { Self.rows(count) }

  private static func rows(_ count: Int, _ kind: String = "") -> String {
    "\(count) \(kind)\(count == 1 ? "row" : "rows")"
  }

  private var columns: String {
    let shown = table.columns.prefix(Self.maximumColumns).map { "\($0.name) \($0.type)" }
    let rest = table.columns.count - shown.count
    return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
  }

  private var key: String { table.primaryKeyColumns.map(\.name).joined(separator: " and ") }
}
