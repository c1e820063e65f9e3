import PostgresStore
import Query
import Repository
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("Many elements are inserted as one by one", .requiresServer)
struct BulkInsertTests {
  private struct Measure: Entity, Equatable {
    var id: Int
    var place: String?
    var weight: Double

    static let schema = Schema(
      "measures", Measure.init, Column("id", \.id), Column("place", \.place, .unique), Column("weight", \.weight))
  }

  /// What is wrong with one of the elements.
  enum Fault: CaseIterable, Sendable {
    case key, unique, notANumber
  }

  private static func measures(_ count: Int, _ faults: [(Fault, at: Int)] = []) -> [Measure] {
    var measures = (0..<count).map {
      Measure(id: $0, place: $0.isMultiple(of: 3) ? nil : "place \($0)", weight: Double($0) / 4)
    }
    for (fault, position) in faults {
      switch fault {
      case .key: measures[position].id = 7
      case .unique: measures[position].place = "place 7"
      case .notANumber: measures[position].weight = .nan
      }
    }
    return measures
  }

  // A single copy takes 40,000 of them.
  @Test("as many as there are", arguments: [8, 4_000, 41_000])
  func inserts(count: Int) async throws {
    try await TestServer.withSchema { connection in
      let repository = try PostgresStore(connection, notifies: false).repository(of: Measure.self)
      let measures = Self.measures(count)
      try await repository.insert(measures)
      #expect(try await repository.findAll() == measures)
    }
  }

  @Test("with the error of the first that is refused", arguments: Fault.allCases, Fault.allCases)
  func refuses(_ first: Fault, _ second: Fault) async throws {
    try await TestServer.withSchema { connection in
      let measures = Self.measures(9_000, [(first, at: 4_321), (second, at: 8_765)])
      let postgres = try PostgresStore(connection, notifies: false).repository(of: Measure.self)
      let sqlite = try SQLiteStore.inMemory().repository(of: Measure.self)
      let error = await #expect(throws: RepositoryError.self) { try await postgres.insert(measures) }
      let expected = await #expect(throws: RepositoryError.self) { try await sqlite.insert(measures) }
      #expect(error?.code == expected?.code)
      #expect(error?.summary == expected?.summary)
      #expect(try await postgres.count() == 0)
      try await postgres.insert(Self.measures(9))
      #expect(try await postgres.count() == 9)
    }
  }

  /// A value that asks its own store while it is written.
  private struct Inquiry: ValueConvertible, Equatable {
    static let valueType = ValueType.integer
    static let ask = Mutex<(@Sendable () -> Int)?>(nil)

    var number: Int

    func makeValue() throws(ValueError) -> Value { .integer(Int64(number + (Self.ask.withLock(\.self)?() ?? 0))) }

    init(_ number: Int) { self.number = number }

    init(value: Value) throws(ValueError) { number = try Int(value: value) }
  }

  private struct Asking: Entity {
    let id: Int
    let inquiry: Inquiry

    static let schema = Schema("asking", Asking.init, Column("id", \.id), Column("inquiry", \.inquiry))
  }

  @Test("also where one asks its store meanwhile")
  func asks() async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, notifies: false)
      let measures = try store.sqlRepository(of: Measure.self)
      try await measures.insert(Self.measures(5))
      let repository = try store.repository(of: Asking.self)
      Inquiry.ask.withLock { $0 = { (try? measures.blocking.count(.true)) ?? -1 } }
      defer { Inquiry.ask.withLock { $0 = nil } }
      try await repository.insert((0..<20).map { Asking(id: $0, inquiry: Inquiry(0)) })
      #expect(try await repository.count(.equal(key: "inquiry", value: 5)) == 20)
    }
  }
}
