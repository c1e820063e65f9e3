import Query
import Repository
import SQL
import SQLStore
import SQLiteStore

/// Finds out what is written of a table, so that the same rows are found afterwards.
struct ScriptTableReader {
  private let catalog: SQLiteCatalog
  private let entries: [SQLiteCatalog.TableEntry]
  /// The folded names of the tables whose rows a full-text index finds by their rowids.
  private let contents: Set<[UInt8]>
  private(set) var notes: [String] = []

  init(_ catalog: SQLiteCatalog, _ entries: [SQLiteCatalog.TableEntry], contents: [String]) {
    self.catalog = catalog
    self.entries = entries
    self.contents = Set(contents.map { Name($0).folded })
  }

  private func quoted(_ name: String) -> String { SQLiteDialect().quoted(name) }

  /// - Throws: ``/Repository/RepositoryError`` for a full-text index that does not keep its texts.
  mutating func table(_ name: String, _ text: DefinitionText) throws(RepositoryError) -> DatabaseScript.Table {
    let columns = try catalog.columnEntries(ofTable: name).filter { !$0.isComputed }.map(\.name)
    guard entries.contains(where: { $0.type == "virtual" && Name($0.name) == name }) else {
      let rowid = try neededRowid(ofTable: name)
      return DatabaseScript.Table(
        name: name, statement: text.statement, settings: [], columns: (rowid.map { [$0] } ?? []) + columns,
        condition: nil, isReadable: true)
    }
    if text.isContentless { throw .contentless(name) }
    let rowid = try catalog.readableRowid(ofTable: name)
    let condition = try text.contentTable.flatMap { content throws(RepositoryError) in
      try indexedRows(of: name, content: content)
    }
    let written = (rowid.map { [$0] } ?? []) + columns + (try languageColumn(ofTable: name, text))
    let problem = readingProblem(written, of: name, where: condition)
    if let problem {
      notes.append("skipped the rows of \(name), which SQLite can't read: \(problem)")
    } else if let condition, let content = text.contentTable {
      try checkContent(content, of: name, condition)
    }
    return DatabaseScript.Table(
      name: name, statement: text.statement, settings: try settings(ofTable: name, text), columns: written,
      condition: condition, isReadable: problem == nil)
  }

  // MARK: Rowids

  /// A name of the rowid where the order of the rows does not give it; `nil` where a column is the rowid, and where there is none.
  private func neededRowid(ofTable name: String) throws(RepositoryError) -> String? {
    guard let schema = try catalog.schema(ofTable: name), let rowid = try catalog.hiddenRowid(of: schema) else {
      return nil
    }
    if contents.contains(Name(name).folded) { return rowid }
    return try catalog.isCounted(table: name, by: rowid) ? nil : rowid
  }

  // MARK: Full-text indexes

  /// The condition on the rows that the index knows, by the table with their sizes; `nil` where it keeps none.
  private func indexedRows(of name: String, content: String) throws(RepositoryError) -> String? {
    let sizes = name + "_docsize"
    guard entries.contains(where: { Name($0.name).equalsFolded(sizes) }) else { return nil }
    // FTS5 calls it id: https://www.sqlite.org/fts5.html#fts5_data_structures FTS4 docid: https://www.sqlite.org/fts3.html
    let number = try catalog.columnEntries(ofTable: sizes).first?.name ?? "id"
    return "rowid IN (SELECT \(quoted(number)) FROM \(quoted(sizes)))"
  }

  /// Notes rows that the index knows and its content has not any more.
  private mutating func checkContent(
    _ content: String, of name: String, _ condition: String
  ) throws(RepositoryError) {
    let sizes = quoted(name + "_docsize")
    let count = try catalog.integer(
      "SELECT (SELECT count(*) FROM \(sizes)) - (SELECT count(*) FROM \(quoted(name)) WHERE \(condition))")
    if count > 0 {
      notes.append(
        "skipped \(count.of("row")) of the index \(name): \(content) has no such \(count == 1 ? "row" : "rows")")
    }
  }

  /// SQLite's message where rows can't be read, as where the content of an index is gone.
  private func readingProblem(_ columns: [String], of name: String, where condition: String?) -> String? {
    let list = columns.map(quoted).joined(separator: ", ")
    do throws(RepositoryError) {
      try catalog.query("SELECT \(list) FROM \(quoted(name))\(condition.map { " WHERE \($0)" } ?? "") LIMIT 1") { _ in }
      return nil
    } catch {
      return [.storeFailure, .missingTable, .invalidStatement].contains(error.code)
        ? SQLiteDriver.message(of: error) : nil
    }
  }

  /// The hidden column with the language of a row. https://www.sqlite.org/fts3.html#the_languageid_option
  private func languageColumn(ofTable name: String, _ text: DefinitionText) throws(RepositoryError) -> [String] {
    guard text.module?.hasPrefix("fts4") == true || text.module?.hasPrefix("fts3") == true else { return [] }
    return try catalog.names("SELECT name FROM temp.pragma_table_xinfo(?) WHERE hidden = 1", [.text(name)]).filter {
      !Name($0).equalsFolded(name) && !Name($0).equalsFolded("docid")
    }
  }

  /// The statements that set what an FTS5 table keeps, such as how it ranks. https://www.sqlite.org/fts5.html#special_insert_commands
  private func settings(ofTable name: String, _ text: DefinitionText) throws(RepositoryError) -> [String] {
    let table = name + "_config"
    guard text.module == "fts5", entries.contains(where: { Name($0.name).equalsFolded(table) }) else {
      return []
    }
    var settings: [String] = []
    try catalog.query("SELECT k, v FROM \(quoted(table)) WHERE k <> 'version' ORDER BY k") { row in
      let values = row.values(count: 2).map { SQLiteScript.literal($0) }.joined(separator: ", ")
      settings.append("INSERT INTO \(quoted(name)) (\(quoted(name)), \"rank\") VALUES (\(values))")
    }
    return settings
  }
}

extension SQLiteCatalog {
  /// Whether the rowids of a table are 1, 2, 3 and so on without a gap.
  func isCounted(table name: String, by rowid: String) throws(RepositoryError) -> Bool {
    var isCounted = true
    try query(
      "SELECT count(*), min(\(rowid)), max(\(rowid)) FROM \(SQLiteDialect().quoted(name)) NOT INDEXED"
    ) { row in
      let count = row.integer(0)
      isCounted = count == 0 || row.integer(1) == 1 && row.integer(2) == count
    }
    return isCounted
  }
}

extension RepositoryError {
  fileprivate static func contentless(_ name: String) -> RepositoryError {
    RepositoryError(
      .unsupported, "can't write the full-text index \(name) as statements",
      reason: "the index does not store its text", suggestion: "copy the whole file with repokit backup")
  }
}
