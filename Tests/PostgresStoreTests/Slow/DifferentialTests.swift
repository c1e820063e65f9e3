import PostgresStore
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// Asks memory, SQLite, PostgreSQL and a web API the same random questions. `REPOKIT_SEED=n make test-postgres ONLY=Differential`
/// replays a run, `make random` asks ten times as many, and `make soak MINUTES=n` goes on for longer, and until it has asked
/// `REPOKIT_QUESTIONS`.
@Suite("Random requests find the same in memory, in SQLite, in PostgreSQL and over HTTP", .tags(.slow), .requiresServer)
struct DifferentialTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("in tables of every sort", arguments: SampleTable.allCases)
  func sampleTables(_ table: SampleTable) async throws {
    let run = DifferentialRun(seed: Self.seed)
    try await run.ask(Effort.rounds(20_000, oneIn: 40), of: try table.schema())
    run.finish()
  }

  @Test("in random tables")
  func randomTables() async throws {
    let run = DifferentialRun(seed: Self.seed)
    for _ in 0..<Effort.rounds(200, oneIn: 40) { try await run.ask(350, of: .random(using: &run.random)) }
    run.finish()
  }

  @Test("in tables of other programs, which SQLite has none of", arguments: ForeignTable.allCases)
  func foreignTables(_ table: ForeignTable) async throws {
    let run = DifferentialRun(seed: Self.seed)
    // Of some, each is another table.
    let rounds = table.isRandom ? Effort.rounds(10, oneIn: 3) : 1
    for _ in 0..<rounds { try await run.ask(Effort.rounds(4_000 / rounds, oneIn: 40), of: table) }
    run.finish()
  }

  @Test("for as long as it is told", .enabled(if: Environment.number("REPOKIT_SOAK_MINUTES") != nil))
  func soak() async throws {
    let minutes = Double(Environment.number("REPOKIT_SOAK_MINUTES") ?? 0)
    let end = ContinuousClock.now + .seconds(60 * minutes)
    let run = DifferentialRun(seed: Self.seed)
    let leastCount = Environment.number("REPOKIT_QUESTIONS") ?? 0
    while ContinuousClock.now < end || run.asked < leastCount, !run.hasFailed {
      for table in SampleTable.allCases { try await run.ask(500, of: try table.schema()) }
      for _ in 0..<20 { try await run.ask(200, of: .random(using: &run.random)) }
      for table in ForeignTable.allCases { try await run.ask(500, of: table) }
    }
    print("\(run.asked) questions, seed \(Self.seed)")
  }
}

/// Questions from one seed, about as many tables as are wanted.
final class DifferentialRun {
  private let seed: UInt64
  var random: SplitMix64
  private(set) var asked = 0
  private(set) var answered = 0
  private(set) var hasFailed = false

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  /// Asks about a table that the stores make themselves.
  func ask(_ count: Int, of table: TableSchema) async throws {
    try await TestServer.withStore { store in
      let sqlite = try SQLiteStore.inMemory(timeout: TestServer.timeout)
      // The name of a route stands in the path of its requests.
      let isRoute = table.name.unicodeScalars.allSatisfy { $0 >= " " && $0 != "/" && $0 != "\u{7F}" }
      let web = !isRoute ? nil : try ServedStore(sqlite).repository(Schema(table))
      let arena = Arena(
        table: table,
        stores: [
          ("memory", try MemoryStore().repository(Schema(table))), ("SQLite", try sqlite.repository(Schema(table))),
          ("PostgreSQL", try store.repository(Schema(table))),
        ], web: web)
      var draw = RandomRequests(random: random, table: table, storesNUL: false)
      draw.expressionRate = 0.25
      let rows = (0..<100).map { _ in draw.row() }
      let kept = try await arena.stores[0].repository.saveWhatFits(rows, of: table)
      for (_, repository) in arena.stores.dropFirst() { try await repository.save(kept) }
      try await ask(count, of: arena, &draw)
      random = draw.random
    }
  }

