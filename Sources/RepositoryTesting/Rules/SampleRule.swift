import Query
import Repository

/// A rule that is checked with questions about samples, whatever their model.
///
/// The expected answers are those of a repository in memory, which the hand-written rules of the suite's own models check. A
/// rule has the name of the hand-written rule with the same purpose, if there is one.
struct SampleRule<Model: Entity>: Sendable {
  let name: String
  let features: Set<RepositoryFeature>
  let isEmpty: Bool
  let check: @Sendable (SampleContext<Model>) async throws -> Void

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - features: the features that the rule needs beyond those of its requests.
  ///   - isEmpty: whether the rule begins with an empty repository, rather than with one that contains the samples.
  init(
    _ name: String, needs features: Set<RepositoryFeature> = [], startingEmpty isEmpty: Bool = false,
    check: @escaping @Sendable (SampleContext<Model>) async throws -> Void
  ) {
    self.name = name
    self.features = features
    self.isEmpty = isEmpty
    self.check = check
  }

  /// Returns the rule over one set of samples.
  func rule(over samples: SampleSet<Model>) -> ConformanceRule<AnyRepository<Model>> {
    ConformanceRule(name, needs: features) { context in
      if !isEmpty { try await context.prepare(samples.elements) }
      try await check(SampleContext(checks: context, samples: samples))
    }
  }
}

extension SampleRule<Specimen> {
  /// The rule of the suite's main model, over specimens.
  var handWritten: SpecimenRule {
    SpecimenRule(name, needs: features) { context in
      let samples = try SampleSet(Specimen.varied, seed: 0)
      if !isEmpty { try await context.prepare(samples.elements) }
      try await check(SampleContext(checks: context, samples: samples))
    }
  }
}

extension SampleRule {
  /// Makes the rule over samples of a rule of requests; `nil` if samples can't show that rule.
  init?(_ rule: RequestRule) {
    guard let samples = rule.samples else { return nil }
    let isEmpty = rule.elements.isEmpty
    self.init(rule.name, needs: rule.features, startingEmpty: isEmpty) { context in
      try await context.ask(samples, rule.rows)
    }
  }

  /// Makes the rule over samples of a rule about parts of an order.
  init(_ rule: WindowRule) { self.init(rule.name) { try await rule.check($0) } }

  /// The rules of requests that depend on the samples in other ways than by a key and a value.
  static var requests: [SampleRule] {
    [
      SampleRule("a cursor keeps its position when its element is deleted and others are added") { context in
        guard let element = context.elements.last else { return }
        let request = FetchRequest(after: try Model.schema.cursor(at: element, sortedBy: .primaryKey))
        // The deletion of the element does not change the expected result.
        let expected = try context.samples.answer(request).map(\.id)
        try await context.repository.delete(element.id)
        await context.checks.expect(request, finds: expected)
      },
      SampleRule("a cursor of another sort is refused") { context in
        guard let element = context.elements.first, let column = context.columns.last else { return }
        let cursor = try Model.schema.cursor(at: element, sortedBy: .descending(key: column.key))
        for sort in [AnySort.primaryKey, .ascending(key: column.key)] {
          await context.ask(FetchRequest(sortedBy: sort, after: cursor))
          await context.ask(FetchRequest(sortedBy: sort, before: cursor))
        }
      },
      SampleRule("an unknown key is refused, and the nearest key suggested") { context in
        let names = context.columns.map(\.key)
        for name in names where !names.contains(name + name.suffix(1)) {
          let unknown = name + name.suffix(1)
          let nearest = NearestName.nearest(to: unknown, in: names)
          await context.checks.expectRefusal(of: .equal(key: unknown, value: 1), suggesting: nearest)
          await context.checks.expectRefusal(of: FetchRequest(sortedBy: .ascending(key: unknown)), suggesting: nearest)
        }
      },
      SampleRule("keys differ by their bytes") { context in
        for name in context.columns.map(\.key) {
          for key in [name.uppercased(), " " + name, name + " ", name + "\0", "\"\(name)\""] where key != name {
            await context.ask(.isNull(key: key))
          }
        }
        for key in ["", "rowid", "1"] { await context.ask(.isNull(key: key)) }
      },
      SampleRule("a request that was refused leaves the repository as it was") { context in
        _ = try? await context.repository.filter(.equal(key: context.unknownKey, value: "red")).all()
        _ = try? await context.repository.count(.isNull(key: context.unknownKey))
        _ = try? await context.repository.findAll(FetchRequest(offset: -1))
        try await context.expectAll(context.elements)
        if let element = context.elements.last { try await context.repository.save(element) }
        try await context.expectAll(context.elements)
      },
    ]
  }
}

extension SampleRule {
  /// Random requests, which are only made if all other rules are obeyed: otherwise they would repeat known failures.
  static var random: SampleRule {
    SampleRule("random requests find the same as in memory") { context in
      var random = SplitMix64(seed: context.samples.seed)
      for _ in 0..<100 {
        var request = FetchRequest(context.query(levels: 3, using: &random))
        if Bool.random(using: &random), let column = context.columns.randomElement(using: &random) {
          request.sort =
            Bool.random(using: &random) ? .ascending(key: column.key) : .descending(key: column.key)
        }
        if Bool.random(using: &random) { request.limit = Int.random(in: 0...5, using: &random) }
        if Bool.random(using: &random) { request.offset = Int.random(in: 0...3, using: &random) }
        await context.ask(request)
      }
    }
  }
}

extension SampleContext {
  fileprivate func query(levels: Int, using random: inout SplitMix64) -> AnyQuery {
    switch Int.random(in: 0..<(levels > 0 ? 7 : 4), using: &random) {
    case 0...3: condition(using: &random)
    case 4: !query(levels: levels - 1, using: &random)
    case 5: query(levels: levels - 1, using: &random) && query(levels: levels - 1, using: &random)
    default: query(levels: levels - 1, using: &random) || query(levels: levels - 1, using: &random)
    }
  }

  private func condition(using random: inout SplitMix64) -> AnyQuery {
    guard let column = columns.randomElement(using: &random) else { return .true }
    let values = column.probes + [.null]
    func value() -> Value { values.randomElement(using: &random) ?? .null }
    switch Int.random(in: 0...6, using: &random) {
    case 0: return .between(key: column.key, lhs: value(), rhs: value())
    case 1: return .in(key: column.key, values: [value(), value()])
    case 2:
      guard let text = column.texts.randomElement(using: &random) else { return .isNull(key: column.key) }
      let operation = TextOperation.allCases.randomElement(using: &random) ?? .contains
      return .match(
        key: column.key, operation, value: String(text.prefix(2)), ignoringCase: Bool.random(using: &random))
    case 3:
      let others = pairs.filter { $0.0.position == column.position }
      guard let other = others.randomElement(using: &random)?.1 else { return .isNotNull(key: column.key) }
      return .compare(key: column.key, comparisonOperator(using: &random), otherKey: other.key)
    default: return .compare(key: column.key, comparisonOperator(using: &random), value: value())
    }
  }

  private func comparisonOperator(using random: inout SplitMix64) -> ComparisonOperator {
    ComparisonOperator.allCases.randomElement(using: &random) ?? .equal
  }
}
