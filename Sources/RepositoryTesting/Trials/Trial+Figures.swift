import Query
import Repository

extension Trial {
  /// Expects the figures that a repository gives, each group written as its keys and its figures: `'plant' 2 0.5`.
  ///
  /// Written, because 1 and 1.0 are equal and a group has one spelling all the same.
  func expect<Element: Storable>(
    _ request: FigureRequest, of repository: AnyRepository<Element>, _ rows: [String]
  ) async {
    await expect(request.question, rows) { try await repository.figures(request).map(\.written) }
  }

  /// Expects figures of the subject.
  func expect<Model: ConformanceModel>(_ request: FigureRequest, _ rows: String...) async
  where Subject == AnyRepository<Model> {
    await expect(request, of: subject, rows)
  }

  /// Expects an error in the place of figures.
  func expect<Model: ConformanceModel>(
    _ request: FigureRequest, throws code: RepositoryError.Code, naming name: String? = nil,
    suggesting suggestion: String? = nil
  ) async
  where Subject == AnyRepository<Model> {
    await expect(request.question, throws: code, naming: name, suggesting: suggestion) {
      try await subject.figures(request)
    }
  }
}

extension FigureRow {
  /// The keys and the figures as a report tells them.
  var written: String { (keys + figures).map(\.description).joined(separator: " ") }
}

extension FigureRequest {
  /// The request as a report tells it: `count, sum(age) where mass > 1, grouped by kingdom`.
  var question: String {
    var question = "\(figures.map(\.description).joined(separator: ", ")) where \(query)"
    if !groupKeys.isEmpty { question += ", grouped by \(groupKeys.joined(separator: ", "))" }
    if order != .group { question += ", sorted by \(order)" }
    if let limit { question += ", limit \(limit)" }
    return question
  }
}
