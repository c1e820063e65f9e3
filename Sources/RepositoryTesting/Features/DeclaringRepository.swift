import Query
import Repository

/// A repository whose requests are watched for what is declared as unsupported.
struct DeclaringRepository<Element: Storable>: Repository {
  let base: AnyRepository<Element>
  let declaration: Declaration

  func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    try await declaration.run(needing: []) { () async throws(RepositoryError) in try await base.find(id) }
  }

  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    try await declaration.run(needing: RepositoryFeature.needed(by: request)) { () async throws(RepositoryError) in
      try await base.findAll(request)
    }
  }

  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try await declaration.run(needing: RepositoryFeature.needed(by: query)) { () async throws(RepositoryError) in
      try await base.count(query)
    }
  }

  func save(_ elements: [Element]) async throws(RepositoryError) {
    try await write("save \(elements.count) elements", needing: elements.count > 1 ? [.batches] : []) {
      () async throws(RepositoryError) in try await base.save(elements)
    }
  }

  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try await write("delete \(ids.count) keys", needing: ids.count > 1 ? [.batches, .deleting] : [.deleting]) {
      () async throws(RepositoryError) in try await base.delete(ids)
    }
  }

  func changes(_ request: FetchRequest) -> Changes<Element> { base.changes(request) }

  /// Writes, and sees to it that a refusal changes nothing.
  private func write<Answer>(
    _ question: String, needing features: Set<RepositoryFeature>, _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    if features.isDisjoint(with: declaration.unsupported) {
      return try await declaration.run(needing: features, isWriting: true, body)
    }
    let before = try await base.count(.true)
    do throws(RepositoryError) {
      return try await declaration.run(needing: features, isWriting: true, body)
    } catch {
      let after = try await base.count(.true)
      if LeftOut(error) != nil, after != before {
        declaration.record(
          Deviation(
            question: "\(question), which is refused, and count", expected: "\(before), as before", found: "\(after)"))
      }
      throw error
    }
  }
}
