import Query
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import TestSupport

/// Everything that shows a disagreement: a table, its rows and a request.
struct Scenario {
  var definition: TableDefinition
  var rows: [[Value]]
  var request: FetchRequest

  func disagreement(_ engines: Engines) -> Disagreement? {
    guard let arena = try? Arena(definition, rows: rows) else { return nil }
    return arena.disagreement(request, engines)
  }

  /// The scenario in the form that helps to find the mistake: as SQL, as text and as Swift.
  func report(seed: UInt64, _ engines: Engines) -> String {
    guard let arena = try? Arena(definition, rows: rows), let found = arena.disagreement(request, engines) else {
      return "seed \(seed): the disagreement is gone"
    }
    let compiled = (try? request.resolved(in: arena.table)).map { Compiler(for: SQLiteDialect()).select($0) }
    let report = """
      seed \(seed)
      \(definition.sql.joined(separator: ";\n"));
      rows: \(rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " "))
      query: \(request.query)
      sort: \(request.sort) limit: \(request.limit.map(String.init) ?? "none") offset: \(request.offset) \
      after: \(request.after?.description ?? "none") before: \(request.before?.description ?? "none")
      Swift: \(SwiftSource.of(request))
      SQL: \(compiled?.sql ?? "none") with \(compiled?.bindings.map(\.description) ?? [])
      in memory: \(Self.text(found.memory))
      in SQLite: \(Self.text(found.sqlite))
      """
    // A NUL would end the report.
    return report.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
  }

  private static func text(_ answer: Engines.Answer) -> String {
    switch answer {
    case .success(let rows): rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " ")
    case .failure(let error): "\(error)"
    }
  }
}

/// The two roads to an answer. A mutation takes a wrong turn on one of them.
struct Engines: Sendable {
  typealias Answer = Result<[[Value]], RepositoryError>

  /// How SQLite is asked.
  var sqlite: @Sendable (Arena, FetchRequest) throws(RepositoryError) -> [[Value]] = {
    arena, request throws(RepositoryError) in
    try arena.sqlite.blocking.findAll(request).map(\.values)
  }
  /// How memory is asked.
  var memory: @Sendable (Arena, FetchRequest) throws(RepositoryError) -> [[Value]] = {
    arena, request throws(RepositoryError) in
    try arena.memory.blocking.findAll(request).map(\.values)
  }
  /// How SQLite is asked for a number.
  var sqliteCount: @Sendable (Arena, AnyQuery) throws(RepositoryError) -> Int = {
    arena, query throws(RepositoryError) in try arena.sqlite.blocking.count(query)
  }
  /// How memory is asked for a number.
  var memoryCount: @Sendable (Arena, AnyQuery) throws(RepositoryError) -> Int = {
    arena, query throws(RepositoryError) in try arena.memory.blocking.count(query)
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
      try arena.memory.blocking.findAll(change(request)).map(\.values)
    }
    engines.memoryCount = { arena, query throws(RepositoryError) in
      try arena.memory.blocking.count(change(FetchRequest(query)).query)
    }
    return engines
  }
}

/// One table with the same rows in SQLite and in memory.
struct Arena: Sendable {
  let store: SQLiteStore
  let table: TableSchema
  let sqlite: SQLiteRepository<Record>
  let memory: MemoryRepository<Record>
  /// The rows that memory holds, in the order in which they were saved.
  let rows: [[Value]]

  /// Makes the table and writes the rows; a row that the table refuses is left out.
  ///
  /// - Parameter order: puts the rows that memory is given in an order; that of SQLite's answer by default.
  init(_ definition: TableDefinition, rows: [[Value]], order: ([Record]) -> [Record] = { $0 }) throws {
    store = try SQLiteStore.inMemory()
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in definition.sql { try connection.execute(sql) }
    }
    let base = try store.schema(ofTable: definition.base)
    let writer = try store.sqlRepository(Schema(base))
    for row in rows {
      do throws(RepositoryError) {
        try writer.blocking.save([Record(values: row, in: base)])
      } catch {
        // Random rows break the table's own rules now and then: a unique column, or the kind of a row's number.
        guard [.conflict, .constraint, .storeFailure].contains(error.code) else { throw error }
      }
    }
    table = try store.schema(ofTable: definition.name)
    sqlite = try store.sqlRepository(Schema(table))
    if !rows.isEmpty, try sqlite.blocking.count(.true) == 0 {
      throw RepositoryError(.storeFailure, "no row was written")
    }
    let saved = order(try sqlite.blocking.findAll(FetchRequest()))
    self.rows = saved.map(\.values)
    memory = try MemoryRepository(saved, schema: Schema(table))
  }

  /// Asks both; `nil` where they agree, rows, order and errors.
  func disagreement(_ request: FetchRequest, _ engines: Engines) -> Disagreement? {
    let memory = Engines.Answer { () throws(RepositoryError) in try engines.memory(self, request) }
    let sqlite = Engines.Answer { () throws(RepositoryError) in try engines.sqlite(self, request) }
    switch (memory, sqlite) {
    case (.success(let memory), .success(let sqlite)) where memory == sqlite: return nil
    case (.failure(let memory), .failure(let sqlite)) where memory.description == sqlite.description: return nil
    default: return Disagreement(memory: memory, sqlite: sqlite)
    }
  }
}

/// Two answers to one request.
struct Disagreement {
  let memory: Engines.Answer
  let sqlite: Engines.Answer
}
