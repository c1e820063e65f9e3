import Query
import Repository

/// The context of a rule's check: the repository or store in question, and the failures so far.
final class CheckContext<Subject: Sendable> {
  let subject: Subject
  let declaration: Declaration
  private(set) var outcome = RuleOutcome()

  init(_ subject: Subject, declaration: Declaration) {
    self.subject = subject
    self.declaration = declaration
  }

  /// Checks a repository of the subject; the failures of the repository count for the rule.
  func check<Element: Storable>(
    _ repository: AnyRepository<Element>, _ body: (CheckContext<AnyRepository<Element>>) async throws -> Void
  ) async rethrows {
    let context = CheckContext<AnyRepository<Element>>(repository, declaration: declaration)
    defer { outcome.add(context.outcome) }
    try await body(context)
  }

  /// Begins a question.
  func begin() {
    declaration.begin()
    outcome.questionCount += 1
  }

  /// Records a deviation.
  func record(_ question: String, expected: String, found: String) {
    let features = declaration.answered.sorted { $0.name < $1.name }
    let question = Self.shorten(question)
    let found = Self.shorten(found)
    if features.isEmpty {
      outcome.failures.append(CheckFailure(question: question, expected: Self.shorten(expected), found: found))
    } else {
      let names = features.map(\.name).joined(separator: ", ")
      outcome.broken.append(
        CheckFailure(
          question: "\(question) (needs: \(names))",
          expected: Self.shorten("the error unsupported, or \(expected)"), found: found))
    }
  }

  /// Records an error instead of an answer, or of another error; a refusal of a feature that is declared as unsupported is
  /// not a deviation.
  func record(_ question: String, expected: String, error: any Error) {
    if let skipped = SkippedCheck(error) {
      outcome.skipped.formUnion(skipped.features)
      outcome.skippedCount += 1
    } else {
      record(question, expected: expected, found: Self.describe(error))
    }
  }

  /// Expects a value.
  ///
  /// - Parameters:
  ///   - question: the question or operation, for the report of a violated rule.
  ///   - expected: the expected result.
  ///   - found: runs the operation and returns the actual result.
  func expect<Answer: Equatable>(
    _ question: String, _ expected: Answer, _ found: () async throws -> Answer
  ) async {
    begin()
    do {
      let found = try await found()
      if found != expected { record(question, expected: "\(expected)", found: "\(found)") }
    } catch {
      record(question, expected: "\(expected)", error: error)
    }
  }

  /// Expects an error with a code.
  ///
  /// - Parameters:
  ///   - name: a text that the error's summary has to contain, if any.
  ///   - suggestion: a text that the error's suggestion has to contain, if any.
  ///   - secret: a bound value that the error must not contain, if any.
  func expect(
    _ question: String, throws code: RepositoryError.Code, naming name: String? = nil,
    suggesting suggestion: String? = nil, withoutRevealing secret: String? = nil, _ body: () async throws -> some Any
  ) async {
    begin()
    let expected = "the error \(code.rawValue)" + (suggestion.map { ", which suggests \($0)" } ?? "")
    do {
      let answer = try await body()
      record(question, expected: expected, found: answer is Void ? "no error" : "\(answer)")
    } catch let error as RepositoryError {
      if SkippedCheck(error) != nil {
        record(question, expected: expected, error: error)
      } else if error.code != code {
        record(question, expected: expected, found: Self.describe(error))
      } else if let name, !error.summary.contains(name) {
        record(question, expected: "an error that names \(name)", found: Self.describe(error))
      } else if let suggestion, error.suggestion?.contains(suggestion) != true {
        record(question, expected: expected, found: "the suggestion \(error.suggestion ?? "is missing")")
      } else if let secret, "\(error) \(error.sql ?? "")".contains(secret) {
        record(question, expected: "an error without the values", found: Self.describe(error))
      }
    } catch {
      record(question, expected: expected, error: error)
    }
  }

  /// Expects the aggregates of a repository, each group formatted as its keys and its aggregates: `'plant' 2 0.5`.
  ///
  /// The results are compared as texts: the values 1 and 1.0 are equal, but only one of them is the right key of a group.
  func expect<Element: Storable>(
    _ request: AggregateRequest, of repository: AnyRepository<Element>, _ rows: [String]
  ) async {
    await expect(request.question, rows) { try await repository.aggregate(request).map(\.written) }
  }

