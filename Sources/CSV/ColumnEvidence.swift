/// What the values of a column have shown of its type so far; the rule is that of ``ColumnTypeDetector``.
package struct ColumnEvidence: Sendable {
  /// Whether a record had no value here.
  package private(set) var isEverAbsent = false
  package private(set) var hasInteger = false
  package private(set) var hasReal = false
  /// Whether there was a text that is no number that can be kept.
  package private(set) var hasText = false
  /// Whether there was an integer that a `Double` would round.
  package private(set) var hasLongInteger = false

  /// A column of which nothing is known.
  package init() {}

  /// Takes a record without a value into account.
  package mutating func observeAbsence() { isEverAbsent = true }

  /// Takes the text of a value into account.
  package mutating func observe(_ text: UnsafeBufferPointer<UInt8>) {
    guard !hasText else { return }
    switch NumericForm(text) {
    case .integer(let value):
      hasInteger = true
      if Int64(exactly: Double(value)) != value { hasLongInteger = true }
    case .real:
      hasReal = true
    case .none:
      hasText = true
    }
  }

  /// The narrowest type that holds all values.
  package var type: DetectedType {
    if hasText { return .text }
    if hasReal { return hasLongInteger ? .text : .real }
    return hasInteger ? .integer : .text
  }
}
