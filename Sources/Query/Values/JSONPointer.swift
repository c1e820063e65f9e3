/// A place within a JSON text (RFC 6901): names of fields, and positions in arrays from 0 on.
package struct JSONPointer: Hashable, Sendable {
  private let steps: [Name]

  package init(_ steps: [String]) { self.steps = steps.map(Name.init) }

  /// Makes a pointer of its text form, such as `/address/city`.
  package init(parsing text: String) {
    // Scalar by scalar: an accent after a slash would make one character of both.
    steps = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { Name(Self.unescaped($0)) }
  }

  /// The text form; ``init(parsing:)`` parses it to an equal pointer.
  package var description: String { steps.map { "/" + Self.escaped($0.text) }.joined() }

  /// Returns a step of a pointer, in which `/` and `~` are escaped.
  static func escaped(_ step: String) -> String {
    var escaped = ""
    for scalar in step.unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func unescaped(_ step: Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    var rest = step[...]
    while let scalar = rest.popFirst() {
      guard scalar == "~", let escape = rest.popFirst() else {
        text.append(scalar)
        continue
      }
      text.append(escape == "1" ? "/" : "~")
    }
    return String(text)
  }

  /// The position in an array that a step denotes; `nil` for the name of a field alone.
  package static func position(_ step: String) -> Int? {
    let digits = step.utf8
    guard (1...9).contains(digits.count), digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    return Int(step)
  }
}

// MARK: - Names of fields

extension JSONPointer {
  /// Returns the names of the fields that an object of a JSON text has in this place, in their order; none elsewhere.
  package func names(in json: Value) -> [String] {
    guard case .text(var object) = value(in: json) else { return [] }
    return object.withUTF8 { (try? Self.names(ofObject: $0)) ?? [] }
  }

  private static func names(
    ofObject bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONTokenizer.Failure) -> [String] {
    var tokenizer = JSONTokenizer(bytes, isWhole: true)
    guard try tokenizer.peek() == UInt8(ascii: "{") else { return [] }
    var names: [String] = []
    try tokenizer.forEachField { name, _ throws(JSONTokenizer.Failure) in names.append(try name.text()) }
    return names
  }

  /// Returns whether a value is a JSON text, `null` left out.
  package static func isJSON(_ value: Value) -> Bool { !JSONPointer([]).value(in: value).isNull }

  /// Returns whether a value is the text of an object or an array.
  package static func isContainer(_ json: Value) -> Bool {
    guard case .text(let text) = json, let first = text.utf8.first(where: { !$0.isJSONSpace }) else { return false }
    return (first == UInt8(ascii: "{") || first == UInt8(ascii: "[")) && isJSON(json)
  }
}

// MARK: - Reading the value

extension JSONPointer {
  /// Returns the value that a JSON text has in this place: null where it has none, and of a value that is no JSON text.
  package func value(in json: Value) -> Value {
    guard case .text(var text) = json else { return .null }
    return text.withUTF8 { value(in: $0) }
  }

  /// Returns the value that the UTF-8 of a JSON text has in this place.
  package func value(in bytes: UnsafeBufferPointer<UInt8>) -> Value {
    (try? found(in: bytes)) ?? .null
  }

  private func found(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONTokenizer.Failure) -> Value {
    var tokenizer = JSONTokenizer(bytes, isWhole: true)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { tokenizer.offset = 3 }
    tokenizer.skipSpace()
    let start = tokenizer.offset
    // All of it is read, so that a text that is no JSON has no value anywhere.
    try tokenizer.skipValue()
    tokenizer.skipSpace()
    guard tokenizer.offset == bytes.count else { throw tokenizer.failure(expected: "the end of the text") }
    tokenizer.offset = start
    for step in steps where try !tokenizer.descend(to: step) { return .null }
    return try tokenizer.value()
  }
}

extension JSONTokenizer {
  /// Moves from the beginning of a valid object or array to that of one of its values: of several with one name to the last.
  ///
  /// - Returns: `false` where there is no such value.
  fileprivate mutating func descend(to step: Name) throws(Failure) -> Bool {
    switch try peek() {
    case UInt8(ascii: "{"):
      var found: Int?
      try forEachField { name, start throws(Failure) in if try name.spells(step) { found = start } }
      guard let found else { return false }
      offset = found
      return true
    case UInt8(ascii: "["):
      guard var remaining = JSONPointer.position(step.text) else { return false }
      offset += 1
      skipSpace()
      while try peek() != UInt8(ascii: "]") {
        if remaining == 0 { return true }
        remaining -= 1
        try skipToNext()
      }
      return false
    default:
      return false
    }
  }

  /// Passes the name of each field of a valid object to a closure, with the offset of its value.
  fileprivate mutating func forEachField(_ body: (StringToken, Int) throws(Failure) -> Void) throws(Failure) {
    offset += 1
    skipSpace()
    while try peek() != UInt8(ascii: "}") {
      let name = try string()
      skipSpace()
      try expect(":")
      skipSpace()
      try body(name, offset)
      try skipToNext()
    }
  }

  /// Skips a value, and the comma and the white space after it.
  private mutating func skipToNext() throws(Failure) {
    try skipValue()
    skipSpace()
    if try peek() == UInt8(ascii: ",") { offset += 1 }
    skipSpace()
  }

  /// Reads a value: an object and an array as their text.
  fileprivate mutating func value() throws(Failure) -> Value {
    switch try peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .text(String(decoding: try nested(), as: UTF8.self))
    case UInt8(ascii: "\""): return .text(try string().text())
    case UInt8(ascii: "t"): return 1
    case UInt8(ascii: "f"): return 0
    case UInt8(ascii: "n"): return .null
    default:
      let number = String(decoding: try number(), as: UTF8.self)
      return Int64(number).map(Value.integer) ?? Double(number).map(Value.real) ?? .null
    }
  }
}

extension JSONTokenizer.StringToken {
  /// The text without escapes.
  fileprivate func text() throws(JSONTokenizer.Failure) -> String {
    guard hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { buffer.deallocate() }
    let count = try JSONTokenizer.unescape(self, into: buffer)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  fileprivate func spells(_ name: Name) throws(JSONTokenizer.Failure) -> Bool {
    hasEscapes ? name == (try text()) : bytes.elementsEqual(name.text.utf8)
  }
}
