// One import gives what a program needs that finds and saves: `import SQLiteStore`.
@_exported public import Repository
@_exported public import SQLStore

/// Elements in a table of an SQLite database.
public typealias SQLiteRepository<Element: Storable> = SQLRepository<Element>

/// A ``SQLiteStore`` as it is within a transaction.
public typealias SQLiteTransaction = SQLTransaction
