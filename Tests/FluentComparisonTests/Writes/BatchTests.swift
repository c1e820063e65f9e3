import Repository
import Testing

@Suite("Many elements at once")
struct BatchTests {
  @Test("are inserted together, with their keys", arguments: StoreKind.allCases)
  func creating(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let drafts = "abcdefghijklmnopqrstuvwxyz".map {
      Moon(id: nil, name: String($0), planetID: 5, diameter: 2, discovered: nil)
    }
    let inserted = try await moons.insert(drafts)
    #expect(inserted.map { $0.id ?? 0 } == Array(11...36))
    #expect(try await moons.count() == 36)
  }

  @Test("all or none: the second of three is refused", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    await expectRefusal(.conflict) {
      try await missions.insert([
        Mission(id: 6, name: "Dawn", launched: 2007, ended: 2018),
        Mission(id: 7, name: "Juno", launched: 1, ended: nil),
        Mission(id: 8, name: "Galileo", launched: 1989, ended: 2003),
      ])
    }
    #expect(try await missions.count() == 5)
  }

  @Test("are deleted by their keys or by a query", arguments: StoreKind.allCases)
  func deleting(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    #expect(try await missions.delete([1, 2, 99]) == 2)
    #expect(try await missions.filter { $0.ended != nil }.delete() == 2)
    #expect(try await missions.delete(where: .true) == 1)
    #expect(try await missions.count() == 0)
  }
}

@Suite("A large batch")
struct LargeBatchTests {
  @Test("of any sequence, element by element, in one transaction", arguments: StoreKind.allCases)
  func sequence(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let count = try await moons.insert(
      contentsOf: (1...2_000).lazy.map { _ in
        Moon(id: nil, name: "grain", planetID: 6, diameter: 0.001, discovered: nil)
      })
    #expect(count == 2_000)
    #expect(try await moons.filter { $0.name == "grain" }.count() == 2_000)
    #expect(try await moons.selection().aggregate(.max(\.id)) == 2_010)
  }
}

@Suite("Writers at the same time")
struct ConcurrentWriteTests {
  @Test("all succeed, one after another, and each gets a key of its own", arguments: StoreKind.allCases)
  func together(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let keys = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 1...20 {
        group.addTask {
          try await moons.insert(
            Moon(id: nil, name: "\(number)", planetID: 5, diameter: 1, discovered: nil)
          ).id
        }
      }
      return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
    }
    #expect(keys == Set((11...30).map(Optional.init)))
  }
}