  /// Returns an error with its code, in one line.
  static func describe(_ error: any Error) -> String {
    guard let error = error as? RepositoryError else { return "the error \(type(of: error)): \(error)" }
    return "the error \(error.code.rawValue): \(error)"
  }

  /// Shortens a text, such as a query with a hundred thousand values, so that a report remains readable.
  private static func shorten(_ text: String) -> String {
    let longest = 200
    return text.count > longest ? "\(text.prefix(longest))… (\(text.utf8.count) bytes)" : text
  }
}

// What rules of repositories expect.
extension CheckContext {
  /// Saves the elements of a rule, also in a repository that accepts only one element at a time.
  func prepare<Model: Storable>(_ elements: [Model]) async throws where Subject == AnyRepository<Model> {
    if !declaration.unsupported.contains(.batches) { return try await subject.save(elements) }
    for element in elements { try await subject.save(element) }
  }

  /// Expects the elements that a query finds, in the order of their keys, and the same number from a count.
  func expect<Model: Storable>(_ query: AnyQuery, finds ids: Model.ID...) async
  where Subject == AnyRepository<Model> {
    await expect(query, findsAll: ids)
  }

  /// Expects the elements that a query finds, in the order of their keys, and the same number from a count.
  func expect<Model: Storable>(_ query: AnyQuery, findsAll ids: [Model.ID]) async
  where Subject == AnyRepository<Model> {
    await expect(FetchRequest(query), finds: ids)
    begin()
    do {
      let count = try await subject.count(query)
      if count != ids.count { record("count where \(query)", expected: "\(ids.count)", found: "\(count)") }
    } catch {
      record("count where \(query)", expected: "\(ids.count)", error: error)
    }
  }

  /// Expects the elements that a request finds, in its order.
  func expect<Model: Storable>(_ request: FetchRequest, finds ids: [Model.ID]) async
  where Subject == AnyRepository<Model> {
    begin()
    do {
      let found = try await subject.findAll(request).map(\.id)
      if !Self.areSame(found, ids) {
        record(request.question, expected: Self.list(ids), found: Self.list(found))
      }
    } catch {
      record(request.question, expected: Self.list(ids), error: error)
    }
  }

  /// Expects the order of all elements.
  func expect<Model: Storable>(sortedBy sort: AnySort, _ ids: Model.ID...) async
  where Subject == AnyRepository<Model> {
    await expect(FetchRequest(sortedBy: sort), finds: ids)
  }

  /// Expects that a query is refused before anything runs, both for finding and for counting.
  func expectRefusal<Model: Storable>(of query: AnyQuery, suggesting suggestion: String? = nil) async
  where Subject == AnyRepository<Model> {
    await expectRefusal(of: FetchRequest(query), suggesting: suggestion)
    await expect("count where \(query)", throws: .invalidQuery, suggesting: suggestion) {
      try await subject.count(query)
    }
  }

  /// Expects that a request is refused before anything runs.
  func expectRefusal<Model: Storable>(of request: FetchRequest, suggesting suggestion: String? = nil) async
  where Subject == AnyRepository<Model> {
    await expect(request.question, throws: .invalidQuery, suggesting: suggestion) {
      Self.list(try await subject.findAll(request).map(\.id))
    }
  }

  /// Expects that a query, which may exceed a store's limits, is answered correctly, or refused as an invalid query.
  func expectAnswerOrRefusal<Model: Storable>(_ query: AnyQuery, finds ids: Model.ID...) async
  where Subject == AnyRepository<Model> {
    begin()
    do {
      let count = try await subject.count(query)
      if count != ids.count { record("count where \(query)", expected: "\(ids.count)", found: "\(count)") }
      await expect(FetchRequest(query), finds: ids)
    } catch {
      if error.code == .invalidQuery { return await expectRefusal(of: FetchRequest(query)) }
      record("count where \(query)", expected: "\(ids.count), or a refusal", error: error)
    }
  }

  /// Expects that an element comes back as it was saved, found by its key and found by a query.
  func expectRoundTrip<Model: ConformanceModel>(of element: Model) async
  where Subject == AnyRepository<Model> {
    begin()
    do {
      try await subject.save(element)
      compare(try await subject.find(element.id), with: element, "find \(element.id)")
      compare(try await subject.findAll().first { $0.id == element.id }, with: element, "find all")
    } catch {
      record("save and find \(element)", expected: "the same element", error: error)
    }
  }

