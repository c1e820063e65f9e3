/// Writes a form, flat, and refuses what would not end.
struct FormWriter {
  /// About how many bytes a form may have as a text. Parts of a query may be shared, so that a small one means a form that
  /// fills any memory.
  static let maximumSize = 1 << 28

  private(set) var tokens: [JSONToken] = []
  /// Where the containers begin that are not closed yet.
  private var open: [Int] = []
  private var size = 0

  /// Writes one document: its version and what follows.
  static func document(
    _ write: (inout FormWriter) throws(InterchangeError) -> Void
  ) throws(InterchangeError) -> JSONValue {
    var writer = FormWriter()
    try writer.beginObject()
    try writer.write(.version, .integer(FormVersion.current))
    try write(&writer)
    writer.end()
    return JSONValue(tokens: writer.tokens[...])
  }

  mutating func append(_ token: JSONToken) throws(InterchangeError) {
    size += 16
    if case .text(let text) = token { size += text.utf8.count }
    if size > Self.maximumSize {
      throw error(.tooComplex, "the form is larger than \(Self.maximumSize >> 20) MB")
    }
    tokens.append(token)
  }

  mutating func beginObject() throws(InterchangeError) {
    open.append(tokens.count)
    try append(.object(count: .max))
  }

  mutating func beginArray() throws(InterchangeError) {
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

  mutating func write(_ field: FormField) throws(InterchangeError) {
    try append(.text(field.rawValue))
  }

  mutating func write(_ field: FormField, _ token: JSONToken) throws(InterchangeError) {
    try write(field)
    try append(token)
  }

  /// The error for what is to be written next.
  func error(_ code: InterchangeError.Code, _ summary: String, suggestion: String? = nil) -> InterchangeError {
    InterchangeError(
      code, summary, path: JSONPointer.path(to: tokens.count, in: tokens[...]), suggestion: suggestion)
  }
}
