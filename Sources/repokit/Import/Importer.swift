import CSV
import Query
import SQLiteStore

/// Puts the records of a CSV file into a table, all or none.
struct Importer {
  let database: DatabaseFile
  let table: String
  let input: CSVInput
  /// The names of a new table's key columns.
  let key: [String]
  let mode: ImportMode

  /// Imports the file.
  ///
  /// - Returns: what to tell the user.
  func run() throws(Failure) -> ImportReport {
    switch mode {
    case .append, .upsert:
      return try addRows()
    case .create, .replace:
      let file = NewFile(at: database.path)
      do throws(Failure) {
        return try makeTable()
      } catch {
        file.removeIfEmpty()
        throw error
      }
    }
  }

  private func makeTable() throws(Failure) -> ImportReport {
    // Before the file is read, which may take long.
    let store = try database.open(.create)
    let former = try formerTable(in: store)
    let schema = try NewTable.schema(table, key: key, of: input)
    let count = try transaction(in: store) { transaction in
      if let former { try transaction.drop(former) }
      try transaction.create(schema)
      return try write(to: schema, transaction.writer(for: schema, replacing: false))
    }
    return ImportReport(count: count, mode: mode, table: schema)
  }

  private func addRows() throws(Failure) -> ImportReport {
    let store = try database.open(.existing)
    let schema: TableSchema
    do {
      schema = try store.schema(ofTable: table)
    } catch {
      let advice = error.code == .missingTable ? "without --append and --upsert, a new table is made" : nil
      throw Failure(error).adding(advice)
    }
    if mode == .upsert, schema.primaryKey.isEmpty {
      throw Failure(
        "\(table) has no primary key",
        details: ["--upsert replaces the row with the same key", "--append adds rows without looking for one"],
        status: .misused)
    }
    let count = try transaction(in: store) { transaction in
      try write(to: schema, transaction.writer(for: schema, replacing: mode == .upsert))
    }
    return ImportReport(count: count, mode: mode, table: schema)
  }

  /// The table that a new one would replace.
  ///
  /// - Throws: a failure where there is one, and nobody said what becomes of it.
  private func formerTable(in store: SQLiteStore) throws(Failure) -> TableSchema? {
    let names = try Failure.translating { try store.tableNames() }
    guard let name = names.first(where: { isSameTable($0, table) }) else { return nil }
    if mode == .create {
      throw Failure(
        "there is a table \(name) already",
        details: [
          "--append adds the rows to it", "--upsert adds them, or replaces those with the same key",
          "--replace drops it and makes a new one",
        ])
    }
    return try Failure.translating { try store.schema(ofTable: name) }
  }

  /// SQLite takes names that differ in ASCII case alone for the same, and no other names.
  private func isSameTable(_ name: String, _ other: String) -> Bool {
    func folded(_ byte: UInt8) -> UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte }
    return name.utf8.lazy.map(folded).elementsEqual(other.utf8.lazy.map(folded))
  }

  private func transaction(
    in store: SQLiteStore, _ body: (SQLiteTransaction) throws -> Int
  ) throws(Failure) -> Int {
    do {
      return try store.transaction(body)
    } catch let error as RepositoryError {
      throw Failure(error).at(database.path)
    } catch {
      throw Failure(translating: error)
    }
  }

  private func write(to table: TableSchema, _ writer: SQLiteTransaction.RowWriter) throws(Failure) -> Int {
    var count = 0
    var mapping: RowMapping?
    try input.read { header in
      mapping = try RowMapping(header, of: input.name, to: table)
    } record: { record in
      guard let row = try mapping?.row(of: record) else { return }
      do throws(RepositoryError) {
        try writer.write(row)
      } catch {
        // A full disk is no matter of this line.
        let isOfThisRow = [.conflict, .constraint, .invalidValue].contains(error.code)
        throw Failure(error).at(isOfThisRow ? "\(input.name), line \(record.line)" : database.path)
      }
      count += 1
    }
    return count
  }
}
