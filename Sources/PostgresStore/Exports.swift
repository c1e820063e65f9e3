// One import gives what a program needs that finds and saves: `import PostgresStore`.
@_exported public import Repository
@_exported public import SQLStore

/// Elements in a table of a PostgreSQL database.
public typealias PostgresRepository<Element: Storable> = SQLRepository<Element>

/// A ``PostgresStore`` as it is within a transaction.
public typealias PostgresTransaction = SQLTransaction
