extension ResolvedAggregates {
  /// Computes the aggregates from rows, for a store that evaluates requests row by row.
  ///
  /// - Parameter rows: all rows of the table, or at least those that ``query`` matches; each with its values in the order
  ///   of the table's columns.
  /// - Throws: ``AggregateError`` if an aggregate has no value.
  public func rows(of rows: some Sequence<[Value]>) throws(AggregateError) -> [AggregateRow] {
    try self.rows(ofMatching: rows.lazy.filter(query.matches), nil)
  }

  /// Computes the aggregates from rows that all match.
  ///
  /// - Parameter source: the rows of other tables.
  package func rows(
    ofMatching rows: some Sequence<[Value]>, _ source: (any RelatedRowSource)?
  ) throws(AggregateError) -> [AggregateRow] {
    // Rows are grouped before anything is computed, because a sum of reals takes half a kilobyte while it is computed.
    var members: [[Value]: [[Value]]] = groups.isEmpty ? [[]: []] : [:]
    let extended = query.scope.makeExtension(source)
    for row in rows {
      let row = extended(row)
      members[groups.map { row[$0] }, default: []].append(row)
    }
    return try self.rows(
      from: members.values.map { rows in
        groups.map { MinMaxAccumulator(isGreatest: false).adding($0, of: rows).value }
          + aggregates.map { $0.value(of: rows) }
      })
  }
}

extension ResolvedAggregates.Aggregate {
  fileprivate func value(of rows: [[Value]]) -> Value {
    guard let column else { return .integer(Int64(rows.count)) }
    switch function {
    case .count: return .integer(Int64(rows.count { !$0[column].isNull }))
    case .countDistinct:
      var values: Set<Value> = []
      for row in rows where !row[column].isNull { values.insert(row[column]) }
      return .integer(Int64(values.count))
    case .min, .max: return MinMaxAccumulator(isGreatest: function == .max).adding(column, of: rows).value
    case .sum, .average:
      var total = SumAccumulator()
      for row in rows { total.add(row[column]) }
      return function == .average ? total.average : isReal ? total.realSum : total.sum
    }
  }
}

extension MinMaxAccumulator {
  fileprivate func adding(_ column: Int, of rows: [[Value]]) -> MinMaxAccumulator {
    var extreme = self
    for row in rows { extreme.add(row[column]) }
    return extreme
  }
}

extension ResolvedAggregates {
  /// Sorts the groups that a store computed, applies the condition on groups and the limit, and checks for faults.
  ///
  /// - Parameter found: for each group, in any order, its keys and then its aggregates, with an ``AggregateFault`` in place of
  ///   an aggregate that has no value.
  /// - Throws: ``AggregateError`` if an aggregate has no value, in any of the groups.
  package func rows(from found: [[Value]]) throws(AggregateError) -> [AggregateRow] {
    for (position, aggregate) in aggregates.enumerated()
    where aggregate.function == .sum || aggregate.function == .average {
      let faults = found.compactMap { row in
        if case .text(let text) = row[groups.count + position] { AggregateFault(rawValue: text) } else { nil }
      }
      // Overflow takes precedence, so that the error does not depend on which group the store computed first.
      if let fault = faults.contains(.overflow) ? .overflow : faults.first {
        throw AggregateError(fault, aggregate.requested)
      }
    }
    let rows = found.map { row in
      AggregateRow(
        keys: zip(groups, row).map { scope.column($0).spelling($1) },
        aggregates: zip(aggregates, row.dropFirst(groups.count)).map { aggregate, value in
          guard let column = aggregate.column, aggregate.function == .min || aggregate.function == .max else {
            return value
          }
          return scope.column(column).spelling(value)
        })
    }
    let sorted = rows.filter(isWanted).sorted(by: areInIncreasingOrder).prefix(limit ?? .max)
    if requestedCount == aggregates.count { return Array(sorted) }
    return sorted.map { AggregateRow(keys: $0.keys, aggregates: Array($0.aggregates.prefix(requestedCount))) }
  }

