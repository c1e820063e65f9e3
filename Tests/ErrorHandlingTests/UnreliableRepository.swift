import Repository
import Synchronization

/// A repository in memory whose first calls fail.
final class UnreliableRepository<Element: Entity>: Repository {
  private let base: MemoryRepository<Element>
  private let errors: Mutex<[RepositoryError]>

  /// - Parameter codes: what the first calls fail with, one each.
  init(_ elements: [Element] = [], failing codes: RepositoryError.Code...) throws {
    base = try MemoryRepository(elements)
    errors = Mutex(codes.map { RepositoryError($0, "the Pokédex does not answer") })
  }

  private func fail() throws(RepositoryError) {
    if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
  }

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    try fail()
    return try base.find(id)
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    try fail()
    return try base.findAll(request)
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try fail()
    return try base.count(query)
  }

  func save(_ elements: [Element]) throws(RepositoryError) {
    try fail()
    try base.save(elements)
  }

  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    try fail()
    return try base.delete(ids)
  }

  func changes(_ request: FetchRequest) -> Changes<Element> { base.changes(request) }
}
