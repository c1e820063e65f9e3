import Query

/// All of a request that its SQL depends on, as bytes: how it is built, its keys, and of its values which case they are.
///
/// Two requests of one shape differ in values alone, so that they share a statement.
struct RequestFingerprint: Hashable {
  private var bytes: [UInt8] = []

  init() {
    // For some ten conditions.
    bytes.reserveCapacity(256)
  }

  mutating func append(_ part: Part) { bytes.append(part.rawValue) }

  mutating func append(_ number: UInt8) { bytes.append(number) }

  /// Appends a name with its length, so that no two names make the bytes of a third.
  mutating func append(_ name: String) {
    let count = UInt32(clamping: name.utf8.count)
    withUnsafeBytes(of: count) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: name.utf8)
  }

  /// Feeds all bytes at once: one by one, they take as long as all else that a known request needs.
  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  enum Part: UInt8 {
    case select, count
    case and, or, not, yes, no
    case comparison, between, membership, text
    case key
    case null, integer, longInteger, real, wholeReal, word, blob
    case sorted, limit, offset, reversed
  }
}

extension RequestFingerprint.Part {
  /// The case of a value, as far as SQL depends on it: an integer that a real can't hold, and a real that is no integer, are
  /// compared in other ways than those that a column holds. `nil` for NaN, which no request may contain.
  init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = Double(exactly: integer) == nil ? .longInteger : .integer
    case .real(let real):
      if real.isNaN { return nil }
      self = Int64(exactly: real) == nil ? .real : .wholeReal
    case .text: self = .word
    case .blob: self = .blob
    }
  }
}

/// Takes a request apart into its shape and what differs between requests of that shape.
struct FingerprintReader {
  private(set) var shape = RequestFingerprint()
  /// The values of comparisons, from left to right; nulls are a part of the shape.
  private(set) var values: [Value] = []
  /// The conditions whose values are made into others, from left to right.
  private(set) var conditions: [Condition<String>] = []

  /// How many parts a request may have, its cursors' included: no join has so many members then that it is looked through
  /// for such as say the same.
  private static let maximumPartCount = 127

  /// Reads a request to find rows.
  ///
  /// - Parameter places: what its cursors say as queries.
  /// - Returns: `nil` for a request that has to be looked at as a whole, or that is refused.
  init?(_ request: FetchRequest, places: [AnyQuery]) {
    shape.append(.select)
    values.reserveCapacity(16)
    guard places.reduce(request.query.partCount, { $0 + $1.partCount + 1 }) <= Self.maximumPartCount,
      readForm(request.query.form)
    else { return nil }
    for place in places {
      shape.append(.and)
      guard readForm(place.form) else { return nil }
    }
    shape.append(.sorted)
    shape.append(UInt8(clamping: request.sort.terms.count))
    for term in request.sort.terms {
      shape.append(term.key)
      shape.append((term.direction == .ascending ? 1 : 0) | (term.nulls == .first ? 2 : 0))
    }
    if let limit = request.limit {
      if limit < 0 { return nil }
      shape.append(.limit)
    }
    if request.offset < 0 { return nil }
    if request.offset > 0 { shape.append(.offset) }
    if request.before != nil, request.after == nil { shape.append(.reversed) }
  }

  /// Reads a query whose rows are counted.
  init?(counting query: AnyQuery) {
    shape.append(.count)
    guard query.partCount <= Self.maximumPartCount, readForm(query.form) else { return nil }
  }

  private mutating func readForm(_ form: AnyQuery.Form) -> Bool {
    switch form {
    case .and(let lhs, let rhs):
      shape.append(.and)
      return readForm(lhs.form) && readForm(rhs.form)
    case .or(let lhs, let rhs):
      shape.append(.or)
      return readForm(lhs.form) && readForm(rhs.form)
    case .not(let query):
      shape.append(.not)
      return readForm(query.form)
    case .condition(let condition):
      return read(condition)
    }
  }

  private mutating func read(_ condition: Condition<String>) -> Bool {
    switch condition {
    case .constant(let constant):
      shape.append(constant ? .yes : .no)
      return true
    case .comparison(let comparison):
      shape.append(.comparison)
      shape.append(comparison.key)
      shape.append(comparison.relation.number)
      return read(comparison.operand)
    case .between(let between):
      shape.append(.between)
      shape.append(between.key)
      return read(between.lower) && read(between.upper)
    case .membership(let membership):
      return read(membership, condition)
    case .text(let match):
      shape.append(.text)
      shape.append(match.key)
      shape.append(match.operation.number | (match.isIgnoringCase ? 0x80 : 0))
      conditions.append(condition)
      return true
    case .invalid:
      return false
    }
  }

  private mutating func read(_ operand: Operand<String>) -> Bool {
    switch operand {
    case .key(let key):
      shape.append(.key)
      shape.append(key)
    case .value(let value):
      guard let part = RequestFingerprint.Part(value) else { return false }
      shape.append(part)
      if part != .null { values.append(value) }
    }
    return true
  }

  /// The cases of a list's values are a part of the shape as a set, by which it is known which of them a column can hold.
  private mutating func read(_ membership: Membership<String>, _ condition: Condition<String>) -> Bool {
    var cases: UInt32 = 0
    for value in membership.values {
      guard let part = RequestFingerprint.Part(value) else { return false }
      cases |= 1 << UInt32(part.rawValue)
    }
    shape.append(.membership)
    shape.append(membership.key)
    for byte in 0..<4 { shape.append(UInt8(truncatingIfNeeded: cases >> UInt32(8 * byte))) }
    // Lists are filled up to a power of two.
    shape.append(UInt8(truncatingIfNeeded: Int.bitWidth - (membership.values.count - 1).leadingZeroBitCount))
    conditions.append(condition)
    return true
  }
}

extension Relation {
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
