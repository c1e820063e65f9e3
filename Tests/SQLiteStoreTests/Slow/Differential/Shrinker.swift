import Query
import TestSupport

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
    for request in scenario.request.smaller {
      var candidate = scenario
      candidate.request = request
      if accept(candidate) { return true }
    }
    return false
  }
}
