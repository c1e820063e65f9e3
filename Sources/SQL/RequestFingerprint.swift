import Query

/// The part of a request on which its SQL depends, as bytes: its structure, its keys, and the cases of its values.
///
/// Two requests with the same fingerprint only differ in values, so that they share a plan.
struct RequestFingerprint: Hashable {
  private var bytes: [UInt8] = []

  init() {
    // 256 bytes are enough for about ten conditions.
    bytes.reserveCapacity(256)
  }

  var byteCount: Int { bytes.count }

  mutating func append(_ part: Part) { bytes.append(part.rawValue) }

  mutating func append(_ number: UInt8) { bytes.append(number) }

  mutating func append(hash number: UInt64) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Appends a name with its length, so that two names never have the bytes of a third.
  mutating func append(_ name: String) {
    let count = UInt32(clamping: name.utf8.count)
    withUnsafeBytes(of: count) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: name.utf8)
  }

  /// Appends the selected columns, after everything else.
  mutating func append(columns: [Int]) {
    append(.columns)
    for column in columns { withUnsafeBytes(of: UInt16(truncatingIfNeeded: column)) { bytes.append(contentsOf: $0) } }
  }

  /// Hashes all bytes at once: one by one, they take as long as everything else that a known request needs.
  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  enum Part: UInt8 {
    case select, count, columns
    case and, or, not, yes, no
    case comparison, between, membership, text, holds
    case key, expression
    case null, integer, longInteger, real, wholeReal, word, numericWord, blob
    case sorted, limit, offset, after, before
    case path, function, conditional, aggregate, exists
  }
}

extension RequestFingerprint.Part {
  /// The case of a value, as far as SQL depends on it: a column of reals is compared in another way with an integer that no
  /// real holds exactly, a column of integers with a real that is no integer, and a column of numbers with a text that spells one.
  /// `nil` for NaN, which no request may contain.
  init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = Double(exactly: integer) == nil ? .longInteger : .integer
    case .real(let real):
      if real.isNaN { return nil }
      self = Int64(exactly: real) == nil ? .real : .wholeReal
    case .text(let text): self = text.mayBeNumber ? .numericWord : .word
    case .blob: self = .blob
    }
  }
}

/// An operand that a request compares a column with.
enum RequestOperand {
  /// A value, or the sought text; null for another column, which is part of the fingerprint.
  case value(Value)
  /// The values of a list.
  case list([Value])
}

/// A reader that splits a request into its fingerprint and the operands.
struct FingerprintReader {
  var fingerprint = RequestFingerprint()
  /// The operands of all conditions, from left to right, followed by the values of the cursors.
  private(set) var operands: [RequestOperand] = []
  /// The number of operands of conditions.
  private(set) var conditionOperandCount = 0
  let limit: Int?
  let offset: Int
  /// Whether an expression that is more than a key is part of the request.
  var hasExpressions = false
  /// Whether the current values are part of an expression, and thus of the fingerprint.
  var isInExpression = false

  /// The maximum number of parts of a request, including its cursors: with so few, no connective has so many members that it is
  /// searched for duplicates.
  private static let maximumPartCount = 127
  /// The maximum number of parts that a cursor adds to a connective.
  private static let cursorPartCount = 4
  /// The maximum number of columns of a cursor, for the same reason.
  private static let maximumCursorLength = 60

  /// Reads a request for rows.
  ///
  /// - Returns: `nil` for a request that has to be compiled each time, or that is refused.
  init?(_ request: FetchRequest) {
    (limit, offset) = (request.limit, request.offset)
    fingerprint.append(.select)
    operands.reserveCapacity(16)
    guard request.query.partCount <= Self.maximumPartCount - 2 * Self.cursorPartCount, read(request.query.form)
    else { return nil }
    conditionOperandCount = operands.count
    fingerprint.append(.sorted)
    fingerprint.append(UInt8(clamping: request.sort.terms.count))
    for term in request.sort.terms {
      guard append(term.key) else { return nil }
      fingerprint.append((term.direction == .ascending ? 1 : 0) | (term.nulls == .first ? 2 : 0))
    }
    if let limit {
      if limit < 0 { return nil }
      fingerprint.append(.limit)
    }
    if offset < 0 { return nil }
    if offset > 0 { fingerprint.append(.offset) }
    if let cursor = request.after {
      fingerprint.append(.after)
      guard read(cursor) else { return nil }
    }
    if let cursor = request.before {
      fingerprint.append(.before)
      guard read(cursor) else { return nil }
    }
  }

  /// Reads a query whose rows are counted.
  init?(counting query: AnyQuery) {
    (limit, offset) = (nil, 0)
    fingerprint.append(.count)
    guard query.partCount <= Self.maximumPartCount, read(query.form) else { return nil }
    conditionOperandCount = operands.count
  }

