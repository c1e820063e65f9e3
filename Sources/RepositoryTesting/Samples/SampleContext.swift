import Query
import Repository

/// The context of a rule's check with samples.
struct SampleContext<Model: Entity> {
  let checks: CheckContext<AnyRepository<Model>>
  let samples: SampleSet<Model>

  var repository: AnyRepository<Model> { checks.subject }
  var elements: [Model] { samples.elements }
  var columns: [SampleColumn] { samples.columns }

  /// Expects that a query finds and counts the same elements as in memory, or is refused if it is refused there.
  func ask(_ query: AnyQuery) async {
    do {
      await checks.expect(query, findsAll: try samples.answer(FetchRequest(query)).map(\.id))
    } catch {
      await checks.expectRefusal(of: query)
    }
  }

  /// Expects that a request finds the same elements as in memory, in the same order, or is refused if it is refused there.
  func ask(_ request: FetchRequest) async {
    do {
      await checks.expect(request, finds: try samples.answer(request).map(\.id))
    } catch {
      await checks.expectRefusal(of: request)
    }
  }

  /// Expects the same aggregates as in memory, or the same error.
  func ask(_ request: AggregateRequest) async {
    do throws(RepositoryError) {
      await checks.expect(request, of: repository, try samples.answer(request))
    } catch {
      await checks.expect(request.question, throws: error.code) {
        try await repository.aggregate(request).map(\.written)
      }
    }
  }

  /// Expects that a part of the result of a request is the same as in memory.
  ///
  /// - Parameter part: returns the compared part of the rows, which are in the order of the result.
  func ask(_ request: FetchRequest, _ name: String, _ part: ([[Value]]) -> [[Value]]) async {
    do {
      let expected = part(try known(samples.answer(request)))
      await checks.expect("\(request.question): \(name)", Rows(expected)) {
        Rows(part(try known(try await repository.findAll(request))))
      }
    } catch {
      await checks.expectRefusal(of: request)
    }
  }

  /// Expects the elements of the repository, and nothing else in it.
  func expectAll(_ elements: [Model]) async throws {
    let inOrder = try rows(of: elements)
      .sorted { samples.key(of: $0).lexicographicallyPrecedes(samples.key(of: $1)) }
    await checks.expect("find all", compared(inOrder)) {
      try compared(try await repository.findAll(FetchRequest()))
    }
    await checks.expect("count", elements.count) { try await repository.count() }
  }

  /// Expects the element with a key.
  func expect(find element: Model, isThere: Bool = true) async throws {
    let expected = try compared(isThere ? [element] : [])
    await checks.expect("find \(CheckContext<AnyRepository<Model>>.list([element.id]))", expected) {
      let found = try await repository.find(element.id)
      return try compared(found.map { [$0] } ?? [])
    }
  }

  /// Returns the samples' rows with the keys of a result; whether the elements themselves are unchanged is checked by another
  /// rule.
  private func known(_ found: [Model]) throws(RepositoryError) -> [[Value]] {
    try rows(of: found).map { row in samples.index(of: row).map { samples.rows[$0] } ?? row }
  }

  private func rows(of elements: [Model]) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    for element in elements { rows.append(try Model.schema.row(from: element, in: samples.table)) }
    return rows
  }

  /// Returns the compared part of elements: all values, or only the keys if the repository is known to change other values.
  private func compared(_ elements: [Model]) throws(RepositoryError) -> Rows {
    compared(try rows(of: elements))
  }

  private func compared(_ rows: [[Value]]) -> Rows {
    Rows(samples.isLossy ? rows.map(samples.key) : rows)
  }
}

/// Rows as they are written in a report.
struct Rows: Equatable, CustomStringConvertible {
  let rows: [[Value]]

  init(_ rows: [[Value]]) {
    self.rows = rows
  }

  var description: String {
    rows.isEmpty
      ? "nothing" : rows.map { $0.map(\.description).joined(separator: " ") }.joined(separator: ", ")
  }
}
