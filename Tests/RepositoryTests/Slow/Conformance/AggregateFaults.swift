import Foundation
import Query
import Repository
import RepositoryTesting

extension Fault<Specimen> {
  /// Aggregates that are worked out as databases and simple loops do it.
  static let aggregates: [Fault] = [
    fault(
      "adds reals one after another",
      breaking: [
        "a sum of reals is exact and then rounded, in any order",
        "a sum of reals may exceed the result on the way",
      ]
    ) { request, base throws(RepositoryError) in
      try base.blocking.aggregate(request).changing(request, .sum) { key, sum throws(RepositoryError) in
        guard key == "mass", request.groupKeys.isEmpty else { return sum }
        return .real(try base.blocking.findAll(FetchRequest(request.query)).reduce(0) { $0 + $1.mass })
      }
    },
    fault(
      "gives null for the sum of nothing, as SQL does",
      breaking: ["of no rows, counts and sums are 0, and the other aggregates are null"]
    ) { request, base throws(RepositoryError) in
      try base.blocking.aggregate(request).changing(request, .sum) { key, sum throws(RepositoryError) in
        try base.blocking.count(request.query && .isNotNull(key: key)) == 0 ? .null : sum
      }
    },
    fault(
      "counts nulls",
      breaking: [
        "aggregates ignore nulls, and `count` of the rows counts them",
        "the least and the greatest blobs are those by bytes",
        "different values are counted once, and nulls are not",
      ]
    ) { request, base throws(RepositoryError) in
      try base.blocking.aggregate(request).changing(request, .count) { _, _ throws(RepositoryError) in
        .integer(Int64(try base.blocking.count(request.query)))
      }
    },
    fault("lets a sum wrap around", breaking: ["a sum of integers overflows only if the total does"]) {
      request, base throws(RepositoryError) in
      do throws(RepositoryError) {
        return try base.blocking.aggregate(request)
      } catch {
        if error.code == .overflow { return [AggregateRow(keys: [], aggregates: [-2])] }
        throw error
      }
    },
    fault(
      "ignores the order of groups",
      breaking: ["groups are sorted by an aggregate as requested, and then by their keys"]
    ) { request, base throws(RepositoryError) in
      if !request.aggregates.contains(where: { request.order == .descending($0) || request.order == .ascending($0) }) {
        return try base.blocking.aggregate(request)
      }
      var request = request
      request.order = .group
      return try base.blocking.aggregate(request)
    },
  ]

  /// Groups and projections that are passed on without a part of what is asked.
  static let projections: [Fault] = [
    fault("ignores conditions on groups", breaking: ["a condition on groups selects groups"]) {
      request, base throws(RepositoryError) in
      _ = try base.blocking.aggregate(request)
      var request = request
      request.having = .true
      return try base.blocking.aggregate(request)
    },
    fault("counts equal values as different ones", breaking: ["different values are counted once, and nulls are not"]) {
      request, base throws(RepositoryError) in
      var request = request
      request.aggregates = request.aggregates.map {
        $0.function == .countDistinct ? AnyAggregate(.count, of: $0.key, where: $0.query) : $0
      }
      return try base.blocking.aggregate(request)
    },
    Fault(
      "gives equal rows of a projection again",
      breaking: ["a distinct projection returns equal rows once"]
    ) {
      try FaultyRepository {
        $0.onRows = { request, base throws(RepositoryError) in
          let rows = try base.blocking.findRows(request)
          return request.isDistinct ? rows + rows.prefix(1) : rows
        }
      }
    },
    Fault(
      "cuts a result before it looks for the first of each group",
      breaking: ["the first rows of each group are found before limits"]
    ) {
      try FaultyRepository {
        $0.onRows = { request, base throws(RepositoryError) in
          let rows = try base.blocking.findRows(request)
          return request.groupLimit != nil && request.rows.limit != nil ? Array(rows.prefix(1)) : rows
        }
      }
    },
  ]

  private static func fault(
    _ description: String, breaking rules: [String],
    _ answer:
      @escaping @Sendable (AggregateRequest, MemoryRepository<Specimen>) throws(RepositoryError) -> [AggregateRow]
  ) -> Fault {
    Fault(description, breaking: rules) { try FaultyRepository { $0.onAggregates = answer } }
  }
}

extension [AggregateRow] {
  /// The rows with another value for each aggregate of one function that is worked out of a key.
  fileprivate func changing(
    _ request: AggregateRequest, _ function: AnyAggregate.Function,
    _ change: (_ key: String, _ aggregate: Value) throws(RepositoryError) -> Value
  ) throws(RepositoryError) -> [AggregateRow] {
    var rows: [AggregateRow] = []
    for row in self {
      var aggregates = row.aggregates
      for (index, aggregate) in request.aggregates.enumerated() where aggregate.function == function {
        if let key = aggregate.key?.plainKey { aggregates[index] = try change(key, aggregates[index]) }
      }
      rows.append(AggregateRow(keys: row.keys, aggregates: aggregates))
    }
    return rows
  }
}
