import PostgresStore
import Query
import Repository
import SQL
import SQLStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("PostgreSQL uses an index where SQLite does", .requiresServer)
struct IndexUseTests {
  /// SQLite is asked for its plan of the same request, and sets what is expected. PostgreSQL's is the generic plan, which is
  /// made for all values at once; a prepared statement may get it from its sixth run on.
  /// https://www.postgresql.org/docs/15/sql-prepare.html#SQL-PREPARE-NOTES
  @Test("for each operator, order, page, aggregate and change")
  func plans() async throws {
    let (log, rivalLog) = (StatementLog(), StatementLog())
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, timeout: TestServer.timeout, observer: log.observer)
      let animals = AnyRepository(try store.repository(of: Animal.self))
      try await store.sql.execute(Animal.rows)
      try await store.sql.execute("ANALYZE animal")
      let sqlite = try SQLiteStore.inMemory(timeout: TestServer.timeout, observer: rivalLog.observer)
      let rivals = AnyRepository(try sqlite.repository(of: Animal.self))
      for request in Request.all {
        try await request.run(on: animals)
        try await request.run(on: rivals)
        let statements = zip(log.takePlanned(), rivalLog.takePlanned())
        #expect(!Array(statements).isEmpty, "\(request)")
        for (statement, rival) in statements {
          let rivalPlan = try sqlite.plan(of: rival.sql)
          let plan = try store.plan(of: statement, isGeneric: request.isPlannedForAnyValue)
          let faults = plan.faults(besideSQLite: rivalPlan)
          #expect(
            faults.isEmpty,
            """
            \(request)
            \(statement.sql)
            \(plan.joined(separator: "\n"))
            SQLite: \(rivalPlan.joined(separator: "\n        "))
            """)
        }
      }
    }
  }
}

/// An index on each column but one: on each type that has an order, with and without nulls.
private struct Animal: Entity, Hashable {
  let id: Int
  var name: String
  var rank: Int
  var hp: Int?
  var weight: Double
  var height: Double?
  var habitat: String?
  var note: String

  static let schema = Schema(
    "animal", Animal.init, Column("id", \.id), Column("name", \.name, .unique), Column("rank", \.rank, .indexed),
    Column("hp", \.hp, .indexed), Column("weight", \.weight, .indexed), Column("height", \.height, .indexed),
    Column("habitat", \.habitat, .indexed), Column("note", \.note))

  /// So many that to read them all takes longer than any way by an index, in no order that an index has.
  static let rows: SQLStatement = """
    INSERT INTO animal SELECT i, md5(i::text), i * 7919::bigint % 200003, nullif(i * 31 % 20011, 0), \
    (i * 7907::bigint % 200003) / 8.0, nullif(i * 37 % 20021, 0) / 4.0, nullif('h' || i * 41 % 20023, 'h0'), \
    repeat('x', 40) FROM generate_series(1, 200000) i
    """
}

/// What is asked, or changed, of the table.
private enum Request: CustomStringConvertible {
  case find(String = "true", by: AnySort = AnySort([]), limit: Int? = nil, offset: Int = 0)
  case findByKey
  case pageAfter(Animal, by: AnySort)
  case pageBefore(Animal, by: AnySort)
  case count(String)
  case aggregate([AnyAggregate], String = "true")
  case update(String)
  case delete(String)
  /// A range with one end, whose plan depends on the value: for any value, a third of the rows is expected.
  case countRange(String)

  // MARK: The cases

  static let all = conditions.map { find($0) } + [findByKey] + orders + aggregates + changes

