import Query

/// How the values of any request of one shape become the bindings of their statement.
///
/// It takes over from the compiler nothing that depends on a value: those of comparisons are given the form in which their
/// column holds them, and conditions of other kinds are written anew, and have to come out with the SQL that is known.
struct StatementPlan: Sendable {
  let text: StatementText
  private let steps: [Step]
  private let table: TableSchema
  private let dialect: any Dialect

  private enum Step {
    /// A value, in the form of a column.
    case value(Int, column: Int)
    /// One of the other conditions.
    case condition(Int, column: Int, isNegated: Bool, sql: String)
  }

  /// Learns from a statement how it came about; `nil` where that can't be told from the shape alone.
  ///
  /// - Parameters:
  ///   - writer: has written the statement.
  ///   - conditions: the request's conditions, from left to right.
  ///   - request: the request, as it was read.
  ///   - range: the limit and the offset.
  init?(_ writer: StatementWriter, of conditions: [Condition<Int>], _ request: FingerprintReader, range: [Value]) {
    guard let origins = Self.origins(of: writer, in: conditions) else { return nil }
    table = writer.table
    dialect = writer.dialect
    text = StatementText(writer.sql)
    // How many values and other conditions come before each condition.
    var places: [(values: Int, conditions: Int)] = []
    var (values, others) = (0, 0)
    for condition in conditions {
      places.append((values, others))
      values += condition.boundValueCount
      if condition.isRewritten { others += 1 }
    }
    var steps: [Step] = []
    for (written, origin) in zip(writer.conditions, origins) {
      let place = places[origin]
      switch written.condition {
      case .comparison, .between:
        for index in 0..<written.condition.boundValueCount {
          steps.append(.value(place.values + index, column: written.condition.key))
        }
      case .membership, .text:
        steps.append(
          .condition(
            place.conditions, column: written.condition.key, isNegated: written.isNegated, sql: written.sql))
      case .constant, .invalid:
        return nil
      }
    }
    self.steps = steps
    guard values == request.values.count, others == request.conditions.count,
      let bindings = bindings(for: request, range: range), bindings.isIdentical(to: writer.bindings)
    else { return nil }
  }

  /// Which condition of a request each condition of its statement is; `nil` where some were left out or merged on the way,
  /// and where they were moved and two of them are so alike that nobody knows which is which.
  private static func origins(of writer: StatementWriter, in conditions: [Condition<Int>]) -> [Int]? {
    guard writer.conditions.count == conditions.count else { return nil }
    guard writer.isReordered else {
      return writer.conditions.map(\.condition) == conditions ? Array(conditions.indices) : nil
    }
    var origins: [Condition<Int>: Int] = [:]
    for (index, condition) in conditions.enumerated() {
      if origins.updateValue(index, forKey: condition) != nil { return nil }
    }
    let found = writer.conditions.compactMap { origins[$0.condition] }
    return found.count == conditions.count ? found : nil
  }

  /// The bindings for a request of the plan's shape; `nil` where its SQL would be another.
  func bindings(for request: FingerprintReader, range: [Value]) -> [Value]? {
    var bindings: [Value] = []
    bindings.reserveCapacity(steps.count + range.count)
    for step in steps {
      switch step {
      case .value(let index, let column):
        bindings.append(table.columns[column].comparable(request.values[index]))
      case .condition(let index, let column, let isNegated, let sql):
        var writer = StatementWriter(dialect, table)
        let written = writer.expression(request.conditions[index].mapKeys { _ in column }, isNegated: isNegated)
        guard written.sql == sql else { return nil }
        bindings += writer.bindings
      }
    }
    for value in range { bindings.append(value) }
    return bindings
  }
}

extension Condition where Key == Int {
  /// How many values a comparison binds; none for other conditions.
  fileprivate var boundValueCount: Int {
    func count(_ operand: Operand<Int>) -> Int {
      if case .value(let value) = operand, !value.isNull { 1 } else { 0 }
    }
    return switch self {
    case .comparison(let comparison): count(comparison.operand)
    case .between(let between): count(between.lower) + count(between.upper)
    default: 0
    }
  }

  /// Whether it is written anew for each request.
  fileprivate var isRewritten: Bool {
    switch self {
    case .membership, .text: true
    default: false
    }
  }

  /// The column on the left.
  fileprivate var key: Int {
    switch self {
    case .comparison(let comparison): comparison.key
    case .between(let between): between.key
    case .membership(let membership): membership.key
    case .text(let match): match.key
    case .constant, .invalid: 0
    }
  }
}

extension [Value] {
  /// Whether both hold the same values in the same cases.
  func isIdentical(to other: [Value]) -> Bool {
    elementsEqual(other) { $0.isIdentical(to: $1) }
  }
}
