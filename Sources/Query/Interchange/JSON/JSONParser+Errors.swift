extension JSONParser {
  /// The error for what stands at the current position, which is something else than what was expected.
  func error(expected: String) -> InterchangeError {
    let rest = bytes[position...]
    let word = rest.prefix { $0 > 0x20 && !#",:[]{}"#.utf8.contains($0) }
    let found =
      rest.isEmpty ? "the end of the text" : "`\(VisibleText.excerpt(of: word.isEmpty ? rest.prefix(1) : word))`"
    return error("expected \(expected), found \(found)", at: position, suggestion: suggestion(for: word))
  }

  /// An error at a position, and in the value that is read there.
  func error(_ summary: String, at position: Int, suggestion: String? = nil) -> InterchangeError {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0A } + 1
    // Every scalar has exactly one byte that does not continue another (RFC 3629, section 3).
    let column = before[((before.lastIndex(of: 0x0A) ?? -1) + 1)...].count { $0 & 0xC0 != 0x80 } + 1
    return InterchangeError(
      .malformed, "\(summary), at line \(line), column \(column)",
      path: JSONPointer.path(to: tokens.count, in: tokens[...]), suggestion: suggestion)
  }

  /// What to write instead of what other languages write.
  private func suggestion(for word: ArraySlice<UInt8>) -> String? {
    switch String(decoding: word.prefix(16), as: UTF8.self) {
    case "": current == UInt8(ascii: "]") || current == UInt8(ascii: "}") ? trailingComma : nil
    case "True": "write true"
    case "False": "write false"
    case "None", "nil", "undefined", "NULL": "write null"
    case "NaN": ValueError.notANumber.suggestion
    case "Infinity", "inf":
      #"write {"real": "\#(bytes[..<position].last == UInt8(ascii: "-") ? "-" : "")infinity"}"#
    case let word where word.hasPrefix("'") || word.hasPrefix("“"): "put names and texts in double quotes"
    case let word where word.hasPrefix("//") || word.hasPrefix("/*") || word.hasPrefix("#"): "JSON has no comments"
    default: nil
    }
  }

  private var trailingComma: String? {
    let before = bytes[..<position].last { $0 > 0x20 }
    return before == UInt8(ascii: ",") ? "leave the last comma out" : nil
  }
}
