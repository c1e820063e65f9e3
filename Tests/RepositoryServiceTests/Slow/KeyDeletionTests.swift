import Repository
import RepositoryService
import Synchronization
import Testing

@Suite("A deletion by keys of several columns")
struct KeyDeletionTests {
  /// Keys, the rows of which are deleted one after another.
  private static let keys = (0..<3).map { Place.ID(x: $0, y: $0 + 10_000) }

  private static func body(_ fields: String = "") -> String {
    let texts = keys.map { "\"[\($0.x),\($0.y)]\"" }.joined(separator: ",")
    return "{\"keys\":[\(texts)]\(fields)}"
  }

  @Test("deletes nothing where the store refuses the last of them", arguments: ["", #","return":true"#])
  func refusedPart(fields: String) async throws {
    let store = MemoryStore()
    let places = try store.repository(of: Place.self)
    try await places.save(Self.keys.map { Place(x: $0.x, y: $0.y, name: "n") })
    let refusing = RefusesSecondDeletion(base: places)
    let service = try RepositoryService(transactionsIn: store) {
      Route("places", refusing).reading(\.x, \.y, \.name).writing(\.name, by: [.save, .deleteByQuery]).allowing(.all)
    }
    let refused = try await service.answer("POST", "/places:delete", Self.body(fields))
    #expect(refused.status == 409, "\(refused)")
    #expect(refusing.deletions.withLock(\.self) == 2)
    #expect(try await places.count() == Self.keys.count)
    let deleted = try await service.answer("POST", "/places:delete", Self.body(fields))
    #expect(deleted.status == 200)
    #expect(try await places.count() == 0)
  }
}

/// A repository that refuses the second deletion, as where a row of another table refers to one of the rows.
private final class RefusesSecondDeletion: RepositoryDecorator {
  let base: AnyRepository<Place>
  let deletions = Mutex(0)

  init(base: AnyRepository<Place>) { self.base = base }

  private func noteDeletion() throws(RepositoryError) {
    let isSecond = deletions.withLock { count in
      count += 1
      return count == 2
    }
    if isSecond { throw RepositoryError(.restrictViolation, "rows of visit refer to a place that was to be deleted") }
  }

  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try noteDeletion()
    return try await base.delete(where: query)
  }

  func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Place] {
    try noteDeletion()
    return try await base.deleteReturning(where: query)
  }
}
