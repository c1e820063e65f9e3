import Query
package import Repository
import SQL
import SQLStore
package import SQLiteStore

/// What there is of a table or a view, without its rows.
package struct TableOverview: Hashable, Sendable {
  /// The kind of object that a name in a database refers to.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case table, view
    /// A table that a module makes up, such as a full-text index.
    case virtual
    /// A table in which a virtual one keeps its things.
    case shadow
  }

  /// The name.
  package let name: String
  /// What it is.
  package let kind: Kind
  /// How many rows there are; `nil` where they were not counted or, as those of a view whose table is gone, can't be.
  package let rowCount: Int?
  /// How many bytes of the file the table and its indexes take, whole pages, and of a virtual table those in
  /// which it keeps its things; `nil` for those and for a view, and where SQLite was built without the table `dbstat`.
  package let byteCount: Int?
}

extension SQLiteStore {
  /// What tables and views there are, in alphabetical order; the one that remembers the migrations is left out.
  ///
  /// - Parameters:
  ///   - measuring: whether rows are counted and sizes are added up. That reads every page of the file.
  ///   - countingViews: whether the rows of views are counted, too. A view may compute any number of rows, without end
  ///     where it refers to itself.
  /// - Throws: ``RepositoryError`` where the database can't be read.
  package func tableOverviews(
    measuring: Bool = true, countingViews: Bool = false
  ) throws(RepositoryError) -> [TableOverview] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try OverviewReader(catalog: SQLiteCatalog(connection)).overviews(
        measuring: measuring, countingViews: countingViews)
    }
  }
}

/// Reads what tables there are.
private struct OverviewReader {
  let catalog: SQLiteCatalog

  /// All tables and views, in alphabetical order.
  ///
  /// - Parameters: as of ``SQLiteStore/tableOverviews(measuring:countingViews:)``.
  func overviews(measuring: Bool, countingViews: Bool) throws(RepositoryError) -> [TableOverview] {
    let kinds = try tableKinds()
    let sizes = measuring ? try tableSizes() : [:]
    var overviews: [TableOverview] = []
    for name in try catalog.tableNames() {
      let kind = kinds[.text(name)] ?? .table
      let isCounted = measuring && (countingViews || kind != .view)
      overviews.append(
        TableOverview(
          name: name, kind: kind, rowCount: isCounted ? try knownRowCount(ofTable: name) : nil,
          byteCount: kind == .view ? nil : sizes[.text(name)]))
    }
    return overviews
  }

  private func tableKinds() throws(RepositoryError) -> [Value: TableOverview.Kind] {
    var kinds: [Value: TableOverview.Kind] = [:]
    for entry in try catalog.tableEntries() { kinds[.text(entry.name)] = TableOverview.Kind(rawValue: entry.type) }
    return kinds
  }

  /// How many rows a table has; `nil` where it can't be counted.
  private func knownRowCount(ofTable name: String) throws(RepositoryError) -> Int? {
    do throws(RepositoryError) {
      return try catalog.rowCount(ofTable: name)
    } catch {
      // Such as a view whose table was dropped, and a virtual table whose module is not here.
      guard error.code == .cancelled || error.code == .busy || error.code == .corrupt else { return nil }
      throw error
    }
  }

  /// The bytes of each table with its indexes. What a virtual table keeps is kept in tables of its own, which count as its.
  private func tableSizes() throws(RepositoryError) -> [Value: Int] {
    var sizes: [Value: Int] = [:]
    let owners = try shadowOwners()
    // Neither of the two has an index by which SQLite could join them.
    var tables: [Value: Value] = [:]
    try catalog.query("SELECT name, tbl_name FROM sqlite_schema") { row in
      tables[.text(row.text(0))] = .text(row.text(1))
    }
    do throws(RepositoryError) {
      // Whole b-trees, rather than their pages one by one: https://www.sqlite.org/dbstat.html
      try catalog.query("SELECT name, pgsize FROM temp.dbstat WHERE aggregate = 1") { row in
        guard let name = tables[.text(row.text(0))] else { return }
        sizes[owners[name] ?? name, default: 0] += Int(row.integer(1))
      }
    } catch {
      // SQLite may have been built without it.
      if error.code == .invalidStatement || error.code == .missingTable { return [:] }
      throw error
    }
    return sizes
  }

  /// For each table that a virtual one keeps its things in, that virtual table.
  private func shadowOwners() throws(RepositoryError) -> [Value: Value] {
    var owners: [Value: Value] = [:]
    let tables = try catalog.tableEntries()
    // It is called like the virtual table, with something behind it: https://www.sqlite.org/vtab.html#the_xshadowname_method
    // The longest name is the last, and wins.
    for owner in tables.filter({ $0.type == "virtual" }).sorted(by: { $0.name.utf8.count < $1.name.utf8.count }) {
      let prefix = Name(owner.name + "_").folded
      for shadow in tables where shadow.type == "shadow" && Name(shadow.name).folded.starts(with: prefix) {
        owners[.text(shadow.name)] = .text(owner.name)
      }
    }
    return owners
  }
}

extension SQLiteStore {
  /// The different values of a column among the first rows of its table, where they are few: what completions offer.
  ///
  /// Long texts and blobs are left out, and no row is read beyond the limit. It is stopped when its task is cancelled.
  ///
  /// - Parameters:
  ///   - column: the column's name.
  ///   - table: the name of the table or view.
  ///   - rows: how many rows are looked at.
  ///   - count: how many values there may be.
  /// - Returns: the values in order; `nil` where there are more of them.
  package func sampledValues(
    of column: String, in table: String, rows: Int = 5_000, atMost count: Int = 200
  ) async throws(RepositoryError) -> [Value]? {
    let statement: SQLStatement = """
      SELECT DISTINCT value FROM (SELECT \(identifier: column) AS value FROM \(identifier: table) LIMIT \(rows))
      WHERE typeof(value) IN ('integer', 'real', 'text') AND length(value) <= 60 ORDER BY value LIMIT \(count + 1)
      """
    let values = try await sql.query(statement).compactMap { $0.values.first }
    return values.count > count ? nil : values
  }
}
