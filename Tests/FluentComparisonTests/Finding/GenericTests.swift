import Repository
import Testing

/// What has a name and a schema with a column for it.
private protocol Named: Entity {
  var name: String { get }
}

extension Star: Named {}
extension Mission: Named {}

extension Repository where Element: Named {
  /// By key, because a key path of the protocol is none of the type's.
  fileprivate func named(_ name: String) async throws(RepositoryError) -> Element? {
    try await filter(.equal(key: "name", value: name)).first()
  }
}

@Suite("One function for several types of elements")
struct GenericTests {
  @Test("is an extension of repositories", arguments: StoreKind.allCases)
  func both(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    #expect(try await sky.stars.named("Sirius")?.spectralClass == .a)
    #expect(try await sky.missions.named("Juno")?.launched == 2011)
    #expect(try await sky.missions.named("Sirius") == nil)
  }

  @Test("a key path of a protocol is refused, before anything runs", arguments: StoreKind.allCases)
  func keyPath(kind: StoreKind) async throws {
    func named<Element: Named>(_ name: String, in elements: AnyRepository<Element>) async throws -> [Element] {
      try await elements.findAll(where: { $0.name == name })
    }
    let sky = try await Sky(kind)
    await expectRefusal(.invalidQuery) { try await named("Sirius", in: sky.stars) }
  }
}
