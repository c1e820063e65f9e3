import ErrorDetails
import Query

/// A reader of rows and values in JSON. Nested values other than tagged ones are refused immediately, so deep nesting takes no
/// memory.
struct RowReader {
  typealias Failure = JSONTokenizer.Failure

  private var tokenizer: JSONTokenizer

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    tokenizer = JSONTokenizer(bytes, isWhole: true)
  }

  mutating func isAtArray() throws(Failure) -> Bool {
    tokenizer.skipSpace()
    return try tokenizer.peek() == UInt8(ascii: "[")
  }

  mutating func end() throws(Failure) {
    tokenizer.skipSpace()
    if tokenizer.offset < tokenizer.bytes.count { throw failure("unexpected text after the value") }
  }

  mutating func array<Form>(
    _ element: (inout RowReader) throws(Failure) -> Form
  ) throws(Failure) -> [Form] {
    tokenizer.skipSpace()
    try tokenizer.expect("[")
    var elements: [Form] = []
    tokenizer.skipSpace()
    if try tokenizer.peek() != UInt8(ascii: "]") {
      while true {
        elements.append(try element(&self))
        tokenizer.skipSpace()
        if try tokenizer.peek() != UInt8(ascii: ",") { break }
        tokenizer.offset += 1
      }
    }
    try tokenizer.expect("]")
    return elements
  }

  mutating func object(_ format: RowFormat) throws(Failure) -> [Value?] {
    var row = [Value?](repeating: nil, count: format.columns.count)
    tokenizer.skipSpace()
    try tokenizer.expect("{")
    tokenizer.skipSpace()
    if try tokenizer.peek() == UInt8(ascii: "}") {
      tokenizer.offset += 1
      return row
    }
    var expected = 0
    while true {
      tokenizer.skipSpace()
      let start = tokenizer.offset
      let name = try text()
      // The fields are nearly always in the order of the columns.
      let isNext = expected < row.count && Name(format.columns[expected].name) == name
      guard let position = isNext ? expected : format.columns.firstIndex(named: name) else {
        guard format.ignores(name) else { throw unknown(name, at: start, in: format) }
        tokenizer.skipSpace()
        try tokenizer.expect(":")
        _ = try value(of: .any)
        tokenizer.skipSpace()
        if try tokenizer.peek() != UInt8(ascii: ",") { break }
        tokenizer.offset += 1
        continue
      }
      if row[position] != nil { throw .malformed("a field occurs twice", at: start, suggestion: nil) }
      tokenizer.skipSpace()
      try tokenizer.expect(":")
      row[position] = try value(of: format.columns[position].type)
      expected = position + 1
      tokenizer.skipSpace()
      if try tokenizer.peek() != UInt8(ascii: ",") { break }
      tokenizer.offset += 1
    }
    try tokenizer.expect("}")
    return row
  }

  private func unknown(_ name: String, at start: Int, in format: RowFormat) -> Failure {
    let names = format.columns.map(\.name)
    return .malformed(
      "unknown field \(VisibleText.excerpt(of: Array(name.utf8)[...]))", at: start,
      suggestion: NearestName.nearest(to: name, in: names).map { "did you mean \($0)?" }
        ?? "the fields are \(names.joined(separator: ", "))")
  }

  mutating func value(of type: ValueType) throws(Failure) -> Value {
    tokenizer.skipSpace()
    switch try tokenizer.peek() {
    case UInt8(ascii: "\""):
      let start = tokenizer.offset
      let text = try text()
      return type == .blob ? try blob(text, at: start) : .text(text)
    case UInt8(ascii: "{"): return try tagged()
    case UInt8(ascii: "n"): if try tokenizer.accept(word: "null") { return .null }
    case UInt8(ascii: "t"): if try tokenizer.accept(word: "true") { return .integer(1) }
    case UInt8(ascii: "f"): if try tokenizer.accept(word: "false") { return .integer(0) }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(asReal: type == .real)
    default: break
    }
    throw failure("expected a number, text, null or an object with the kind of the value")
  }

  private mutating func tagged() throws(Failure) -> Value {
    try tokenizer.expect("{")
    tokenizer.skipSpace()
    let start = tokenizer.offset
    let kind = try text()
    tokenizer.skipSpace()
    try tokenizer.expect(":")
    tokenizer.skipSpace()
    let value: Value
    switch kind {
    case "integer": value = try number(asReal: false)
    case "text": value = .text(try text())
    case "blob": value = try blob(try text(), at: start)
    case "real":
      if try tokenizer.peek() == UInt8(ascii: "\"") {
        switch try text() {
        case "infinity": value = .real(.infinity)
        case "-infinity": value = .real(-.infinity)
        default: throw failure("expected a number, \"infinity\" or \"-infinity\"")
        }
      } else {
        value = try number(asReal: true)
      }
    default:
      throw .malformed(
        "unknown kind of value", at: start,
        suggestion: "an object of a value has one field: integer, real, text or blob")
    }
    tokenizer.skipSpace()
    try tokenizer.expect("}")
    return value
  }

  private mutating func number(asReal: Bool) throws(Failure) -> Value {
    let start = tokenizer.offset
    let digits = try tokenizer.number()
    let text = String(decoding: digits, as: UTF8.self)
    let isWhole = digits.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if isWhole, !asReal {
      if let integer = Int64(text) { return .integer(integer) }
      throw .malformed("the integer is too large", at: start, suggestion: "write at most \(Int64.max)")
    }
    guard let real = Double(text), real.isFinite else {
      throw .malformed("the number is too large", at: start, suggestion: nil)
    }
    return .real(real)
  }

  private func blob(_ text: String, at start: Int) throws(Failure) -> Value {
    guard let bytes = Base64.bytes(forText: text) else {
      throw .malformed(
        "write a blob as Base64 text", at: start,
        suggestion: "use the letters A-Z, a-z, 0-9, + and /, padded with = (RFC 4648, section 4)")
    }
    return .blob(bytes)
  }

  private mutating func text() throws(Failure) -> String {
    let start = tokenizer.offset
    if try tokenizer.peek() != UInt8(ascii: "\"") { throw failure("expected text") }
    let string = try tokenizer.string()
    let text: String?
    if string.hasEscapes {
      var fault: Failure?
      var bytes = [UInt8](repeating: 0, count: string.bytes.count)
      var count = 0
      bytes.withUnsafeMutableBufferPointer { buffer in
        do throws(Failure) {
          count = try JSONTokenizer.unescape(string, into: buffer)
        } catch {
          fault = error
        }
      }
      if let fault { throw fault }
      text = String(validating: bytes[..<count], as: UTF8.self)
    } else {
      text = String(validating: string.bytes, as: UTF8.self)
    }
    guard let text else { throw .malformed("the text is not UTF-8", at: start, suggestion: nil) }
    return text
  }

  private func failure(_ summary: String) -> Failure { .malformed(summary, at: tokenizer.offset, suggestion: nil) }

  func error(_ failure: Failure) -> JSONCodingError {
    switch failure {
    case .incomplete: JSONCodingError(.malformed, "the JSON ends within a value")
    case .malformed(let summary, let offset, let suggestion):
      JSONCodingError(.malformed, "\(summary), at byte \(offset + 1)", suggestion: suggestion)
    }
  }
}
