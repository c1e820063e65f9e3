import Query

/// All of a request that its SQL depends on, as bytes: how it is built, its keys, and of its values which case they are.
///
/// Two requests of one shape differ in values alone, so that they share a statement.
struct RequestShape: Hashable {
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

extension RequestShape.Part {
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
