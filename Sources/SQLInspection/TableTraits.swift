package import Query
package import Repository
package import SQLStore

/// The traits of a table that its schema does not hold, and that changes of its rows depend on.
package struct TableTraits {
  /// The key by which a row is found again.
  package enum Identity {
    /// By the rowid, under its name.
    case rowid(String)
    /// By the primary key.
    case key
    case none
  }

  package var identity = Identity.none
  /// Whether the database's count of changes counts only rows of the table.
  package var countsChangesExactly = false
  package var isView = false
  /// The positions of the columns that are computed from others.
  package var computed: Set<Int> = []
  /// The positions of the columns that have a default.
  package var defaulted: Set<Int> = []
  /// The positions of the columns of the declared key, in its order: that of a table that is not strict may be null, and is no primary
  /// key in a schema.
  package var key: [Int] = []
  /// Whether the definition may say that a conflict replaces rows.
  package var mayReplace = false

  package init() {}
}

extension SQLDatabase {
  /// The columns of the key as the table declares it, which may hold null in SQLite, so that they are no primary key.
  package func declaredKey(of table: TableSchema) throws(RepositoryError) -> [ColumnSchema] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.traits(of: table).key.map { table.columns[$0] }
    }
  }
}