  /// Whether the condition on groups holds.
  private func isWanted(_ group: AggregateRow) -> Bool { having?.matches(group.keys + group.aggregates) ?? true }

  private func areInIncreasingOrder(_ lhs: AggregateRow, _ rhs: AggregateRow) -> Bool {
    var order = 0
    switch self.order {
    case .group: break
    case .ascending(let aggregate): order = compare(aggregate, lhs, rhs)
    case .descending(let aggregate): order = compare(aggregate, rhs, lhs)
    }
    if order != 0 { return order < 0 }
    for (lhs, rhs) in zip(lhs.keys, rhs.keys) {
      let order = Value.compare(lhs, rhs)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private func compare(_ aggregate: AnyAggregate, _ lhs: AggregateRow, _ rhs: AggregateRow) -> Int {
    guard let position = aggregates.firstIndex(where: { $0.requested == aggregate }) else { return 0 }
    return Value.compare(lhs.aggregates[position], rhs.aggregates[position])
  }
}

extension ColumnSchema {
  /// Returns the canonical spelling of a value among those that equal it: as the column stores it, and zero without a sign.
  package func spelling(_ value: Value) -> Value {
    let stored = (try? stored(value)) ?? value
    if case .real(let real) = stored, real == 0 { return .real(0) }
    return stored
  }
}

/// The smallest or the largest of several values in the total order, without nulls.
package struct MinMaxAccumulator: Sendable {
  private let isGreatest: Bool
  /// The extreme so far; null if there is no value.
  package private(set) var value: Value = .null

  /// Makes an accumulator without values.
  package init(isGreatest: Bool) {
    self.isGreatest = isGreatest
  }

  /// Adds a value.
  ///
  /// Of an integer and a real that are equal, the integer is kept, so that the order of rows makes no difference.
  package mutating func add(_ other: Value) {
    if other.isNull { return }
    let order = value.isNull ? 0 : Value.compare(other, value)
    if order == 0 {
      if value.isNull || other.isInteger { value = other }
    } else if isGreatest == (order > 0) {
      value = other
    }
  }
}

extension Value {
  /// Whether this is an ``integer(_:)``.
  var isInteger: Bool {
    if case .integer = self { true } else { false }
  }
}

/// An error for an aggregate whose result is not a value.
public struct AggregateError: DetailedError, Hashable, Sendable {
  /// The reason why an aggregate has no value.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code; later versions may add some.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code of the error for a sum of integers that exceeds the range of integers that can be stored.
    public static let overflow = Code(rawValue: "overflow")
    /// The code of the error for a sum or an average that is not a number, because both infinities are added.
    public static let notANumber = Code(rawValue: "notANumber")
  }

  /// The reason why the aggregate has no value.
  public let code: Code
  /// The description of the error: what happened, why, and what to do about it.
  public let details: ErrorDetails

  init(_ fault: AggregateFault, _ aggregate: AnyAggregate) {
    switch fault {
    case .overflow:
      code = .overflow
      details = ErrorDetails(
        "\(aggregate) overflows", reason: "a sum of integers must be from \(Int64.min) to \(Int64.max)",
        suggestion: "compute the average, or sum smaller groups")
    case .notANumber:
      code = .notANumber
      details = ErrorDetails(
        "\(aggregate) is not a number", reason: "the values include both infinity and -infinity",
        suggestion: "exclude infinities with the query")
    }
  }
}

/// The reason why a sum or an average has no value.
///
/// A fault is encoded as a text, which no sum is, so that a database function can return it in place of the sum.
package enum AggregateFault: String, Sendable {
  /// A sum of integers that is not an `Int64`.
  case overflow
  /// A sum of both infinities.
  case notANumber

  /// The value that replaces the aggregate.
  package var value: Value { .text(rawValue) }
}