  /// Asks about a table that another program has made in PostgreSQL.
  func ask(_ count: Int, of foreign: ForeignTable) async throws {
    try await TestServer.withStore { store in
      for statement in foreign.statements(using: &random) {
        try await store.sql.execute(SQLStatement(verbatim: statement))
      }
      let base = try store.schema(ofTable: foreign.base)
      var writer = RandomRequests(random: random, table: base, storesNUL: false)
      // Few numbers fit the small types.
      let rows = (0..<1_000).map { _ in writer.row() }
      let kept = try await store.repository(Schema(base)).saveWhatFits(rows, of: base)
      #expect(kept.count > 10, "seed \(seed)")
      let table = try store.schema(ofTable: foreign.rawValue)
      let repository = try store.repository(Schema(table))
      let found = try await repository.findAll(FetchRequest())
      let memory = try MemoryRepository(found, schema: Schema(table))
      let arena = Arena(
        table: table, stores: [("memory", AnyRepository(memory)), ("PostgreSQL", repository)],
        web: try ServedStore(store).repository(Schema(table)))
      var draw = RandomRequests(random: writer.random, table: table)
      draw.expressionRate = 0.25
      try await ask(count, of: arena, &draw)
      random = draw.random
    }
  }

  private func ask(_ count: Int, of arena: Arena, _ draw: inout RandomRequests) async throws {
    draw.rows = try await arena.rows().map(\.values)
    for _ in 0..<count {
      let question = Question.random(&draw)
      let answers = await arena.answers(to: question)
      asked += 1
      if case .rows = answers[0] { answered += 1 }
      if answers.areAlike { continue }
      hasFailed = true
      let report = try await arena.report(of: question)
      Issue.record(Comment(rawValue: "seed \(seed)\n\(report)"))
      return
    }
  }

  /// Few questions may be refused, or nothing would be compared. Decimals refuse arithmetic, and the operators of texts.
  func finish() {
    #expect(hasFailed || answered > asked / 5, "\(answered) of \(asked), seed \(seed)")
  }
}

extension AnyRepository<Record> {
  /// Saves those of random rows that break no rule of the table.
  ///
  /// - Returns: the records that were saved.
  fileprivate func saveWhatFits(_ rows: [[Value]], of table: TableSchema) async throws -> [Record] {
    // A column of another program's may be narrower than its values' type.
    let refusals: [RepositoryError.Code] = [.conflict, .constraint, .overflow, .invalidValue]
    var saved: [Record] = []
    for row in rows {
      let record = Record(values: row, in: table)
      do throws(RepositoryError) {
        try await save([record])
        saved.append(record)
      } catch {
        guard refusals.contains(error.code) else { throw error }
      }
    }
    return saved
  }
}

// MARK: - Tables

/// A table of the stores' own.
enum SampleTable: String, CaseIterable {
  case plain, indexed, keyless

  func schema() throws -> TableSchema {
    let types: [ValueType] = [.integer, .real, .text, .blob]
    let columns = types.flatMap { type in
      [true, false].map { isNullable in
        ColumnSchema(
          "\(type.rawValue)\(isNullable ? "" : "2")", type, isNullable: isNullable, isIndexed: self == .indexed)
      }
    }
    let keys: [SampleTable: [String]] = [.plain: ["id"], .indexed: ["text2", "integer2", "id"], .keyless: []]
    return try TableSchema(rawValue, columns: columns + [ColumnSchema("id", .integer)], primaryKey: keys[self] ?? [])
  }
}

extension TableSchema {
  /// A table of up to eight columns of any types, with keys and indexes as they come.
  static func random(using random: inout SplitMix64) -> TableSchema {
    while true {
      var columns: [ColumnSchema] = []
      for number in 0..<Int.random(in: 2...8, using: &random) {
        let name = RandomNames.pick("c\(number)", besides: columns.map(\.name), &random)
        columns.append(
          ColumnSchema(
            name, random.pick([.integer, .integer, .real, .text, .text, .blob] as [ValueType]),
            isNullable: number > 1 && random.chance(0.6), isUnique: random.chance(0.03),
            isIndexed: random.chance(0.4)))
      }
      let key = random.pick([[], [columns[0].name], [columns[1].name, columns[0].name]])
      let name = RandomNames.pick("random", besides: [], &random)
      if let table = try? TableSchema(name, columns: columns, primaryKey: key) { return table }
    }
  }
}

/// A table or a view that another program has made in PostgreSQL.
enum ForeignTable: String, CaseIterable {
  case numbers, texts, view, decimals, times, identifiers, words, mixed

