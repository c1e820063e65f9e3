import CSV
import Query

/// What the records so far say about a column of a new table.
struct ColumnFindings {
  /// Of texts that may spell anything, and of numbers.
  private var spellings = ColumnEvidence()
  private var hasNumber = false
  private var hasInfinity = false
  private var hasString = false
  /// How many records had a value here.
  private(set) var count = 0

  mutating func observe(_ field: ImportField) {
    switch field.kind {
    case .absent: return
    case .untyped: spellings.observe(field.bytes)
    case .number, .boolean:
      hasNumber = true
      spellings.observe(field.bytes)
    case .string:
      if JSONReal.isInfinity(field.bytes) { hasInfinity = true } else { hasString = true }
    case .nested: hasString = true
    }
    count += 1
  }

  /// The narrowest type that loses nothing.
  ///
  /// Where a format tells numbers from texts, a column of both keeps them apart. A number that no `Int64` and no `Double`
  /// holds is kept as it is spelled.
  var type: ValueType {
    if hasNumber {
      if spellings.hasText { return .text }
      if hasString { return .any }
      let isReal = hasInfinity || spellings.hasReal
      if isReal { return spellings.hasLongInteger ? .any : .real }
      return .integer
    }
    if hasString || hasInfinity { return .text }
    return switch spellings.type {
    case .integer: .integer
    case .real: .real
    case .text: .text
    }
  }
}
