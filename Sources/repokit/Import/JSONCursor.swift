import CSV

/// Goes through the bytes of JSON (RFC 8259), as far as they are in memory.
struct JSONCursor {
  /// Why it can't go on.
  enum Stop: Error {
    /// The bytes end amid a value.
    case incomplete
    /// What stands at a position can't stand there.
    case mistake(String, at: Int, suggestion: String?)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The byte that comes next.
  func peek() throws(Stop) -> UInt8 {
    guard index < bytes.count else { throw .incomplete }
    return bytes[index]
  }

  mutating func skipSpace() {
    while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
  }

  /// Goes over a mark.
  mutating func skip(_ mark: Unicode.Scalar) throws(Stop) {
    guard try peek() == UInt8(ascii: mark) else { throw mistake(expected: "`\(mark)`") }
    index += 1
  }

  /// Goes over a string.
  ///
  /// - Returns: what stands between its quotes, and whether there are escapes in it.
  mutating func string() throws(Stop) -> (bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
    index += 1
    let start = index
    var hasEscapes = false
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 {
        throw .mistake(
          "a string holds a control character as it is", at: index,
          suggestion: "write it as an escape, such as \\n, and close the string with \"")
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        index += 1
        _ = try peek()
      }
      index += 1
    }
    index += 1
    return (UnsafeBufferPointer(rebasing: bytes[start..<index - 1]), hasEscapes)
  }

  /// Goes over a number.
  mutating func number() throws(Stop) -> UnsafeBufferPointer<UInt8> {
    let start = index
    if try peek() == UInt8(ascii: "-") { index += 1 }
    if try peek() == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if try peek() == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if try peek() | 0x20 == UInt8(ascii: "e") {
      index += 1
      let sign = try peek()
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    // What follows is looked at by whoever asked, but for what would make it another number.
    if UInt8(ascii: "0")...UInt8(ascii: "9") ~= (try peek()) {
      throw .mistake(
        "a number starts with a zero", at: start, suggestion: "put it in double quotes if the zero belongs to it")
    }
    return UnsafeBufferPointer(rebasing: bytes[start..<index])
  }

  private mutating func digits() throws(Stop) {
    let start = index
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= (try peek()) { index += 1 }
    if index == start { throw mistake(expected: "a digit") }
  }

  /// Goes over a word, if it is the one that comes next.
  mutating func skipWord(_ word: StaticString) throws(Stop) -> Bool {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for (offset, letter) in letters.enumerated() {
      guard index + offset < bytes.count else { throw .incomplete }
      if bytes[index + offset] != letter { return false }
    }
    index += letters.count
    return true
  }

  /// Goes over a list or an object, however deep it is nested, without taking stack.
  mutating func skipNested() throws(Stop) -> UnsafeBufferPointer<UInt8> {
    let start = index
    var closers: [UInt8] = []
    repeat {
      switch try peek() {
      case UInt8(ascii: "["):
        closers.append(UInt8(ascii: "]"))
        index += 1
        skipSpace()
        if try peek() != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "{"):
        closers.append(UInt8(ascii: "}"))
        index += 1
        skipSpace()
        if try peek() != UInt8(ascii: "}") {
          try skipName()
          continue
        }
      default: try skipScalar()
      }
      try skipEndOfValue(&closers)
    } while !closers.isEmpty
    return UnsafeBufferPointer(rebasing: bytes[start..<index])
  }

  /// Goes over what follows a value in lists and objects, up to the next value or the end of them all.
  private mutating func skipEndOfValue(_ closers: inout [UInt8]) throws(Stop) {
    while let closer = closers.last {
      skipSpace()
      let byte = try peek()
      if byte == closer {
        closers.removeLast()
        index += 1
      } else if byte == UInt8(ascii: ",") {
        index += 1
        skipSpace()
        if closer == UInt8(ascii: "}") { try skipName() }
        return
      } else {
        throw mistake(expected: "`,` or `\(Unicode.Scalar(closer))`")
      }
    }
  }

  private mutating func skipName() throws(Stop) {
    guard try peek() == UInt8(ascii: "\"") else { throw mistake(expected: "a name in double quotes") }
    let start = index
    try checkEscapes(try string(), at: start + 1)
    skipSpace()
    try skip(":")
    skipSpace()
  }