  /// The table into which rows are written.
  var base: String { self == .view ? "texts" : rawValue }

  var isRandom: Bool { self == .mixed }

  /// Types of columns. One that has no binary form here has all values of its rows sent as texts.
  private static let types = [
    "int2", "int4", "int8", "float4", "float4", "float8", "boolean", "numeric(6)", "numeric(9,2)", "numeric",
    "numeric(20,2)", "text",
    "varchar(9)",
    "char(3)", "name", "bytea", "uuid", "timestamptz", "timestamp(3)", "date", "json", "jsonb", "mood",
  ]

  func statements(using random: inout SplitMix64) -> [String] {
    let texts = """
      CREATE TABLE texts (id int4 PRIMARY KEY, plain text, plain2 text COLLATE "POSIX" NOT NULL, short varchar(9), \
      ident name, bytes bytea)
      """
    // The order of a language, where the server was built with ICU.
    let collation = """
      DO $$BEGIN IF EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') THEN \
      ALTER TABLE texts ALTER plain TYPE text COLLATE "und-x-icu"; END IF; END$$
      """
    let indexes = ["CREATE INDEX ON texts (plain)", "CREATE INDEX ON texts (plain2)", "CREATE INDEX ON texts (short)"]
    switch self {
    case .numbers:
      return [
        """
        CREATE TABLE numbers (id int4 PRIMARY KEY, tiny int2, tiny2 int2 NOT NULL, whole int4, big int8, single float4, \
        single2 float4 NOT NULL, double float8)
        """, "CREATE INDEX ON numbers (tiny)", "CREATE INDEX ON numbers (single)",
      ]
    case .texts: return [texts, collation] + indexes
    case .decimals:
      return [
        "CREATE DOMAIN price AS numeric(9,2)",
        """
        CREATE TABLE decimals (id numeric(6) PRIMARY KEY, flag boolean, flag2 boolean NOT NULL, price price, \
        price2 numeric(15,1) NOT NULL, share numeric(3,3), count numeric(18), whole int8, double float8, \
        loose numeric, wide numeric(30,5))
        """, "CREATE INDEX ON decimals (flag)", "CREATE INDEX ON decimals (price)",
        "CREATE INDEX ON decimals (wide)",
      ]
    case .times:
      return [
        """
        CREATE TABLE times (at timestamptz, day date, local timestamp NOT NULL, coarse timestamptz(0), \
        local2 timestamp(3), day2 date NOT NULL, text text, PRIMARY KEY (local, day2))
        """, "CREATE INDEX ON times (at)", "CREATE INDEX ON times (day)",
      ]
    case .identifiers:
      return [
        """
        CREATE TABLE identifiers (id uuid PRIMARY KEY, other uuid, text text, flag boolean NOT NULL, UNIQUE (other, flag))
        """
      ]
    case .words:
      return [
        "CREATE TYPE mood AS ENUM ('b', 'a', '', 'ab', 'B', 'é', '1')",
        """
        CREATE TABLE words (id char(5) PRIMARY KEY, mood mood, json json, short char(3), text text, mood2 mood NOT NULL, \
        jsonb jsonb)
        """, "CREATE INDEX ON words (short)",
        // Where the extension can be had.
        """
        DO $$BEGIN IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citext') THEN \
        CREATE EXTENSION IF NOT EXISTS citext; \
        EXECUTE format('ALTER TABLE words ADD loose %s', (SELECT oid::regtype FROM pg_type WHERE typname = 'citext')); \
        END IF; END$$
        """,
      ]
    case .mixed:
      let columns = (0..<random.pick([2, 3, 5])).map { number in
        "c\(number) \(random.pick(Self.types))\(random.chance(0.3) ? " NOT NULL" : "")"
      }
      return [
        "CREATE TYPE mood AS ENUM ('b', 'a', '', 'ab', 'B', 'é', '1')",
        "CREATE TABLE mixed (id int4 PRIMARY KEY, single float4, \(columns.joined(separator: ", ")))",
      ]
    case .view:
      return [
        texts, collation,
        #"CREATE VIEW "view" AS SELECT id, plain, short, plain || 'x' AS longer, length(plain) AS long FROM texts"#,
      ]
    }
  }
}
