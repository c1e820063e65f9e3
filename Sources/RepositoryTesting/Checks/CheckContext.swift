import Query
import Repository

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