  mutating func read(_ form: AnyQuery.Form) -> Bool {
    switch form {
    case .and(let lhs, let rhs):
      fingerprint.append(.and)
      return read(lhs.form) && read(rhs.form)
    case .or(let lhs, let rhs):
      fingerprint.append(.or)
      return read(lhs.form) && read(rhs.form)
    case .not(let query):
      fingerprint.append(.not)
      return read(query.form)
    case .condition(let condition):
      return read(condition)
    }
  }

  private mutating func read(_ condition: Condition<AnyExpression>) -> Bool {
    switch condition {
    case .constant(let constant):
      fingerprint.append(constant ? .yes : .no)
      return true
    case .comparison(let comparison):
      fingerprint.append(.comparison)
      guard append(comparison.key) else { return false }
      fingerprint.append(comparison.operator.number)
      return read(comparison.operand)
    case .between(let between):
      fingerprint.append(.between)
      guard append(between.key) else { return false }
      return read(between.lower) && read(between.upper)
    case .membership(let membership):
      return read(membership)
    case .text(let match):
      let sought = match.soughtText
      fingerprint.append(.text)
      guard append(match.key) else { return false }
      let flags: UInt8 =
        (match.isIgnoringCase ? 0x80 : 0) + (sought.isEmpty ? 0x40 : 0) + (sought.utf8.contains(0) ? 0x20 : 0)
      fingerprint.append(match.operation.number + flags)
      if isInExpression { return appendExactly(.text(sought)) }
      operands.append(.value(.text(sought)))
      return true
    case .holds(let key):
      fingerprint.append(.holds)
      return append(key)
    // A request without a fingerprint is compiled each time.
    default:
      return false
    }
  }

  private mutating func append(_ key: AnyExpression) -> Bool {
    guard let key = key.plainKey else { return read(key) }
    fingerprint.append(key)
    return true
  }

  private mutating func read(_ operand: Operand<AnyExpression>) -> Bool {
    switch operand {
    case .key(let key):
      // An expression that is only a value is read as that value.
      if case .value(let value) = key.form { return read(value) }
      fingerprint.append(.key)
      guard append(key) else { return false }
      if !isInExpression { operands.append(.value(.null)) }
      return true
    case .value(let value):
      return read(value)
    }
  }

  private mutating func read(_ value: Value) -> Bool {
    if isInExpression { return appendExactly(value) }
    guard let part = RequestFingerprint.Part(value) else { return false }
    fingerprint.append(part)
    operands.append(.value(value))
    return true
  }

  /// The fingerprint contains the set of the cases of a list's values, on which it depends which of them a column can hold.
  private mutating func read(_ membership: Membership<AnyExpression>) -> Bool {
    var cases: UInt32 = 0
    for value in membership.values {
      guard let part = RequestFingerprint.Part(value) else { return false }
      cases |= 1 << UInt32(part.rawValue)
    }
    fingerprint.append(.membership)
    guard append(membership.key) else { return false }
    for byte in 0..<4 { fingerprint.append(UInt8(truncatingIfNeeded: cases >> UInt32(8 * byte))) }
    // Lists are padded to a power of two.
    fingerprint.append(UInt8(truncatingIfNeeded: Int.bitWidth - (membership.values.count - 1).leadingZeroBitCount))
    if isInExpression {
      fingerprint.append(hash: UInt64(membership.values.count))
      return membership.values.allSatisfy { appendExactly($0) }
    }
    operands.append(.list(membership.values))
    return true
  }

  /// A cursor's own fingerprint identifies its sort and its table.
  private mutating func read(_ cursor: Cursor) -> Bool {
    fingerprint.append(hash: cursor.fingerprint)
    fingerprint.append(UInt8(clamping: cursor.values.count))
    return cursor.values.count <= Self.maximumCursorLength && cursor.values.allSatisfy { read($0) }
  }
}

extension ComparisonOperator {
  fileprivate var number: UInt8 {
    switch self {
    case .equal: 0
    case .notEqual: 1
    case .lessThan: 2
    case .lessThanOrEqual: 3
    case .greaterThan: 4
    case .greaterThanOrEqual: 5
    }
  }
}

extension TextOperation {
  fileprivate var number: UInt8 {
    switch self {
    case .contains: 0
    case .hasPrefix: 1
    case .hasSuffix: 2
    case .like: 3
    }
  }
}

extension String {
  /// Whether SQLite may read the text as a number in a comparison with a numeric column, which needs a whole literal with blanks
  /// around it: https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison
  var mayBeNumber: Bool {
    var hasDigit = false
    var previous: UInt8 = 0
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        // As in `2026-03-01`, unless it is an exponent's.
        if hasDigit, previous | 0x20 != UInt8(ascii: "e") { return false }
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: " "), 0x09...0x0D, 0: break
      default: return false
      }
      previous = byte
    }
    return hasDigit
  }
}
