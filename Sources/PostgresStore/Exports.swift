// One import provides everything to find and save: `import PostgresStore`.
@_exported public import Repository
@_exported public import SQLStore

/// A repository of elements in a table of a PostgreSQL database.
public typealias PostgresRepository<Element: Storable> = SQLRepository<Element>

/// A transaction of a ``PostgresStore``, which is a store itself.
public typealias PostgresTransaction = SQLTransaction
