/// Reads a JSON text (RFC 8259), in time that grows with its length alone, and however deep it is nested, without taking
/// stack.
///
/// Written by hand because Foundation's decoder refuses more than 512 levels, and does not show how a number is written.
struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  private(set) var tokens: [JSONToken] = []
  /// Where the containers begin, in ``tokens``, that are not closed yet.
  private var open: [Int] = []

  /// - Throws: ``InterchangeError`` with the code ``InterchangeError/Code/malformed``.
  static func parse(_ text: String) throws(InterchangeError) -> JSONValue {
    var parser = JSONParser(bytes: Array(text.utf8))
    return try parser.parse()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark may be ignored (RFC 8259, section 8.1); editors of some systems write one.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private mutating func parse() throws(InterchangeError) -> JSONValue {
    skipSpace()
    while true {
      switch current {
      case UInt8(ascii: "["):
        begin(.array(count: .max))
        if current != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "{"):
        begin(.object(count: .max))
        if current != UInt8(ascii: "}") {
          try name()
          continue
        }
      default:
        tokens.append(try scalar())
        skipSpace()
      }
      if try endOfValue() { return JSONValue(tokens: tokens[...]) }
    }
  }

  /// Reads what follows a value, up to the next value.
  ///
  /// - Returns: whether that was the last one.
  private mutating func endOfValue() throws(InterchangeError) -> Bool {
    while let start = open.last {
      let isObject = if case .object = tokens[start] { true } else { false }
      let isEmpty = start == tokens.count - 1
      if !isEmpty, current == UInt8(ascii: ",") {
        advance()
        if isObject { try name() }
        return false
      }
      guard current == UInt8(ascii: isObject ? "}" : "]") else {
        throw error(expected: isObject ? "`,` or `}`" : "`,` or `]`")
      }
      let count = tokens.count - 1 - start
      tokens[start] = isObject ? .object(count: count) : .array(count: count)
      open.removeLast()
      advance()
    }
    guard current == nil else { throw error(expected: "the end of the text") }
    return true
  }

  private mutating func begin(_ container: JSONToken) {
    open.append(tokens.count)
    tokens.append(container)
    advance()
  }

  /// Reads a field's name and the colon after it.
  private mutating func name() throws(InterchangeError) {
    guard current == UInt8(ascii: "\"") else { throw error(expected: "a name in double quotes") }
    tokens.append(.text(try string()))
    skipSpace()
    guard current == UInt8(ascii: ":") else { throw error(expected: "`:`") }
    advance()
  }

  private mutating func scalar() throws(InterchangeError) -> JSONToken {
    switch current {
    case UInt8(ascii: "\"")?: return .text(try string())
    case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
    default: break
    }
    for (word, token) in [("null", JSONToken.null), ("true", .boolean(true)), ("false", .boolean(false))]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return token
    }
    throw error(expected: "a value")
  }
}

extension JSONParser {
  /// The byte that comes next; `nil` at the end.
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Leaves out the current byte and the white space after it.
  private mutating func advance() {
    position += 1
    skipSpace()
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func number() throws(InterchangeError) -> JSONToken {
    let start = position
    var isInteger = true
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let spelling = String(decoding: bytes[start..<position], as: UTF8.self)
    // The zero below zero is a real.
    if isInteger, spelling != "-0", let integer = Int64(spelling) { return .integer(integer) }
    guard let real = Double(spelling), real.isFinite else {
      throw error(
        "this number is greater than any real", at: start,
        suggestion: #"write {"real": "infinity"} if infinity is meant"#)
    }
    return .real(real)
  }

  private mutating func digits() throws(InterchangeError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw error(expected: "a digit") }
  }
}