  private mutating func skipScalar() throws(Stop) {
    switch try peek() {
    case UInt8(ascii: "\""):
      let start = index
      try checkEscapes(try string(), at: start + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
    default:
      if try skipWord("null") { return }
      if try skipWord("true") { return }
      if try skipWord("false") { return }
      throw mistake(expected: "a value")
    }
  }

  private func checkEscapes(
    _ string: (bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool), at start: Int
  ) throws(Stop) {
    guard string.hasEscapes else { return }
    var scratch = ScratchBytes()
    _ = try JSONEscapes.undo(string.bytes, at: start, in: &scratch)
  }

  /// The mistake that something else stands here than what has to.
  func mistake(expected: String) -> Stop {
    let rest = bytes[index...]
    let word = rest.prefix { $0 > 0x20 && !",:[]{}\"".utf8.contains($0) }
    let found = String(decoding: (word.isEmpty ? rest.prefix(1) : word).prefix(24), as: UTF8.self)
    let isMisplacedComma = bytes[..<index].last { !$0.isJSONSpace } == UInt8(ascii: ",")
    let suggestion: String? =
      switch found {
      case "}", "]": isMisplacedComma ? "leave the last comma out" : nil
      case "NaN", "None", "undefined", "nil", "NULL": "write null"
      case "True", "False": "write it in small letters"
      default: found.hasPrefix("'") ? "put names and texts in double quotes" : nil
      }
    return .mistake("expected \(expected), found `\(TerminalText.visible(found))`", at: index, suggestion: suggestion)
  }
}

extension UInt8 {
  /// Whether JSON takes it for white space.
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

/// The escapes in the strings of JSON (RFC 8259, section 7).
enum JSONEscapes {
  /// Undoes the escapes of a string.
  ///
  /// - Parameters:
  ///   - bytes: what stands between the quotes.
  ///   - start: where that is, for mistakes.
  ///   - scratch: where the text goes.
  static func undo(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, in scratch: inout ScratchBytes
  ) throws(JSONCursor.Stop) -> UnsafeBufferPointer<UInt8> {
    var failure: JSONCursor.Stop?
    let text = scratch.keep(atMost: bytes.count) { room in
      do throws(JSONCursor.Stop) {
        return try undo(bytes, at: start, into: room)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return text
  }

  private static func undo(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, into room: UnsafeMutableBufferPointer<UInt8>
  ) throws(JSONCursor.Stop) -> Int {
    var index = 0
    var written = 0
    while index < bytes.count {
      if bytes[index] != UInt8(ascii: "\\") {
        room[written] = bytes[index]
        (index, written) = (index + 1, written + 1)
        continue
      }
      let escape = index
      index += 2
      if let byte = meaning(of: bytes[escape + 1]) {
        room[written] = byte
        written += 1
        continue
      }
      guard bytes[escape + 1] == UInt8(ascii: "u") else {
        throw .mistake("this is no escape", at: start + escape, suggestion: "a backslash is written \\\\")
      }
      var scalar = try codeUnit(bytes, &index, of: start + escape)
      if 0xD800...0xDFFF ~= scalar {
        // Beyond U+FFFF, a scalar is written as a pair.
        guard scalar < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
          bytes[index + 1] == UInt8(ascii: "u")
        else { throw half(at: start + escape) }
        index += 2
        let trail = try codeUnit(bytes, &index, of: start + escape)
        guard 0xDC00...0xDFFF ~= trail else { throw half(at: start + escape) }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (trail - 0xDC00)
      }
      // An escape is longer than its character.
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
        room[written] = byte
        written += 1
      }
    }
    return written
  }

  private static func half(at position: Int) -> JSONCursor.Stop {
    .mistake("half of a pair of escapes is no character", at: position, suggestion: nil)
  }

  /// Reads four hexadecimal digits.
  private static func codeUnit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, of escape: Int
  ) throws(JSONCursor.Stop) -> UInt32 {
    var unit: UInt32 = 0
    for position in index..<index + 4 {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue,
        bytes[position] < 0x80
      else { throw .mistake("\\u takes four hexadecimal digits", at: escape, suggestion: nil) }
      unit = unit << 4 | UInt32(digit)
    }
    index += 4
    return unit
  }

  private static func meaning(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}
