import Query

/// What belongs to which key. Keys of one integer are kept apart, where they cost as much as in any dictionary of `Int`s.
struct KeyIndex<Content: Sendable>: Sendable {
  private var integers: [Int64: Content] = [:]
  private var others: [RowKey: Content] = [:]

  subscript(key: RowKey) -> Content? {
    get {
      if case .integer(let integer) = key { integers[integer] } else { others[key] }
    }
    _modify {
      if case .integer(let integer) = key { yield &integers[integer] } else { yield &others[key] }
    }
  }

  subscript(integer: Int64) -> Content? { integers[integer] }

  mutating func reserveCapacity(_ count: Int, forIntegers: Bool) {
    if forIntegers { integers.reserveCapacity(count) } else { others.reserveCapacity(count) }
  }
}
