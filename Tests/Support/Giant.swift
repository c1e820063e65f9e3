package import Query

/// Queries larger than any that is meant, which any client can send.
package enum Giant: String, CaseIterable, Sendable {
  case nots, nestedLeft, nestedRight, alternating, mixed, orOfTerms, orOfEqualities, inList, likeText, likePattern

  /// Deep enough to overflow a small stack; `make random` asks ten times as much.
  package static let levels = Effort.rounds(120_000)

  /// The query, built anew, so that no two share a part.
  ///
  /// - Parameter core: a value that stands in its depths, so that two queries differ there alone.
  package func query(_ core: Int = 1) -> AnyQuery {
    let leaf = AnyQuery.equal(key: "a", value: 2)
    switch self {
    case .nots: return nested(core) { query, _ in !query }
    case .nestedLeft: return nested(core) { query, _ in query && leaf }
    case .nestedRight: return nested(core) { query, _ in leaf || query }
    case .alternating:
      return nested(core) { query, level in level.isMultiple(of: 2) ? leaf && query : leaf || query }
    case .mixed:
      return nested(core) { query, level in
        level.isMultiple(of: 3) ? !query : level % 3 == 1 ? query && leaf : leaf || query
      }
    case .orOfTerms:
      return .any(of: (0..<Self.levels).map { AnyQuery.lessThan(key: "a", value: $0 == 7 ? -core : $0) })
    case .orOfEqualities:
      return .any(of: (0..<Self.levels).map { AnyQuery.equal(key: "a", value: $0 == 7 ? -core : $0) })
    case .inList: return .in(key: "a", values: (0..<10 * Self.levels).map { $0 == 7 ? -core : $0 })
    case .likeText: return .like(key: "b", value: "%" + String(repeating: "a", count: Self.levels) + "\(core)%")
    case .likePattern: return .like(key: "b", value: String(repeating: "%a_", count: Self.levels / 3) + "\(core)")
    }
  }

  private func nested(_ core: Int, _ nest: (AnyQuery, Int) -> AnyQuery) -> AnyQuery {
    (0..<Self.levels).reduce(.equal(key: "a", value: core), nest)
  }

  /// Whether a table is asked at all; the others are refused as too complex.
  package var isAnswered: Bool {
    switch self {
    case .alternating, .mixed, .orOfTerms: false
    case .nots, .nestedLeft, .nestedRight, .orOfEqualities, .inList, .likeText, .likePattern: true
    }
  }
}
