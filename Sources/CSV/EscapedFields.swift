// The fields of tab-separated values, with escapes by a backslash: all positions are counted from the start of the record.
extension RecordScanner {
  /// Scans fields with escapes.
  ///
  /// - Returns: whether the record ends in the window.
  mutating func scanEscapedFields(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isAtEnd: Bool
  ) throws(CSVError) -> Bool {
    while true {
      switch state {
      case .unquoted:
        guard findEndOfEscaped(bytes, isAtEnd) else {
          try checkSize(bytes)
          return false
        }
        var end = index
        let endsLine = index < bytes.count && bytes[index] == .lineFeed
        if endsLine, end > fieldStart, bytes[end - 1] == .carriageReturn { end -= 1 }
        if isNull, end - fieldStart != 2 { noteUnknownEscape(at: fieldStart, bytes) }
        try endField(isNull ? .absent : escapes > 0 ? .escaped : .plain, at: end, bytes)
        recordEnd = end
        state = .fieldEnd
      case .fieldEnd:
        guard index < bytes.count else { return isAtEnd }
        let mark = bytes[index]
        index += 1
        if mark == .lineFeed {
          lineBreaks += 1
          return true
        }
        state = .fieldStart
      default: beginField(.unquoted)
      }
    }
  }

  /// Advances to the mark after a field, or to the end of the bytes.
  ///
  /// - Returns: whether the field's end was found.
  private mutating func findEndOfEscaped(_ bytes: UnsafeBufferPointer<UInt8>, _ isAtEnd: Bool) -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == syntax.delimiter || byte == .lineFeed { return true }
      if byte == .backslash {
        guard index + 1 < bytes.count || isAtEnd else { return false }
        let letter = index + 1 < bytes.count ? bytes[index + 1] : 0
        if letter.escapedByte != nil {
          escapes += 1
          index += 1
        } else if letter == UInt8(ascii: "N"), index == fieldStart {
          isNull = true
          index += 1
        } else {
          noteUnknownEscape(at: index, bytes)
        }
      }
      union |= byte
      index += 1
    }
    return isAtEnd
  }

  private mutating func noteUnknownEscape(at position: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    if mistake == nil { mistake = (.unknownEscape(at: lineAndColumn(of: position, in: bytes)), position) }
  }
}