  private static let conditions = [
    "id = 7", "id > 199990", "id between 7 and 20", "id in (1, 2, 3)", "id in (1, 2, 3, 4, 5, 6, 7)",
    "id = 1 or id = 9",
    "name = 'a'", "name starts with 'abcd'", "name like 'abcd%'", "name >= 'a' and name < 'b'", "name in ('a', 'b')",
    "name in ('a', 'b', 'c', 'd', 'e', 'f')", "rank = 7", "rank = 7.5", "rank >= 7 and rank < 20",
    "rank between 7 and 20", "rank between 7.5 and 20.5", "rank in (1, 2)", "rank in (1, 2, 3, 4, 5, 6, 7)", "hp = 7",
    "hp is null", "hp = 7 or hp is null", "hp between 7 and 9", "hp in (7, null)", "hp in (1, 2, 3, 4, 5, null)",
    "weight = 7", "weight = 7.5", "weight > 7 and weight <= 9", "weight between 7 and 9.5", "weight in (1, 2.5, 3)",
    "weight in (1, 2, 3, 4, 5.5)", "height = 7.25", "height is null", "height between 1 and 2.5", "habitat = 'h7'",
    "habitat is null", "habitat starts with 'h777'", "habitat like 'h777%'",
    "habitat in ('h1', 'h2', 'h3', 'h4', 'h5', 'h6')", "rank = 7 and note contains 'x'", "rank = 7 or weight = 7.5",
    "rank = 7 and (hp = 3 or hp is null)", "habitat = 'h7' and weight > 3",
  ]

  private static let columns = ["id", "name", "rank", "hp", "weight", "height", "habitat"]
  private static let animal = Animal(
    id: 7, name: "a", rank: 9, hp: 9, weight: 9, height: 9, habitat: "h7", note: "")

  private static let orders =
    columns.flatMap { key in [AnySort.ascending(key: key), .descending(key: key)] }.flatMap { sort in
      [
        find(by: sort, limit: 20), find(by: sort, limit: 20, offset: 40), pageAfter(animal, by: sort),
        pageBefore(animal, by: sort),
      ]
    } + [
      find(limit: 20), find("hp = 7", limit: 20), find("rank > 100", by: .ascending(key: "rank"), limit: 20),
      find("rank > 100", by: .ascending(key: "weight"), limit: 20),
      find("weight < 9000", by: .descending(key: "weight"), limit: 20),
      find("habitat = 'h7'", by: .ascending(key: "weight"), limit: 20),
      find("hp > 100", by: .ascending(key: "hp") + .descending(key: "name"), limit: 20),
    ]

  private static let aggregates =
    columns.flatMap { [aggregate([.min(key: $0)]), aggregate([.max(key: $0)])] }
    + ["id = 7", "rank = 7", "hp is null", "name starts with 'abc'"].map { count($0) }
    + ["name < '0001'", "rank < 20", "hp <= 3", "weight > 24990", "height < 3", "habitat > 'h9999'"].map {
      countRange($0)
    }
    + [aggregate([.sum(key: "weight"), .average(key: "rank")], "hp = 7")]

  private static let changes = ["id = 7", "rank = 7.0", "hp is null", "name starts with 'abc'", "weight in (1, 2)"]
    .flatMap { [update($0), delete($0)] }

  // MARK: Asking

  var isPlannedForAnyValue: Bool { if case .countRange = self { false } else { true } }

  func run(on animals: AnyRepository<Animal>) async throws {
    switch self {
    case .find(let query, let sort, let limit, let offset):
      let query = try AnyQuery(parsing: query)
      _ = try await animals.findAll(FetchRequest(query, sortedBy: sort, limit: limit, offset: offset))
    case .findByKey: _ = try await animals.find(7)
    case .pageAfter(let animal, let sort):
      let cursor = try Animal.schema.cursor(at: animal, sortedBy: sort)
      _ = try await animals.findAll(FetchRequest(sortedBy: sort, limit: 20, after: cursor))
    case .pageBefore(let animal, let sort):
      let cursor = try Animal.schema.cursor(at: animal, sortedBy: sort)
      _ = try await animals.findAll(FetchRequest(sortedBy: sort, limit: 20, before: cursor))
    case .count(let query), .countRange(let query): _ = try await animals.count(try AnyQuery(parsing: query))
    case .aggregate(let aggregates, let query):
      _ = try await animals.aggregate(AggregateRequest(aggregates, of: try AnyQuery(parsing: query)))
    case .update(let query):
      _ = try await animals.update(where: try AnyQuery(parsing: query), set: [Assignment("note", "y")])
    case .delete(let query): _ = try await animals.delete(where: try AnyQuery(parsing: query))
    }
  }

