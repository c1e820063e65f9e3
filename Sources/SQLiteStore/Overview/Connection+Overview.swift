import Query
import Repository
import SQL

extension Connection {
  /// All tables and views, in alphabetical order.
  ///
  /// - Parameter measuring: whether rows are counted and pages added up, for which much of the file has to be read.
  func overviews(measuring: Bool) throws(RepositoryError) -> [TableOverview] {
    let kinds = try tableKinds()
    let sizes = measuring ? try tableSizes() : [:]
    var overviews: [TableOverview] = []
    for name in try tableNames() {
      let kind = kinds[.text(name)] ?? .table
      overviews.append(
        TableOverview(
          name: name, kind: kind, rowCount: measuring ? try knownRowCount(ofTable: name) : nil,
          byteCount: kind == .view ? nil : sizes[.text(name)]))
    }
    return overviews
  }

  private func tableKinds() throws(RepositoryError) -> [Value: TableOverview.Kind] {
    var kinds: [Value: TableOverview.Kind] = [:]
    try query(
      CompiledStatement(sql: "SELECT name, type FROM pragma_table_list WHERE schema = 'main'", bindings: [])
    ) { row in
      kinds[.text(row.text(0))] = TableOverview.Kind(rawValue: row.text(1))
    }
    return kinds
  }

  /// How many rows a table has; `nil` where nobody can tell.
  private func knownRowCount(ofTable name: String) throws(RepositoryError) -> Int? {
    do throws(RepositoryError) {
      return try rowCount(ofTable: name)
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
    do throws(RepositoryError) {
      // Whole b-trees, rather than their pages one by one: https://www.sqlite.org/dbstat.html
      try query(
        CompiledStatement(
          sql: """
            SELECT tables.tbl_name, sum(trees.pgsize) FROM dbstat AS trees \
            JOIN sqlite_schema AS tables ON tables.name = trees.name WHERE trees.aggregate = TRUE GROUP BY 1
            """, bindings: [])
      ) { row in
        let name = Value.text(row.text(0))
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
    // It is called like the virtual table, with something behind it: https://www.sqlite.org/vtab.html#the_xshadowname_method
    try query(
      CompiledStatement(
        sql: """
          SELECT shadow.name, virtual.name FROM pragma_table_list AS shadow JOIN pragma_table_list AS virtual \
          ON virtual.type = 'virtual' AND virtual.schema = 'main' \
          AND substr(shadow.name, 1, length(virtual.name) + 1) = virtual.name || '_' COLLATE NOCASE \
          WHERE shadow.type = 'shadow' AND shadow.schema = 'main' ORDER BY length(virtual.name)
          """, bindings: [])
    ) { row in
      owners[.text(row.text(0))] = .text(row.text(1))
    }
    return owners
  }
}
