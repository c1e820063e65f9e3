// One import provides everything to find and save: `import SQLiteStore`.
@_exported public import Repository
@_exported public import SQLStore

/// A repository of elements in a table of an SQLite database.
public typealias SQLiteRepository<Element: Storable> = SQLRepository<Element>

/// A transaction of a ``SQLiteStore``, which is a store itself.
public typealias SQLiteTransaction = SQLTransaction
