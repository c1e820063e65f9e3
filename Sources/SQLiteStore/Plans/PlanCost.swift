/// What a plan makes SQLite do, as far as its words tell: less is better, what stands first counts most.
struct PlanCost: Comparable {
  private let parts: [Int]

  init(of plan: QueryPlan) {
    var (scans, sorts, partialSorts, equalities, ranges) = (0, 0, 0, 0, 0)
    for step in plan.steps {
      switch step.action {
      // A list of values that is read as a table is no work to speak of.
      case .scan(_, .virtualTable), .search(_, .virtualTable, _): break
      case .scan: scans += 1
      case .search(_, .automaticIndex, _): scans += 1
      case .search(_, _, let conditions):
        equalities += conditions.count(of: "=?") - conditions.count(of: ">=?") - conditions.count(of: "<=?")
        ranges += conditions.count(of: ">") + conditions.count(of: "<")
      case .sort(.restOfOrder): partialSorts += 1
      case .sort: sorts += 1
      case .multipleIndexes, .other: break
      }
    }
    parts = [scans, sorts, partialSorts, -equalities, -ranges]
  }

  static func < (lhs: PlanCost, rhs: PlanCost) -> Bool { lhs.parts.lexicographicallyPrecedes(rhs.parts) }
}

extension String {
  /// How often a text of ASCII stands in this one.
  fileprivate func count(of text: String) -> Int {
    utf8.indices.count { utf8[$0...].starts(with: text.utf8) }
  }
}