  /// Expects the element with a key.
  func expect<Model: ConformanceModel>(find id: Model.ID, _ expected: Model?) async
  where Subject == AnyRepository<Model> {
    begin()
    do {
      compare(try await subject.find(id), with: expected, "find \(Self.list([id]))")
    } catch {
      record("find \(Self.list([id]))", expected: "\(expected as Any)", error: error)
    }
  }

  private func compare<Model: ConformanceModel>(_ found: Model?, with expected: Model?, _ question: String)
  where Subject == AnyRepository<Model> {
    switch (found, expected) {
    case (nil, nil): break
    case (nil, let expected?): record(question, expected: "\(expected)", found: "nothing")
    case (let found?, nil): record(question, expected: "nothing", found: "\(found)")
    case (let found?, let expected?):
      let differences = Self.differingColumns(found, expected)
      if differences.isEmpty { return }
      record(
        "\(question), compare \(differences.joined(separator: ", "))", expected: "\(expected)", found: "\(found)")
    }
  }

  /// Returns the columns in which two elements differ, compared as they are stored: texts by their bytes.
  private static func differingColumns<Model: ConformanceModel>(_ lhs: Model, _ rhs: Model) -> [String]
  where Subject == AnyRepository<Model> {
    do {
      let table = try Model.schema.table()
      let rows = try (Model.schema.row(from: lhs, in: table), Model.schema.row(from: rhs, in: table))
      return table.columns.indices.filter { rows.0[$0] != rows.1[$0] }.map { table.columns[$0].name }
    } catch {
      return ["invalid value: \(error)"]
    }
  }

  /// Returns whether keys are equal as they are stored: to `String`'s own `==`, a composed and a decomposed "é" are the same.
  static func areSame<ID: PrimaryKey>(_ lhs: [ID], _ rhs: [ID]) -> Bool {
    lhs.count == rhs.count
      && zip(lhs, rhs).allSatisfy { lhs, rhs in
        guard let lhs = try? lhs.keyValues(), let rhs = try? rhs.keyValues() else { return false }
        return lhs == rhs
      }
  }

  static func list<ID: PrimaryKey>(_ ids: [ID]) -> String {
    let texts = ids.map { id in (try? id.keyValues())?.map(\.description).joined(separator: " ") ?? "\(id)" }
    return texts.isEmpty ? "no element" : texts.joined(separator: ", ")
  }
}

extension FetchRequest {
  /// The request as in a report: `where age != 4, sorted by mass desc, limit 3`.
  var question: String {
    var parts = ["where \(query)"]
    if !sort.terms.isEmpty { parts.append("sorted by \(sort)") }
    if let limit { parts.append("limit \(limit)") }
    if offset != 0 { parts.append("offset \(offset)") }
    if after != nil { parts.append("after a cursor") }
    if before != nil { parts.append("before a cursor") }
    return parts.joined(separator: ", ")
  }
}

extension AggregateRow {
  /// The keys and the aggregates as in a report.
  var written: String { (keys + aggregates).map(\.description).joined(separator: " ") }
}

extension AggregateRequest {
  /// The request as in a report: `count, sum(age) where mass > 1, grouped by kingdom`.
  var question: String {
    var question = "\(aggregates.map(\.description).joined(separator: ", ")) where \(query)"
    if !groupKeys.isEmpty { question += ", grouped by \(groupKeys.map(\.description).joined(separator: ", "))" }
    if having != .true { question += ", having \(having)" }
    if order != .group { question += ", sorted by \(order)" }
    if let limit { question += ", limit \(limit)" }
    return question
  }
}

extension ProjectionRequest {
  /// The request as in a report: `name, age + 1 as next where mass > 1`.
  var question: String {
    let list = columns.map(\.description).joined(separator: ", ")
    let first = groupLimit.map { limit in
      " first \(limit.count) of each \(limit.keys.map(\.description).joined(separator: ", ")) by \(limit.order)"
    }
    return "\(isDistinct ? "distinct " : "")\(list)\(first ?? "") \(rows.question)"
  }
}