  var description: String {
    switch self {
    case .find(let query, let sort, let limit, let offset):
      "find \(query), sort: \(sort), limit: \(limit.map(String.init) ?? "none"), offset: \(offset)"
    case .findByKey: "find by key"
    case .pageAfter(_, let sort): "the page after a row, sort: \(sort)"
    case .pageBefore(_, let sort): "the page before a row, sort: \(sort)"
    case .count(let query), .countRange(let query): "count \(query)"
    case .aggregate(let aggregates, let query): "\(aggregates.map(\.description).joined(separator: ", ")) of \(query)"
    case .update(let query): "update \(query)"
    case .delete(let query): "delete \(query)"
    }
  }
}

/// The statements that a store has run.
private final class StatementLog: Sendable {
  private let events = Mutex<[StatementEvent]>([])

  var observer: StatementObserver {
    StatementObserver(includingValues: true) { [self] event in events.withLock { $0.append(event) } }
  }

  /// Those that have a plan, once.
  func takePlanned() -> [StatementEvent] {
    let taken = events.withLock { events in
      defer { events = [] }
      return events
    }
    return taken.filter { event in
      event.sql.contains("animal") && ["SELECT", "UPDATE", "DELETE"].contains { event.sql.hasPrefix($0) }
    }
  }
}

// MARK: - Plans

extension SQLiteStore {
  /// https://www.sqlite.org/eqp.html
  fileprivate func plan(of sql: String) throws -> [String] {
    var lines: [String] = []
    try runBlocking(.write) { connection throws(RepositoryError) in
      try connection.query(CompiledStatement(sql: "EXPLAIN QUERY PLAN \(sql)", bindings: [])) { row in
        lines.append(row.text(at: 3) ?? "")
      }
    }
    return lines
  }
}

extension PostgresStore {
  /// The plan of a statement that was prepared as the store does it, with the types of its parameters inferred.
  ///
  /// - Parameter isGeneric: whether it is made for all values; otherwise as the server decides at its seventh run.
  fileprivate func plan(of statement: StatementEvent, isGeneric: Bool) throws -> [String] {
    let values = (statement.values ?? []).map { isGeneric ? "NULL" : PostgresDialect().literal($0) }
    let explanation =
      "EXPLAIN (COSTS OFF) EXECUTE explained" + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
    var lines: [String] = []
    try runBlocking(.write) { connection throws(RepositoryError) in
      try connection.execute("SET plan_cache_mode = \(isGeneric ? "force_generic_plan" : "auto")")
      try connection.execute("PREPARE explained AS \(statement.sql)")
      for _ in 0..<(isGeneric ? 1 : 7) {
        lines = []
        try connection.query(CompiledStatement(sql: explanation, bindings: [])) { row in
          lines.append(row.text(at: 0) ?? "")
        }
      }
      try connection.execute("DEALLOCATE explained")
      try connection.execute("RESET plan_cache_mode")
    }
    return lines
  }
}

extension [String] {
  /// What a plan of PostgreSQL does that SQLite does not.
  fileprivate func faults(besideSQLite plan: [String]) -> [String] {
    let nodes = map { $0.trimmingPrefix { $0 == " " || $0 == "-" || $0 == ">" } }
    var faults: [String] = []
    if nodes.contains(where: { $0.contains("Seq Scan on") }) { faults.append("reads the whole table") }
    // A constant condition needs no index.
    if plan.contains(where: { $0.hasPrefix("SEARCH") }), !nodes.contains(where: { $0.hasPrefix("Index Cond:") }) {
      faults.append("does not seek in an index")
    }
    // Of rows that are equal in the index, SQLite's has the order of their keys; the few that are found may be sorted.
    let findsEqual = plan.contains { $0.hasPrefix("SEARCH") && $0.contains("=?") }
    if !findsEqual, !plan.contains("USE TEMP B-TREE FOR ORDER BY"), !plan.contains("SCAN animal"),
      nodes.contains("Sort")
    {
      faults.append("sorts what an index has in order")
    }
    return faults
  }
}
