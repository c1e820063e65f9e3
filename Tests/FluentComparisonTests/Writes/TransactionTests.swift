import Repository
import Testing

private struct Abort: Error {}

@Suite("Transactions")
struct TransactionTests {
  @Test("keep all of it, or nothing when the closure throws", arguments: StoreKind.allCases)
  func rollback(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    await #expect(throws: Abort.self) {
      try await sky.store.transaction { _ in
        try await sky.planets.insert(
          Planet(id: 11, name: "Pluto", kind: .rocky, radius: 1_188.3, discovered: 1930, starID: 1))
        try await sky.moons.insert(Moon(id: nil, name: "Charon", planetID: 11, diameter: 1_212, discovered: 1978))
        #expect(try await sky.planets.filter { $0.name == "Pluto" }.exists())
        throw Abort()
      }
    }
    #expect(try await !sky.planets.filter { $0.name == "Pluto" }.exists())
    #expect(try await sky.moons.count() == 10)
  }

  @Test("return the result of the closure", arguments: StoreKind.allCases)
  func result(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let charon = try await sky.store.transaction { _ in
      try await sky.planets.insert(Planet(id: 11, name: "Pluto", kind: .rocky, radius: nil, discovered: nil, starID: 1))
      return try await sky.moons.insert(Moon(id: nil, name: "Charon", planetID: 11, diameter: 1_212, discovered: nil))
    }
    #expect(charon.id == 11)
    #expect(try await sky.planets.count() == 11)
  }
}

@Suite("Transactions within transactions")
struct NestedTransactionTests {
  @Test("fail alone, and the one around them goes on", arguments: StoreKind.allCases)
  func nested(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    try await sky.store.transaction { outer in
      try await sky.missions.delete(1)
      await #expect(throws: Abort.self) {
        try await outer.transaction { _ in
          try await sky.missions.delete(2)
          throw Abort()
        }
      }
      _ = try await sky.store.transaction { _ in try await sky.missions.delete(3) }
    }
    #expect(try await sky.missions.findAll().map(\.id) == [2, 4, 5])
  }

  @Test("are undone with the one around them", arguments: StoreKind.allCases)
  func undone(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    await #expect(throws: Abort.self) {
      try await sky.store.transaction { outer in
        _ = try await outer.transaction { _ in try await sky.missions.delete(2) }
        throw Abort()
      }
    }
    #expect(try await sky.missions.count() == 5)
  }
}

@Suite("Reads of one state")
struct SnapshotTests {
  @Test("see no concurrent writes, and can't write", arguments: StoreKind.allCases)
  func snapshot(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let counts = try await sky.store.read { _ in
      let before = try await sky.missions.count()
      // Another task is not within this read.
      try await Task.detached { _ = try await sky.missions.delete(5) }.value
      await expectRefusal(.writeInsideRead) { try await sky.missions.delete(4) }
      return [before, try await sky.missions.count()]
    }
    #expect(counts == [5, 5])
    #expect(try await sky.missions.count() == 4)
  }
}
