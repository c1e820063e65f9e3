/// A `like` pattern: `%` stands for any run of characters, `_` for exactly one Unicode scalar, and `\` takes the next
/// character as it is. A `\` at the end stands for itself.
package struct LikePattern: Sendable {
  private enum Element: Equatable {
    case anyRun
    case anyScalar
    case byte(UInt8)
  }

  private let elements: [Element]

  /// Reads a pattern; every text is one.
  package init(_ pattern: String) {
    var elements: [Element] = []
    elements.reserveCapacity(pattern.utf8.count)
    var isEscaped = false
    for byte in pattern.utf8 {
      switch byte {
      case UInt8(ascii: "\\") where !isEscaped:
        isEscaped = true
        continue
      case UInt8(ascii: "%") where !isEscaped:
        if elements.last != .anyRun { elements.append(.anyRun) }
      case UInt8(ascii: "_") where !isEscaped:
        elements.append(.anyScalar)
      default:
        elements.append(.byte(byte))
      }
      isEscaped = false
    }
    if isEscaped { elements.append(.byte(UInt8(ascii: "\\"))) }
    self.elements = elements
  }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(matches) ?? Array(text.utf8).withUnsafeBufferPointer(matches)
  }

  /// Whether the whole of a UTF-8 text matches.
  ///
  /// On a mismatch only the latest `%` needs another try: what stands before it has matched as early as it can. So the
  /// cost is at most the product of both lengths, never exponential. Taking a `%` byte by byte can't match amid a
  /// scalar: what follows it starts with a whole scalar, whose first byte occurs nowhere else (RFC 3629, section 3).
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    var index = 0
    var retry: (index: Int, position: Int)?
    while true {
      if index == elements.count {
        if position == text.count { return true }
      } else {
        switch elements[index] {
        case .anyRun:
          if index + 1 == elements.count { return true }
          retry = (index + 1, position)
          index += 1
          continue
        case .anyScalar where position < text.count:
          position = Self.end(ofScalarAt: position, in: text)
          index += 1
          continue
        case .byte(let byte) where position < text.count && text[position] == byte:
          position += 1
          index += 1
          continue
        case .anyScalar, .byte:
          break
        }
      }
      guard let latest = retry, latest.position < text.count else { return false }
      position = Self.end(ofScalarAt: latest.position, in: text)
      index = latest.index
      retry = (latest.index, position)
    }
  }

  private static func end(ofScalarAt position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var end = position + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
