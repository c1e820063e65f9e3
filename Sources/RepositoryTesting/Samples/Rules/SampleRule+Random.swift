import Query
import Repository

extension SampleRule {
  /// Random requests, which are asked where all other rules are kept: else they would only say again what others say.
  static var random: SampleRule {
    SampleRule("random requests find the same as in memory") { examination in
      var random = SplitMix64(seed: examination.samples.seed)
      for _ in 0..<100 {
        var request = FetchRequest(examination.query(levels: 3, using: &random))
        if Bool.random(using: &random), let column = examination.columns.randomElement(using: &random) {
          request.sort =
            Bool.random(using: &random) ? .ascending(key: column.key) : .descending(key: column.key)
        }
        if Bool.random(using: &random) { request.limit = Int.random(in: 0...5, using: &random) }
        if Bool.random(using: &random) { request.offset = Int.random(in: 0...3, using: &random) }
        await examination.ask(request)
      }
    }
  }
}

extension Examination {
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
      return .compare(key: column.key, relation(using: &random), otherKey: other.key)
    default: return .compare(key: column.key, relation(using: &random), value: value())
    }
  }

  private func relation(using random: inout SplitMix64) -> Relation {
    Relation.allCases.randomElement(using: &random) ?? .equal
  }
}
