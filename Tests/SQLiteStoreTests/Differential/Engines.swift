import Query
import Repository
import SQL

@testable import SQLiteStore

/// The two roads to an answer. A mutation takes a wrong turn on one of them.
struct Engines: Sendable {
  typealias Answer = Result<[[Value]], RepositoryError>

  /// How SQLite is asked.
  var sqlite: @Sendable (Arena, FetchRequest) throws(RepositoryError) -> [[Value]] = {
    arena, request throws(RepositoryError) in
    try arena.sqlite.findAll(request).map(\.values)
  }
  /// How memory is asked.
  var memory: @Sendable (Arena, FetchRequest) throws(RepositoryError) -> [[Value]] = {
    arena, request throws(RepositoryError) in
    try arena.memory.findAll(request).map(\.values)
  }
  /// How SQLite is asked for a number.
  var sqliteCount: @Sendable (Arena, AnyQuery) throws(RepositoryError) -> Int = {
    arena, query throws(RepositoryError) in try arena.sqlite.count(query)
  }
  /// How memory is asked for a number.
  var memoryCount: @Sendable (Arena, AnyQuery) throws(RepositoryError) -> Int = {
    arena, query throws(RepositoryError) in try arena.memory.count(query)
  }

  /// A mutation of the SQL that is sent.
  static func changingSQL(_ change: @escaping @Sendable (String) -> String) -> Engines {
    var engines = Engines()
    engines.sqlite = { arena, request throws(RepositoryError) in
      let resolved = try arena.table.resolve(request)
      let select = Compiler(for: SQLiteDialect()).select(resolved)
      var rows: [[Value]] = []
      try arena.store.runBlocking(.write) { connection throws(RepositoryError) in
        try connection.query(CompiledStatement(sql: change(select.sql), bindings: select.bindings)) { row in
          rows.append(arena.table.columns.indices.map { (try? row.value(at: $0)) ?? .null })
        }
      }
      return resolved.inOrder(rows)
    }
    engines.sqliteCount = { arena, query throws(RepositoryError) in
      let select = Compiler(for: SQLiteDialect()).count(try arena.table.resolve(query))
      return try arena.store.runBlocking(.write) { connection throws(RepositoryError) in
        try connection.integer(CompiledStatement(sql: change(select.sql), bindings: select.bindings))
      }
    }
    return engines
  }

  /// A mutation of the request that memory is given.
  static func changingRequest(_ change: @escaping @Sendable (FetchRequest) -> FetchRequest) -> Engines {
    var engines = Engines()
    engines.memory = { arena, request throws(RepositoryError) in
      try arena.memory.findAll(change(request)).map(\.values)
    }
    engines.memoryCount = { arena, query throws(RepositoryError) in
      try arena.memory.count(change(FetchRequest(query)).query)
    }
    return engines
  }
}
