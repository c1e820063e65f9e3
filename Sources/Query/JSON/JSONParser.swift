/// A parser of JSON texts that takes time linear in their length and no stack, however deep they are nested.
///
/// Written by hand because Foundation's decoder refuses more than 512 levels, and does not show how a number is written.
struct JSONParser {
  private typealias Failure = JSONTokenizer.Failure

  private var tokenizer: JSONTokenizer
  private var tokens: [JSONToken] = []
  /// The indices, in ``tokens``, of the containers that are not closed yet.
  private var open: [Int] = []

  /// - Throws: ``JSONCodingError`` with the code ``JSONCodingError/Code/malformed``.
  static func parse(_ text: String) throws(JSONCodingError) -> JSONValue {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(JSONCodingError) in
      var parser = JSONParser(tokenizer: JSONTokenizer(bytes, isWhole: true))
      do throws(Failure) {
        return try parser.parse()
      } catch {
        throw parser.error(error)
      }
    }
  }

  private init(tokenizer: JSONTokenizer) {
    self.tokenizer = tokenizer
  }

  private mutating func parse() throws(Failure) -> JSONValue {
    // A byte order mark may be ignored (RFC 8259, section 8.1); editors of some systems write one.
    if tokenizer.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { tokenizer.offset = 3 }
    tokenizer.skipSpace()
    while true {
      switch try tokenizer.peek() {
      case UInt8(ascii: "["):
        begin(.array(count: .max))
        if try tokenizer.peek() != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "{"):
        begin(.object(count: .max))
        if try tokenizer.peek() != UInt8(ascii: "}") {
          try name()
          continue
        }
      default:
        tokens.append(try scalar())
        tokenizer.skipSpace()
      }
      if try endOfValue() { return JSONValue(tokens: tokens[...]) }
    }
  }

  /// Reads what follows a value, up to the next value.
  ///
  /// - Returns: whether that was the last value.
  private mutating func endOfValue() throws(Failure) -> Bool {
    while let start = open.last {
      let isObject = if case .object = tokens[start] { true } else { false }
      let isEmpty = start == tokens.count - 1
      if !isEmpty, try tokenizer.peek() == UInt8(ascii: ",") {
        advance()
        if isObject { try name() }
        return false
      }
      guard try tokenizer.peek() == UInt8(ascii: isObject ? "}" : "]") else {
        throw tokenizer.failure(expected: isObject ? "`,` or `}`" : "`,` or `]`")
      }
      let count = tokens.count - 1 - start
      tokens[start] = isObject ? .object(count: count) : .array(count: count)
      open.removeLast()
      advance()
    }
    guard tokenizer.offset == tokenizer.bytes.count else { throw tokenizer.failure(expected: "the end of the text") }
    return true
  }

  private mutating func begin(_ container: JSONToken) {
    open.append(tokens.count)
    tokens.append(container)
    advance()
  }

  /// Skips the current byte and the white space after it.
  private mutating func advance() {
    tokenizer.offset += 1
    tokenizer.skipSpace()
  }

  /// Reads a field's name and the colon after it.
  private mutating func name() throws(Failure) {
    guard try tokenizer.peek() == UInt8(ascii: "\"") else {
      throw tokenizer.failure(expected: "a name in double quotes")
    }
    tokens.append(.text(try text()))
    tokenizer.skipSpace()
    try tokenizer.expect(":")
    tokenizer.skipSpace()
  }

  private mutating func scalar() throws(Failure) -> JSONToken {
    switch try tokenizer.peek() {
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      if try tokenizer.accept(word: "null") { return .null }
      if try tokenizer.accept(word: "true") { return .boolean(true) }
      if try tokenizer.accept(word: "false") { return .boolean(false) }
      throw tokenizer.failure(expected: "a value")
    }
  }

  private mutating func text() throws(Failure) -> String {
    let string = try tokenizer.string()
    // The text is valid UTF-8, and escapes encode whole scalars.
    guard string.hasEscapes else { return String(decoding: string.bytes, as: UTF8.self) }
    var failure: Failure?
    let text = String(unsafeUninitializedCapacity: string.bytes.count) { buffer in
      do throws(Failure) {
        return try JSONTokenizer.unescape(string, into: buffer)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return text
  }

  private mutating func number() throws(Failure) -> JSONToken {
    let start = tokenizer.offset
    let spelling = String(decoding: try tokenizer.number(), as: UTF8.self)
    // A number with a fraction or an exponent is a real, and so is -0.
    if spelling != "-0", let integer = Int64(spelling) { return .integer(integer) }
    guard let real = Double(spelling), real.isFinite else {
      throw .malformed(
        "this number exceeds the largest real", at: start,
        suggestion: #"write {"real": "infinity"} for infinity"#)
    }
    return .real(real)
  }
}

extension JSONParser {
  /// Returns the error for a failure, with its line and column, in the value that is being read.
  private func error(_ failure: Failure) -> JSONCodingError {
    guard case .malformed(let summary, let index, var suggestion) = failure else {
      return JSONCodingError(.malformed, "the text has no end")
    }
    let before = tokenizer.bytes[..<index]
    let line = before.count { $0 == 0x0A } + 1
    // Every scalar has exactly one byte that does not continue another (RFC 3629, section 3).
    let column = before[((before.lastIndex(of: 0x0A) ?? -1) + 1)...].count { $0 & 0xC0 != 0x80 } + 1
    if ["Infinity", "inf"].contains(where: { tokenizer.bytes[index...].starts(with: $0.utf8) }) {
      suggestion = #"write {"real": "\#(before.last == UInt8(ascii: "-") ? "-" : "")infinity"}"#
    }
    return JSONCodingError(
      .malformed, "\(summary), at line \(line), column \(column)",
      path: JSONPointer.path(to: tokens.count, in: tokens[...]), suggestion: suggestion)
  }
}
