#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A writer of forms into flat storage, which refuses a form beyond a maximum size.
struct QueryJSONWriter {
  /// The approximate maximum size of a form in bytes as a text. Parts of a query may be shared, so that a small query can have
  /// a form that exceeds any memory.
  static let maximumSize = 1 << 28

  private(set) var tokens: [JSONToken] = []
  /// The indices of the containers that are not closed yet.
  private var open: [Int] = []
  private var size = 0

  /// Writes one document: its version and what follows.
  static func document(
    _ write: (inout QueryJSONWriter) throws(JSONCodingError) -> Void
  ) throws(JSONCodingError) -> JSONValue {
    var writer = QueryJSONWriter()
    try writer.beginObject()
    try writer.write(.version, .integer(QueryJSONVersion.current))
    try write(&writer)
    writer.end()
    return JSONValue(tokens: writer.tokens[...])
  }

  mutating func append(_ token: JSONToken) throws(JSONCodingError) {
    size += 16
    if case .text(let text) = token { size += text.utf8.count }
    if size > Self.maximumSize {
      throw error(.tooComplex, "the form is larger than \(Self.maximumSize >> 20) MB")
    }
    tokens.append(token)
  }

  mutating func beginObject() throws(JSONCodingError) {
    open.append(tokens.count)
    try append(.object(count: .max))
  }

  mutating func beginArray() throws(JSONCodingError) {
    open.append(tokens.count)
    try append(.array(count: .max))
  }

  /// Closes the latest container.
  mutating func end() {
    guard let start = open.popLast() else { return }
    let count = tokens.count - start - 1
    if case .object = tokens[start] {
      tokens[start] = .object(count: count)
    } else {
      tokens[start] = .array(count: count)
    }
  }

  mutating func write(_ field: QueryJSONField) throws(JSONCodingError) {
    try append(.text(field.rawValue))
  }

  /// Writes an array with a writer for its members.
  mutating func write<Member>(
    _ field: QueryJSONField, _ members: [Member],
    _ write: (inout QueryJSONWriter, Member) throws(JSONCodingError) -> Void
  ) throws(JSONCodingError) {
    try self.write(field)
    try beginArray()
    for member in members { try write(&self, member) }
    end()
  }

  mutating func write(_ field: QueryJSONField, _ token: JSONToken) throws(JSONCodingError) {
    try write(field)
    try append(token)
  }

  /// Returns the error for the token that is to be written next.
  func error(_ code: JSONCodingError.Code, _ summary: String, suggestion: String? = nil) -> JSONCodingError {
    JSONCodingError(
      code, summary, path: JSONPointer.path(to: tokens.count, in: tokens[...]), suggestion: suggestion)
  }
}

extension QueryJSONWriter {
  /// Writes a plain key as a text, and any other expression in an object of its own, by its text form.
  mutating func write(_ key: AnyExpression) throws(JSONCodingError) {
    if let key = key.plainKey { return try append(.text(key)) }
    try write(expression: key)
  }

  /// Writes an expression in an object of its own, by its text form.
  mutating func write(expression: AnyExpression) throws(JSONCodingError) {
    if let fault = expression.fault { throw error(.invalidValue, fault.summary, suggestion: fault.suggestion) }
    try write(tag: .expression, .text(expression.description))
  }

  /// Writes a value. A whole real is tagged, because readers of JSON don't distinguish 5.0 from 5, and so are infinities and
  /// blobs, which JSON lacks.
  mutating func write(_ value: Value) throws(JSONCodingError) {
    switch value {
    case .null: try append(.null)
    case .integer(let integer): try append(.integer(integer))
    case .real(let real) where real.isNaN: throw error(.notANumber)
    case .real(let real) where real.isInfinite: try write(tag: .real, .text(real > 0 ? "infinity" : "-infinity"))
    case .real(let real) where real == real.rounded(): try write(tag: .real, .real(real))
    case .real(let real): try append(.real(real))
    case .text(let text): try append(.text(text))
    case .blob(let bytes): try write(tag: .blob, .text(Data(bytes).base64EncodedString()))
    }
  }

  /// Writes a value or a key; a key is tagged, so that a text is never read as a key.
  mutating func write(_ operand: Operand<AnyExpression>) throws(JSONCodingError) {
    switch operand {
    case .value(let value): try write(value)
    case .key(let expression):
      if let key = expression.plainKey { try write(tag: .key, .text(key)) } else { try write(expression: expression) }
    }
  }

  private mutating func write(tag: QueryJSONField, _ token: JSONToken) throws(JSONCodingError) {
    try beginObject()
    try write(tag, token)
    end()
  }

  /// Returns the error for a value that can't be stored.
  func error(_ error: ValueError) -> JSONCodingError {
    self.error(.invalidValue, error.summary, suggestion: error.suggestion)
  }
}
