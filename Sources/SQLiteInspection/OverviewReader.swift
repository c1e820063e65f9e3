import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// Lists the tables of an SQLite database.
struct OverviewReader {
  let catalog: SQLiteCatalog

  /// All tables and views, in alphabetical order.
  ///
  /// - Parameters: as of ``SQLDatabase/tableOverviews(measuring:countingViews:)``.
  func overviews(measuring: Bool, countingViews: Bool) throws(RepositoryError) -> [TableOverview] {
    let kinds = try tableKinds()
    let sizes = measuring ? try tableSizes() : [:]
    var overviews: [TableOverview] = []
    for name in try catalog.tableNames() {
      let kind = kinds[.text(name)] ?? .table
      let isCounted = measuring && (countingViews || kind != .view)
      overviews.append(
        TableOverview(
          name: name, kind: kind, rowCount: isCounted ? try catalog.knownRowCount(ofTable: name) : .notWanted,
          byteCount: kind == .view ? nil : sizes[.text(name)]))
    }
    return overviews
  }

  private func tableKinds() throws(RepositoryError) -> [Value: TableOverview.Kind] {
    var kinds: [Value: TableOverview.Kind] = [:]
    for entry in try catalog.tableEntries() { kinds[.text(entry.name)] = TableOverview.Kind(rawValue: entry.type) }
    return kinds
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
    // Its name is that of the virtual table with a suffix: https://www.sqlite.org/vtab.html#the_xshadowname_method
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
