import Foundation
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// What another program keeps for a UUID or a date, and what becomes of it.
struct NonCanonicalValue: Sendable, CustomTestStringConvertible {
  let column: String
  /// The value as SQL.
  let stored: String
  let phrase: String
  let converted: String

  init(_ column: String, _ stored: String, _ phrase: String, _ converted: String) {
    (self.column, self.stored, self.phrase, self.converted) = (column, stored, phrase, converted)
  }

  var testDescription: String { "\(column) \(stored)" }
}

@Suite("UUIDs and dates as other programs keep them")
struct NonCanonicalFormTests {
  struct Event: Entity, Hashable {
    let id: UUID
    var title: String
    var created: Date
    var ended: Date?
    static let schema = Schema(
      "event", Event.init, Column("id", \.id), Column("title", \.title), Column("created", \.created),
      Column("ended", \.ended))
  }

  static let id = "e621e1f8-c36c-495a-93fc-000c247a3e6e"
  static let loose = "a date without seconds, or with `t`, `z`, `UTC` or `GMT`"
  static let instant = "2024-01-02T23:00:00.000000000Z"
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
    try run(
      "CREATE TABLE event (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, created DATETIME NOT NULL, ended DATETIME)"
    )
  }

  private func run(_ sql: String) throws { try store.blocking.sql.execute(SQLStatement(verbatim: sql)) }

  private func insert(id: String = "'\(id)'", created: String = "'\(instant)'", ended: String = "NULL") throws {
    try run("INSERT INTO event VALUES (\(id), 'a', \(created), \(ended))")
  }

  private func texts(_ column: String) throws -> [String] {
    try store.blocking.sql.query(SQLStatement(verbatim: "SELECT \(column) FROM event ORDER BY rowid"), as: String.self)
  }

  @Test(
    "A table that holds them is not opened, and the statement that the error tells converts them",
    arguments: [
      NonCanonicalValue("id", "'\(id.uppercased())'", "a UUID in capital letters", id),
      NonCanonicalValue("id", "'E621e1f8-c36c-495a-93fc-000c247a3e6e'", "a UUID in capital letters", id),
      NonCanonicalValue("id", "'E621E1F8C36C495A93FC000C247A3E6E'", "a UUID without hyphens", id),
      NonCanonicalValue("id", "x'E621E1F8C36C495A93FC000C247A3E6E'", "a UUID as 16 bytes", id),
      NonCanonicalValue("created", "'2024-01-02T23:00:00Z'", "a date with another number of fraction digits", instant),
      NonCanonicalValue(
        "created", "'2024-01-02T23:00:00.123Z'", "a date with another number of fraction digits",
        "2024-01-02T23:00:00.123000000Z"),
      NonCanonicalValue(
        "created", "'1962-01-02T23:00:00.123456Z'", "a date with another number of fraction digits",
        "1962-01-02T23:00:00.123456000Z"),
      NonCanonicalValue(
        "ended", "'2024-01-02 23:00:00.000'", "a date without `T` or time zone", instant),
      NonCanonicalValue("created", "'2024-01-02 23:00:00'", "a date without `T` or time zone", instant),
      NonCanonicalValue("created", "'2024-01-02 23:00:00.000000000Z'", "a date without `T` or time zone", instant),
      NonCanonicalValue(
        "created", "'2024-01-02T23:00:00.5'", "a date without `T` or time zone", "2024-01-02T23:00:00.500000000Z"),
      NonCanonicalValue("created", "'2024-01-03T00:00:00+01:00'", "a date with an offset from UTC", instant),
      NonCanonicalValue(
        "created", "'2023-12-31 19:30:00.123456-05:30'", "a date with an offset from UTC",
        "2024-01-01T01:00:00.123456000Z"),
      NonCanonicalValue("created", "'2024-01-03T00:00:00+0100'", "a date with an offset from UTC", instant),
      NonCanonicalValue("created", "'2024-01-02 23:00:00 +0000'", "a date with an offset from UTC", instant),
      NonCanonicalValue(
        "ended", "'2024-01-02 18:00:00.25-05'", "a date with an offset from UTC", "2024-01-02T23:00:00.250000000Z"),
      NonCanonicalValue("id", "'{\(id)}'", "a UUID in braces or as a URN", id),
      NonCanonicalValue("id", "'{\(id.uppercased())}'", "a UUID in braces or as a URN", id),
      NonCanonicalValue("id", "'urn:uuid:\(id)'", "a UUID in braces or as a URN", id),
      NonCanonicalValue("id", "'URN:UUID:\(id.uppercased())'", "a UUID in braces or as a URN", id),
      NonCanonicalValue("created", "'2024-01-02 23:00'", loose, instant),
      NonCanonicalValue("created", "'2024-01-02T23:00Z'", loose, instant),
      NonCanonicalValue("created", "'2024-01-02T23:00z'", loose, instant),
      NonCanonicalValue("created", "'2024-01-03T00:00+01:00'", loose, instant),
      NonCanonicalValue("created", "'2024-01-02 18:00 -0500'", loose, instant),
      NonCanonicalValue("created", "'2024-01-02t23:00:00z'", loose, instant),
      NonCanonicalValue("created", "'2024-01-02T23:00:00.000000000z'", loose, instant),
      NonCanonicalValue("created", "'2024-01-03t00:00:00.25+01'", loose, "2024-01-02T23:00:00.250000000Z"),
      NonCanonicalValue("created", "'2024-01-02 23:00:00 UTC'", loose, instant),
      NonCanonicalValue("ended", "'2024-01-02 23:00:00.5 GMT'", loose, "2024-01-02T23:00:00.500000000Z"),
      NonCanonicalValue("ended", "'2024-01-02T23:00 gmt'", loose, instant),
      NonCanonicalValue("ended", "'2024-02-29'", "a day without a time", "2024-02-29T00:00:00.000000000Z"),
    ])
  func conversion(value: NonCanonicalValue) throws {
    switch value.column {
    case "id": try insert(id: value.stored)
    case "created": try insert(created: value.stored)
    default: try insert(ended: value.stored)
    }
    let opening = #expect(throws: RepositoryError.self) { try store.repository(of: Event.self) }
    #expect(opening?.code == .schemaMismatch)
    #expect(opening?.reason?.contains("column \(value.column) contains \(value.phrase), which no query for") == true)
    let difference = try #require(try store.schemaDifferences(of: Event.schema).first { $0.kind == .format })
    #expect(difference.summary.contains("contains \(value.phrase) in 1 row, which no query for"))
    let statement = try #require(difference.statements.first)
    #expect(opening?.suggestion == "run: \(statement)")
    for _ in 0..<2 {
      try run(statement)
      #expect(try texts(value.column) == [value.converted])
    }
    let events = try store.sqlRepository(of: Event.self)
    let key = try #require(UUID(uuidString: Self.id))
    let found: Event? = try events.blocking.find(key)
    let event = try #require(found)
    #expect(try events.blocking.count(.equal(key: "created", value: event.created)) == 1)
    #expect(try event.ended.map { try events.blocking.count(.greaterThanOrEqual(key: "ended", value: $0)) } ?? 1 == 1)
    try events.blocking.save([event])
    #expect(try events.blocking.count(.true) == 1)
  }

  @Test(
    "A day or a time that there is not stays as it is, whatever form it has",
    arguments: [
      ("2024-02-29", "2024-02-30"), ("2024-04-30T10:00:00Z", "2024-04-31T10:00:00Z"),
      ("2023-02-28 10:00:00", "2023-02-29 10:00:00"), ("2023-02-28 10:00:00", "2023-02-28 24:00:00"),
      ("2024-02-29T10:00:00+01:00", "2024-02-30T10:00:00+01:00"),
      ("2024-02-29T10:00:00+0100", "2024-02-29T24:00:00+0100"),
      ("2024-02-29 10:00", "2024-02-30 10:00"), ("2024-02-29t10:00:00z", "2024-02-29t10:00:00zz"),
      ("2024-02-29 10:00:00 UTC", "2024-02-29 10:00:00 PST"), ("2024-02-29 10:00", "2024-02-29 10:00.5"),
      ("2024-02-29 10:00 UTC", "2024-02-29 10:00Z UTC"), ("2024-02-29 10:00 UTC", "2024-02-29 10:00+01 UTC"),
    ])
  func impossibleDays(possible: String, impossible: String) throws {
    try insert(created: "'\(possible)'")
    try insert(id: "'\(Self.id.dropLast())0'", created: "'\(impossible)'")
    let difference = try #require(try store.schemaDifferences(of: Event.schema).first { !$0.statements.isEmpty })
    try run(try #require(difference.statements.first))
    let texts = try texts("created")
    #expect(texts.first?.hasSuffix("00.000000000Z") == true)
    #expect(texts.last == impossible)
  }

  @Test(
    "What the values alone don't tell is left alone, and the error says so",
    arguments: [
      ("1704236400", "if the column counts seconds since 1970, convert it: UPDATE"),
      ("725929200.5", "store the value as a `Double`, or convert the numbers to dates in a migration"),
      ("'2024-01-02T23:00:00.123456789Z'", "store the value as a `String`, or cut the fraction to six digits"),
    ])
  func unknown(stored: String, advice: String) async throws {
    let events = try store.sqlRepository(of: Event.self)
    try insert(created: stored)
    #expect(try store.schemaDifferences(of: Event.schema).map(\.statements) == [[]])
    let error = await #expect(throws: RepositoryError.self) { try await events.findAll() }
    #expect(error?.code == .unreadableRow)
    #expect(error?.suggestion?.hasPrefix(advice) == true, "\(error?.suggestion ?? "")")
    expectError(suggestion: "change the property to the stored type, or convert the column in a migration") {
      try store.repository(of: Event.self)
    }
  }

  @Test("Rows with what is no date are told of without keeping the table from being opened", arguments: [1, 5])
  func nothing(count: Int) throws {
    _ = try store.repository(of: Event.self)
    try insert()
    for number in 1...count { try insert(id: "'\(Self.id.dropLast())\(number)'", created: "'yesterday'") }
    let difference = try #require(try store.schemaDifferences(of: Event.schema).first)
    #expect(difference.kind == .format && difference.isTolerable && difference.statements == [])
    let place = count == 1 ? "a row" : "\(count) rows"
    #expect(difference.summary == "column created contains values other than dates in \(place)")
    _ = try store.repository(of: Event.self)
  }

  @Test("Seconds since 1970 and since 2001 are converted by the statement for each")
  func seconds() async throws {
    let events = try store.sqlRepository(of: Event.self)
    for (stored, part) in [("1704236400", 0), ("725929200", 1)] {
      try run("DELETE FROM event")
      try insert(created: stored)
      let error = await #expect(throws: RepositoryError.self) { try await events.findAll() }
      let statements = error?.suggestion?.components(separatedBy: "; if since 2001: ") ?? []
      try run(statements[part].components(separatedBy: "convert it: ").last ?? "")
      #expect(try texts("created") == [Self.instant])
    }
  }

  @Test("A row that another program adds later is an error when it is read, with the statement")
  func laterRow() async throws {
    let events = try store.sqlRepository(of: Event.self)
    for _ in 0..<100 { try await events.save([Event(id: UUID(), title: "b", created: .now, ended: nil)]) }
    // Neither among the first rows nor among the greatest keys.
    try insert(id: "'00000000-C36C-495A-93FC-000C247A3E6E'")
    _ = try store.repository(of: Event.self)
    let error = await #expect(throws: RepositoryError.self) { try await events.findAll() }
    #expect(error?.summary == "can't read row 1 of the result from event, column id")
    #expect(error?.reason == "expected a UUID like \(Self.id), found a UUID in capital letters")
    let statement = try #require(error?.suggestion?.split(separator: "convert the column: ").first)
    #expect(try store.schemaDifferences(of: Event.schema).flatMap(\.statements) == [String(statement)])
    try run(String(statement))
    #expect(try await events.findAll().count == 101)
    #expect(try store.schemaDifferences(of: Event.schema) == [])
  }

  @Test("Where both spellings of a key are there, the conversion is a conflict that changes nothing")
  func bothSpellings() throws {
    try insert()
    try insert(id: "'\(Self.id.uppercased())'")
    let statement = try #require(try store.schemaDifferences(of: Event.schema).flatMap(\.statements).first)
    #expect(throws: RepositoryError.self) { try run(statement) }
    #expect(try texts("id") == [Self.id, Self.id.uppercased()])
  }

  @Test("Keys and what refers to them are converted in one transaction that looks at references at its end")
  func references() throws {
    try run("CREATE TABLE note (id INTEGER PRIMARY KEY, event TEXT NOT NULL REFERENCES event (id))")
    try insert(id: "'\(Self.id.uppercased())'")
    try run("INSERT INTO note VALUES (1, '\(Self.id.uppercased())')")
    try store.blocking.transaction { transaction in
      for statement in [
        "PRAGMA defer_foreign_keys = ON", "UPDATE event SET id = lower(id)", "UPDATE note SET event = lower(event)",
      ] {
        try transaction.sql.execute(SQLStatement(verbatim: statement))
      }
    }
    #expect(try texts("id") == [Self.id])
  }

  @Test(
    "Both stores refuse a comparison with another form, also where the statement is known", arguments: [true, false])
  func comparisons(isInMemory: Bool) async throws {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let events = try store.repository(of: Event.self)
    let id = try #require(UUID(uuidString: Self.id))
    let event = Event(id: id, title: "a", created: Date(timeIntervalSince1970: 1_704_236_400.123), ended: nil)
    try await events.insert([event])
    #expect(try await events.findAll(where: { $0.created == event.created && $0.id.in([id]) }) == [event])
    #expect(try await events.selection().aggregate(.max(\.created)) == event.created)
    #expect(try await events.selection().grouped(by: \.created).aggregate(.count).map(\.key) == [event.created])
    for query in ["id = '\(Self.id)'", "id in ('\(Self.id)')", "created >= '2024-01-02'"] {
      #expect(try await events.count(AnyQuery(parsing: query)) == 1)
    }
    for query in [
      "id = '\(Self.id.uppercased())'", "id in ('\(Self.id.uppercased())')", "created >= '2024-01-02 22:00:00'",
    ] {
      await expectError(.invalidQuery) {
        try await events.count(AnyQuery(parsing: query))
      }
    }
    await #expect(throws: RepositoryError.self) {
      try await events.update(where: .true, set: [Assignment("created", "2024-01-02 23:00:00")])
    }
    let page = try await events.sorted { $0.created.descending }.page(size: 1)
    #expect(page.elements == [event] && page.next == nil)
  }
}
