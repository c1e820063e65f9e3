/// Reads forms that are laid out flat.
struct FormReader {
  /// A field that was found: its name, and where its value stands.
  struct Field {
    let name: FormField
    let value: Int
  }

  let tokens: ArraySlice<JSONToken>

  init(_ value: JSONValue) {
    tokens = value.tokens
  }

  /// Where the value ends that begins at an index.
  func end(of index: Int) -> Int { index + 1 + tokens[index].count }

  /// Reads an object.
  ///
  /// - Parameters:
  ///   - what: what the object is, for the error.
  ///   - known: the names that such an object may have, not all of them together.
  /// - Throws: ``InterchangeError`` where there is no object, or where a name is not known or stands twice.
  func fields(
    at index: Int, of what: String, known: [FormField]
  ) throws(InterchangeError) -> [Field] {
    guard case .object = tokens[index] else { throw mismatch(at: index, expected: what) }
    var fields: [Field] = []
    var place = index + 1
    while place < end(of: index), case .text(let text) = tokens[place] {
      guard let name = FormField(rawValue: text), known.contains(name) else {
        throw unexpectedField(text, at: place, of: what, known: known)
      }
      if fields.contains(where: { $0.name == name }) {
        throw error(.repeatedField, "the field \(text) stands twice", at: place)
      }
      fields.append(Field(name: name, value: place + 1))
      place = end(of: place + 1)
    }
    return fields
  }

  /// Reads the only field of an object.
  func tag(at index: Int, known: [FormField]) throws(InterchangeError) -> Field {
    let names = known.map(\.rawValue).joined(separator: " or ")
    let fields = try fields(at: index, of: "an object with the field \(names)", known: known)
    guard let field = fields.first else {
      throw error(.missingField, "the object has no fields", at: index, suggestion: "it takes the field \(names)")
    }
    if fields.count > 1 {
      throw error(.unexpectedField, "\(fields[1].name.rawValue) does not go with \(field.name.rawValue)", at: index)
    }
    return field
  }

  func text(at index: Int, _ what: String = "a text") throws(InterchangeError) -> String {
    guard case .text(let text) = tokens[index] else { throw mismatch(at: index, expected: what) }
    return text
  }

  func integer(at index: Int) throws(InterchangeError) -> Int {
    switch tokens[index] {
    case .integer(let integer):
      if let integer = Int(exactly: integer) { return integer }
    case .real(let real):
      if let integer = Int(exactly: real) { return integer }
    case .null, .boolean, .text, .array, .object: break
    }
    throw mismatch(at: index, expected: "a whole number")
  }
}

extension FormReader {
  /// An error in what begins at an index.
  func error(
    _ code: InterchangeError.Code, _ summary: String, at index: Int, suggestion: String? = nil
  ) -> InterchangeError {
    InterchangeError(
      code, summary, path: JSONPointer.path(to: index, in: tokens), suggestion: suggestion)
  }

  /// Something else than what was expected.
  func mismatch(at index: Int, expected: String, suggestion: String? = nil) -> InterchangeError {
    let found =
      switch tokens[index] {
      case .null: "null"
      case .boolean(let boolean): "\(boolean)"
      case .integer, .real: "a number"
      case .text: "a text"
      case .array: "a list"
      case .object: "an object"
      }
    return error(.typeMismatch, "expected \(expected), found \(found)", at: index, suggestion: suggestion)
  }

  func missing(_ name: FormField, of what: String, at index: Int, suggestion: String? = nil) -> InterchangeError {
    error(.missingField, "\(what) has no \(name.rawValue)", at: index, suggestion: suggestion)
  }

  private func unexpectedField(_ text: String, at index: Int, of what: String, known: [FormField]) -> InterchangeError {
    let names = known.map(\.rawValue)
    return error(
      .unexpectedField, "\(what) has no field \(VisibleText.excerpt(of: Array(text.utf8)[...]))", at: index,
      suggestion: NearestName.nearest(to: text, in: names).map { "did you mean \($0)?" }
        ?? "it takes \(names.joined(separator: ", "))")
  }
}
