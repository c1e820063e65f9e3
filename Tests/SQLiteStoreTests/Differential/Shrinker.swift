import Query

/// Makes a scenario smaller as long as both engines still disagree about it.
struct Shrinker {
  let engines: Engines
  private(set) var scenario: Scenario

  static func shrink(_ scenario: Scenario, _ engines: Engines) -> Scenario {
    var shrinker = Shrinker(engines: engines, scenario: scenario)
    while shrinker.shrinkRows() || shrinker.shrinkRequest() {}
    return shrinker.scenario
  }

  private mutating func accept(_ candidate: Scenario) -> Bool {
    guard candidate.disagreement(engines) != nil else { return false }
    scenario = candidate
    return true
  }

  /// Leaves rows out: halves first, then ever smaller parts.
  private mutating func shrinkRows() -> Bool {
    var hasShrunk = false
    var size = scenario.rows.count / 2
    while size > 0 {
      var start = 0
      while start < scenario.rows.count {
        var candidate = scenario
        candidate.rows.removeSubrange(start..<min(start + size, scenario.rows.count))
        if accept(candidate) { hasShrunk = true } else { start += size }
      }
      size /= 2
    }
    return hasShrunk
  }

  private mutating func shrinkRequest() -> Bool {
    for request in Self.smaller(scenario.request) {
      var candidate = scenario
      candidate.request = request
      if accept(candidate) { return true }
    }
    return false
  }

  private static func smaller(_ request: FetchRequest) -> [FetchRequest] {
    var candidates: [FetchRequest] = []
    func add(_ change: (inout FetchRequest) -> Void) {
      var candidate = request
      change(&candidate)
      candidates.append(candidate)
    }
    if request.after != nil { add { $0.after = nil } }
    if request.before != nil { add { $0.before = nil } }
    if request.limit != nil { add { $0.limit = nil } }
    if request.offset != 0 { add { $0.offset = 0 } }
    for index in request.sort.terms.indices {
      var terms = request.sort.terms
      terms.remove(at: index)
      add { $0.sort = AnySort(terms) }
    }
    for query in request.query.smaller { add { $0.query = query } }
    return candidates
  }
}

extension AnyQuery {
  /// Queries that are simpler by one step.
  fileprivate var smaller: [AnyQuery] {
    switch form {
    case .condition(.constant(true)): []
    case .condition(let condition): [.true] + condition.smaller.map { AnyQuery(.condition($0)) }
    case .not(let inner): [inner] + inner.smaller.map { !$0 }
    case .and(let lhs, let rhs): [lhs, rhs] + lhs.smaller.map { $0 && rhs } + rhs.smaller.map { lhs && $0 }
    case .or(let lhs, let rhs): [lhs, rhs] + lhs.smaller.map { $0 || rhs } + rhs.smaller.map { lhs || $0 }
    }
  }
}

extension Condition where Key == String {
  fileprivate var smaller: [Condition] {
    switch self {
    case .membership(let membership):
      membership.values.indices.compactMap { index in
        var values = membership.values
        values.remove(at: index)
        return AnyQuery.in(key: membership.key, values: values).condition
      }
    case .text(let match):
      match.text.unicodeScalars.indices.compactMap { index in
        var scalars = match.text.unicodeScalars
        scalars.remove(at: index)
        return AnyQuery.match(
          key: match.key, match.operation, value: String(scalars), ignoringCase: match.isIgnoringCase
        ).condition
      }
    case .constant, .comparison, .between, .invalid: []
    }
  }
}

extension AnyQuery {
  fileprivate var condition: Condition<String>? {
    if case .condition(let condition) = form { condition } else { nil }
  }
}

/// Requests as Swift, to be pasted into a test.
enum SwiftSource {
  static func of(_ request: FetchRequest) -> String {
    let sort = request.sort.terms.map { term in
      ".\(term.direction)(key: \(text(term.key)), nulls: .\(term.nulls))"
    }.joined(separator: " + ")
    return "FetchRequest(\(of(request.query))\(sort.isEmpty ? "" : ", sortedBy: \(sort)")"
      + (request.limit.map { ", limit: \($0)" } ?? "") + (request.offset == 0 ? "" : ", offset: \(request.offset)")
      + ")"
  }

  private static func of(_ query: AnyQuery) -> String {
    switch query.form {
    case .condition(let condition): of(condition)
    case .not(let inner): "!(\(of(inner)))"
    case .and(let lhs, let rhs): "(\(of(lhs)) && \(of(rhs)))"
    case .or(let lhs, let rhs): "(\(of(lhs)) || \(of(rhs)))"
    }
  }

  private static func of(_ condition: Condition<String>) -> String {
    switch condition {
    case .constant(let constant): ".\(constant)"
    case .comparison(let comparison):
      switch comparison.operand {
      case .value(let value): ".\(comparison.relation)(key: \(text(comparison.key)), value: \(of(value)))"
      case .key(let key): ".\(comparison.relation)(key: \(text(comparison.key)), otherKey: \(text(key)))"
      }
    case .between(let between):
      ".between(key: \(text(between.key)), lower: \(of(between.lower)), upper: \(of(between.upper)))"
    case .membership(let membership):
      ".in(key: \(text(membership.key)), values: [\(membership.values.map(of).joined(separator: ", "))] as [Value])"
    case .text(let match):
      ".\(match.operation)(key: \(text(match.key)), value: \(text(match.text)), ignoringCase: \(match.isIgnoringCase))"
    case .invalid(let error): "invalid: \(error)"
    }
  }

  private static func of(_ operand: Operand<String>) -> String {
    switch operand {
    case .value(let value): ".value(\(of(value)))"
    case .key(let key): ".key(\(text(key)))"
    }
  }

  private static func of(_ value: Value) -> String {
    switch value {
    case .null: "Value.null"
    case .integer(let integer): "Value.integer(\(integer))"
    case .real(let real): real.isInfinite ? "Value.real(\(real < 0 ? "-" : "").infinity)" : "Value.real(\(real))"
    case .text(let value): "Value.text(\(text(value)))"
    case .blob(let bytes): "Value.blob(\(bytes))"
    }
  }

  private static func text(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
  }
}
