// Reads the fields of CSV, with or without quotes; `CSVWriter` decides which fields it writes in quotes. All positions are counted
// from the start of the record.
extension RecordScanner {
  /// Scans fields with or without quotes.
  ///
  /// - Returns: whether the record ends in the window.
  mutating func scanQuotedFields(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isAtEnd: Bool
  ) throws(CSVError) -> Bool {
    while true {
      switch state {
      case .unquoted:
        findEndOfUnquoted(bytes)
        if index == bytes.count, !isAtEnd {
          try checkSize(bytes)
          return false
        }
        // The text before a quote is checked first: the earlier mistake is the one to report.
        try endField(index == fieldStart ? .absent : .plain, at: index, bytes)
        if index < bytes.count, bytes[index] == syntax.quote {
          throw failure(.quoteInUnquotedField(at: lineAndColumn(of: index, in: bytes)), at: index)
        }
        state = .fieldEnd
      case .quoted:
        guard findEndOfQuoted(bytes, isAtEnd) else {
          try checkSize(bytes)
          if !isAtEnd { return false }
          throw failure(.unterminatedQuote(at: lineAndColumn(of: fieldStart - 1, in: bytes)), at: fieldStart)
        }
        try endField(escapes > 0 ? .escaped : .quoted, at: index, bytes)
        index += 1
        state = .fieldEnd
      case .fieldEnd:
        recordEnd = index
        guard index < bytes.count else { return isAtEnd }
        if bytes[index] == .space, syntax.allowsBlanks, syntax.delimiter != .space {
          let end = endOfBlanks(bytes)
          if end == bytes.count, !isAtEnd { return false }
          if end == bytes.count || isEnd(bytes[end]) {
            index = end
            continue
          }
        }
        let mark = bytes[index]
        if mark == syntax.delimiter {
          index += 1
          state = .fieldStart
        } else if mark == .lineFeed || mark == .carriageReturn {
          index += 1
          lineBreaks += 1
          endedWithCarriageReturn = mark == .carriageReturn
          return true
        } else {
          throw failure(.textAfterQuote(at: lineAndColumn(of: index, in: bytes)), at: index)
        }
      default:
        guard index < bytes.count || isAtEnd else { return false }
        if index < bytes.count, bytes[index] == .space, syntax.allowsBlanks, syntax.delimiter != .space {
          let end = endOfBlanks(bytes)
          if end == bytes.count, !isAtEnd { return false }
          if end < bytes.count, bytes[end] == syntax.quote { index = end }
        }
        let isQuoted = index < bytes.count && bytes[index] == syntax.quote
        if isQuoted { index += 1 }
        beginField(isQuoted ? .quoted : .unquoted)
      }
    }
  }

  /// The position behind the blanks at the current one, of which at most a few are skipped.
  private func endOfBlanks(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var end = index
    while end < bytes.count, end < index + 100, bytes[end] == .space { end += 1 }
    return end
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == syntax.delimiter || byte == .lineFeed || byte == .carriageReturn
  }

  mutating func beginField(_ state: State) {
    fieldStart = index
    (union, escapes, isNull) = (0, 0, false)
    self.state = state
  }

  private mutating func findEndOfUnquoted(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (index, union) = (index, union)
    let (delimiter, quote, highestMark) = (syntax.delimiter, quoteMark, highestMark)
    while index < bytes.count {
      let byte = bytes[index]
      // Letters and digits are above the common marks, so that one comparison skips them.
      if byte <= highestMark {
        if byte == delimiter || byte == .lineFeed || byte == .carriageReturn || byte == quote { break }
      }
      union |= byte
      index += 1
    }
    (self.index, self.union) = (index, union)
  }

  /// Advances to the closing quote, or to the end of the bytes.
  ///
  /// - Returns: whether the closing quote was found.
  private mutating func findEndOfQuoted(_ bytes: UnsafeBufferPointer<UInt8>, _ isAtEnd: Bool) -> Bool {
    var (index, union) = (index, union)
    defer { (self.index, self.union) = (index, union) }
    let (quote, escape) = (quoteMark, escapeMark)
    let highestMark = max(quote, escape, .carriageReturn)
    while index < bytes.count {
      let byte = bytes[index]
      if byte <= highestMark {
        if byte == escape, escape != quote {
          guard index + 1 < bytes.count else { return false }
          // A backslash before another byte is a letter.
          if bytes[index + 1] == quote || bytes[index + 1] == escape {
            escapes += 1
            index += 1
          }
        } else if byte == quote {
          // The next byte shows whether the quote ends the field.
          guard index + 1 < bytes.count else { return isAtEnd }
          guard bytes[index + 1] == quote else { return true }
          escapes += 1
          index += 1
        } else if byte == .lineFeed && bytes[index - 1] != .carriageReturn || byte == .carriageReturn {
          lineBreaks += 1
        }
      }
      union |= byte
      index += 1
    }
    return false
  }
}
