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

  func figures(_ request: FigureRequest) async throws(RepositoryError) -> [FigureRow] {
    try await declaration.run(needing: RepositoryFeature.needed(by: request)) { () async throws(RepositoryError) in
      try await base.figures(request)
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

  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    let features: Set<RepositoryFeature> = elements.count > 1 ? [.inserting, .batches] : [.inserting]
    return try await write("insert \(elements.count) elements", needing: features) {
      () async throws(RepositoryError) in try await base.insert(elements)
    }
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await write("update where \(query)", needing: RepositoryFeature.needed(toUpdate: query)) {
      () async throws(RepositoryError) in try await base.update(where: query, set: assignments)
    }
  }

  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await write("delete where \(query)", needing: RepositoryFeature.needed(toDelete: query)) {
      () async throws(RepositoryError) in try await base.delete(where: query)
    }
  }

  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>, progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    let features: Set<RepositoryFeature> =
      mode == .insert ? [.sequences, .batches, .inserting] : [.sequences, .batches]
    // Without the closure of the others: elements are sent on, which a closure that holds them can't do.
    try declaration.checkWritten()
    let isDeclared = !features.isDisjoint(with: declaration.unsupported)
    let before = isDeclared ? try await base.count(.true) : 0
    do throws(RepositoryError) {
      let count = try await base.write(mode, from: elements, progress: progress)
      declaration.noteAnswer(needing: features, isWriting: true)
      return count
    } catch {
      let noted = declaration.noted(error, needing: features, isWriting: true)
      if isDeclared { try await checkUnchanged("write a sequence", before, noted) }
      throw noted
    }
  }

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
      try await checkUnchanged(question, before, error)
      throw error
    }
  }

  private func checkUnchanged(
    _ question: String, _ before: Int, _ error: RepositoryError
  ) async throws(RepositoryError) {
    let after = try await base.count(.true)
    if LeftOut(error) == nil || after == before { return }
    declaration.record(
      Deviation(
        question: "\(question), which is refused, and count", expected: "\(before), as before", found: "\(after)"))
  }
}
