import Query
import Repository

extension Trial {
  /// Expects the aggregates that a repository gives, each group written as its keys and its aggregates: `'plant' 2 0.5`.
  ///
  /// Written, because 1 and 1.0 are equal and a group has one spelling all the same.
  func expect<Element: Storable>(
    _ request: AggregateRequest, of repository: AnyRepository<Element>, _ rows: [String]
  ) async {
    await expect(request.question, rows) { try await repository.aggregate(request).map(\.written) }
  }

  /// Expects aggregates of the subject.
  func expect<Model: ConformanceModel>(_ request: AggregateRequest, _ rows: String...) async
  where Subject == AnyRepository<Model> {
    await expect(request, of: subject, rows)
  }

  /// Expects an error in the place of aggregates.
  func expect<Model: ConformanceModel>(
    _ request: AggregateRequest, throws code: RepositoryError.Code, naming name: String? = nil,
    suggesting suggestion: String? = nil
  ) async
  where Subject == AnyRepository<Model> {
    await expect(request.question, throws: code, naming: name, suggesting: suggestion) {
      try await subject.aggregate(request)
    }
  }
}

extension AggregateRow {
  /// The keys and the aggregates as a report tells them.
  var written: String { (keys + aggregates).map(\.description).joined(separator: " ") }
}

extension AggregateRequest {
  /// The request as a report tells it: `count, sum(age) where mass > 1, grouped by kingdom`.
  var question: String {
    var question = "\(aggregates.map(\.description).joined(separator: ", ")) where \(query)"
    if !groupKeys.isEmpty { question += ", grouped by \(groupKeys.joined(separator: ", "))" }
    if order != .group { question += ", sorted by \(order)" }
    if let limit { question += ", limit \(limit)" }
    return question
  }
}
