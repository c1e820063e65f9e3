import Foundation
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Maintenance")
struct MaintenanceTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let cities: SQLiteRepository<City>

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(path: folder.path("cities.sqlite"))
    cities = try store.repository(of: City.self)
    try cities.save((1...20_000).map { City(id: $0, name: "city \($0)", height: nil) })
  }

  private func size(_ name: String) throws -> Int {
    try Data(contentsOf: URL(filePath: folder.path(name))).count
  }

  @Test("A checkpoint empties the log, unless somebody still reads an older state")
  func checkpoint() async throws {
    #expect(try size("cities.sqlite-wal") > 0)
    #expect(try await store.checkpoint())
    #expect(try size("cities.sqlite-wal") == 0)
    try await store.read { _ in
      #expect(try await cities.count() == 20_000)
      let isComplete = try await Task.detached { [store, cities] in
        try await cities.delete([1])
        return try await store.checkpoint()
      }.value
      #expect(!isComplete)
    }
    #expect(try await store.checkpoint())
  }

  @Test("Vacuuming makes the file smaller, and keeps what is there")
  func vacuum() async throws {
    try await store.checkpoint()
    let before = try size("cities.sqlite")
    try await cities.delete(Array(2...20_000))
    try await store.vacuum()
    try await store.checkpoint()
    #expect(try size("cities.sqlite") < before / 10)
    #expect(try await cities.findAll().map(\.id) == [1])
  }

  @Test("Neither runs within a transaction")
  func withinTransaction() async throws {
    try await store.transaction { _ in
      try await cities.delete([1])
      await expectError(.unsupported, "within a transaction") { try await store.vacuum() }
      await expectError(.unsupported, "within a transaction") { try await store.checkpoint() }
    }
    #expect(try await cities.count() == 19_999)
  }
}
