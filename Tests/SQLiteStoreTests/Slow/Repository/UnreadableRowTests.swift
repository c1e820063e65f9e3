import Foundation
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// Which store is asked.
enum TestedStore: CaseIterable {
  case memory, sqlite

  func make() throws -> any Store {
    switch self {
    case .memory: MemoryStore()
    case .sqlite: try SQLiteStore.inMemory()
    }
  }
}

@Suite("Rows that can't be read")
struct UnreadableRowTests {
  enum Level: String, ValueConvertible { case low, high }

  struct Alarm: Entity, Hashable {
    let id: Int
    var level: Level
    static let schema = Schema("alarm", Alarm.init, Column("id", \.id), Column("level", \.level))
  }

  struct OlderAlarm: Entity, Hashable {
    let id: Int
    var level: String
    static let schema = Schema("alarm", OlderAlarm.init, Column("id", \.id), Column("level", \.level))
  }

  @Test("are left out and listed by key, column and reason where that is asked for", arguments: TestedStore.allCases)
  func listed(tested: TestedStore) async throws {
    let store = try tested.make()
    let older = try store.repository(OlderAlarm.schema)
    try await older.save([
      OlderAlarm(id: 1, level: "low"), OlderAlarm(id: 2, level: "middle"), OlderAlarm(id: 3, level: "high"),
      OlderAlarm(id: 4, level: "s3cr3t"),
    ])
    let alarms = try store.repository(Alarm.schema).retrying()
    // The first elements check the schema, and are read otherwise.
    try await alarms.save(Alarm(id: 1, level: .low))
    let error = await #expect(throws: RepositoryError.self) { try await alarms.findAll() }
    #expect(error?.summary == "can't read row 2 of alarm, column level")
    let result = try await alarms.selection().readable()
    #expect(result.elements == [Alarm(id: 1, level: .low), Alarm(id: 3, level: .high)])
    #expect(result.unreadable.map(\.key) == [[2], [4]])
    #expect(result.unreadable.map(\.column) == ["level", "level"])
    #expect(result.unreadable.map(\.error.code) == [.unreadableRow, .unreadableRow])
    #expect(result.unreadable.first?.error.summary == "can't read row 2 of alarm, column level")
    #expect(!"\(result.unreadable)".contains("s3cr3t"))
    let last = try await alarms.findAllReadable(
      FetchRequest(.greaterThan(key: "id", value: 2), sortedBy: AnySort(parsing: "-id"), limit: 2))
    #expect(last.elements.map(\.id) == [3] && last.unreadable.map(\.key) == [[4]])
    try await older.delete(result.unreadable.compactMap { $0.key?.first }.map { try Int(value: $0) })
    #expect(try await alarms.selection().readable().unreadable.isEmpty)
  }

  struct NamedAlarm: Entity, Hashable {
    let id: String
    var level: Level
    static let schema = newSchema()

    static func newSchema() -> Schema<NamedAlarm> {
      Schema("alarm", NamedAlarm.init, Column("id", \.id), Column("level", \.level))
    }
  }

  /// The first 64 elements of a schema check it, and are read in another way than later ones.
  @Test("are told by their number where the key is a text, which may be private", arguments: [1, 3, 64, 65, 70])
  func number(row: Int) async throws {
    let store = try SQLiteStore.inMemory()
    let alarms = try store.repository(of: NamedAlarm.self)
    try await alarms.save((10..<90).map { NamedAlarm(id: "s3cr3t\($0)", level: .low) })
    // A schema that has checked nothing yet, and one that has.
    for schema in [NamedAlarm.newSchema(), NamedAlarm.schema] {
      let id = "s3cr3t\(row + 9)"
      try await store.sql.execute("UPDATE alarm SET level = 'middle' WHERE id = \(id)")
      let error = await #expect(throws: RepositoryError.self) {
        try await store.repository(schema).findAll(FetchRequest(sortedBy: AnySort(parsing: "id")))
      }
      #expect(error?.summary == "can't read row \(row) of the result from alarm, column level")
      #expect(error.map { "\($0)".contains("s3cr3t") } == false)
    }
  }

  struct Team: Entity, Hashable {
    struct Member: Codable, Hashable { var name: String; var levels: [Int] }
    let id: Int
    var members: [Member]
    static let schema = Schema("team", Team.init, Column("id", \.id), Column("members", json: \.members))
  }

  @Test(
    "tell where JSON does not decode, and no value of it",
    arguments: [
      (#"[{"name":"a","levels":[]},{"levels":[]}]"#, " at $[1]: the key name is missing"),
      (#"[{"name":"a","levels":[1,"s3cr3t"]}]"#, " at $[0].levels[1]: the value is not Int"),
      (#"[{"name":null,"levels":[]}]"#, " at $[0].name: found null instead of String"),
      ("s3cr3t", ": the text is not JSON"),
    ])
  func codingPath(json: String, place: String) async throws {
    let store = try SQLiteStore.inMemory()
    let teams = try store.repository(of: Team.self)
    try await store.sql.execute("INSERT INTO team VALUES (1, \(json))")
    let error = await #expect(throws: RepositoryError.self) { try await teams.findAll() }
    #expect(error?.reason == "the stored text is not JSON of Array<Member>\(place)")
    #expect(error?.suggestion?.contains("correct the row") == true)
    #expect(error.map { "\($0)".contains("s3cr3t") } == false)
  }
}

@Suite("Stores that can't open in the requested way state the reason")
struct StoreMessageTests {
  @Test("A missing file is named, and why it is not created", arguments: [OpenMode.existing, .readOnly])
  func missingFile(mode: OpenMode) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    expectError(
      .cannotOpen, summary: "there is no database file \(path)", reason: "the mode does not allow creating a file",
      suggestion: "check the path, or open the database with the mode `.create`"
    ) { try SQLiteStore(path: path, mode: mode) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A table that is missing where nothing may be created is named")
  func missingTable() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    defer { for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) } }
    let store = try SQLiteStore(path: path)
    _ = try store.repository(of: UnreadableRowTests.Team.self)
    let reader = try SQLiteStore(path: path, mode: .readOnly)
    expectError(
      .missingTable, summary: "there is no table alarm", reason: "the store is read-only and can't create the table",
      suggestion: "check the path of the database, or open the database once for writing"
    ) { try reader.repository(of: UnreadableRowTests.Alarm.self) }
  }
}
