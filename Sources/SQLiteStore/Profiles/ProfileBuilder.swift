import Query
import Repository

/// Works out the profile of a column from its values, each with how many rows have it.
struct ProfileBuilder {
  /// What is known of a column before its values are looked at.
  struct Bounds {
    let rowCount: Int
    let valueCount: Int
    let least: Value
    let greatest: Value
  }

  private static let rangeCount = 12

  private let column: ColumnSchema
  private let bounds: Bounds
  private var distinctCount = 0
  private var unreadableCount = 0
  private var typeCounts: [ValueType: Int] = [:]
  private var least = Extreme(isGreatest: false)
  private var greatest = Extreme(isGreatest: true)
  private var total = NumberTotal()
  private var lengths: (min: Int, max: Int, sum: Int, count: Int)?
  private var common: CommonValues
  private var histogram: Histogram?

  init(_ column: ColumnSchema, _ bounds: Bounds, commonCount: Int) {
    self.column = column
    self.bounds = bounds
    common = CommonValues(limit: commonCount)
    if let lower = bounds.least.double, let upper = bounds.greatest.double {
      let isWhole = column.type == .integer && bounds.least.isWhole && bounds.greatest.isWhole
      histogram = Histogram(from: lower, to: upper, count: Self.rangeCount, isWhole: isWhole)
    }
  }

  /// Takes in a value.
  ///
  /// - Parameter value: `nil` for a text that is not UTF-8.
  mutating func add(_ value: Value?, times: Int) {
    guard let value else {
      distinctCount += 1
      unreadableCount += times
      typeCounts[.text, default: 0] += times
      return
    }
    if value.isNull { return }
    distinctCount += 1
    typeCounts[value.type, default: 0] += times
    least.add(value)
    greatest.add(value)
    common.add(value, count: times)
    switch value {
    case .integer, .real:
      total.add(value, times: times)
      if let number = value.double, number.isFinite { histogram?.add(number, times: times) }
    case .text(let text): addLength(text.unicodeScalars.count, times: times)
    case .null, .blob: break
    }
  }

  private mutating func addLength(_ length: Int, times: Int) {
    let known = lengths ?? (length, length, 0, 0)
    lengths = (
      Swift.min(known.min, length), Swift.max(known.max, length), known.sum + length * times, known.count + times
    )
  }

  /// The profile.
  ///
  /// - Parameter types: how many values there are of each type, where that can't be told from the values that differ.
  func profile(types: [ValueType: Int]? = nil) -> ColumnProfile {
    ColumnProfile(
      column: column, rowCount: bounds.rowCount, nullCount: bounds.rowCount - bounds.valueCount,
      distinctCount: distinctCount, typeCounts: types ?? typeCounts, min: least.value, max: greatest.value,
      mean: total.average.double == nil ? .null : total.average,
      lengths: lengths.map { lengths in
        TextLengths(min: lengths.min, max: lengths.max, mean: Double(lengths.sum) / Double(lengths.count))
      },
      common: common.values, histogram: histogram, unreadableCount: unreadableCount)
  }
}

extension Value {
  fileprivate var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }

  fileprivate var isWhole: Bool {
    if case .integer = self { true } else { false }
  }

  fileprivate var type: ValueType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    case .null: .any
    }
  }
}
