import ErrorDetails

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A reader of forms in their flat storage.
struct QueryJSONReader {
  /// A field that was read: its name, and the position of its value.
  struct Field {
    let name: QueryJSONField
    let value: Int
  }

  let tokens: ArraySlice<JSONToken>
  /// Whether expressions refer to groups, rather than to rows.
  let isOfGroups: Bool

  init(_ value: JSONValue) {
    self.init(value.tokens)
  }

  private init(_ tokens: ArraySlice<JSONToken>, isOfGroups: Bool = false) {
    (self.tokens, self.isOfGroups) = (tokens, isOfGroups)
  }

  /// Reads a condition on groups.
  func having(at index: Int) throws(JSONCodingError) -> AnyQuery {
    try QueryJSONReader(tokens, isOfGroups: true).query(at: index)
  }

  /// Returns the end of the value that begins at an index.
  func end(of index: Int) -> Int { index + 1 + tokens[index].count }

  /// Reads an object.
  ///
  /// - Parameters:
  ///   - what: the noun for the object, for the error.
  ///   - known: the names that such an object may have, though not all together.
  /// - Throws: ``JSONCodingError`` if the value is not an object, or if a name is not known or occurs twice.
  func fields(
    at index: Int, of what: String, known: [QueryJSONField]
  ) throws(JSONCodingError) -> [Field] {
    guard case .object = tokens[index] else { throw mismatch(at: index, expected: what) }
    var fields: [Field] = []
    var place = index + 1
    while place < end(of: index), case .text(let text) = tokens[place] {
      guard let name = QueryJSONField(rawValue: text), known.contains(name) else {
        throw unexpectedField(text, at: place, of: what, known: known)
      }
      if fields.contains(where: { $0.name == name }) {
        throw error(.repeatedField, "the field \(text) occurs twice", at: place)
      }
      fields.append(Field(name: name, value: place + 1))
      place = end(of: place + 1)
    }
    return fields
  }

  /// Reads the only field of an object.
  func tag(at index: Int, known: [QueryJSONField]) throws(JSONCodingError) -> Field {
    let names = known.map(\.rawValue).joined(separator: " or ")
    let fields = try fields(at: index, of: "an object with the field \(names)", known: known)
    guard let field = fields.first else {
      throw error(.missingField, "the object has no fields", at: index, suggestion: "write the field \(names)")
    }
    if fields.count > 1 {
      throw error(
        .unexpectedField, "\(fields[1].name.rawValue) and \(field.name.rawValue) exclude each other", at: index)
    }
    return field
  }

  func text(at index: Int, _ what: String = "text") throws(JSONCodingError) -> String {
    guard case .text(let text) = tokens[index] else { throw mismatch(at: index, expected: what) }
    return text
  }

  func integer(at index: Int) throws(JSONCodingError) -> Int {
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

extension QueryJSONReader {
  /// Returns the error for the value that begins at an index.
  func error(
    _ code: JSONCodingError.Code, _ summary: String, at index: Int, suggestion: String? = nil
  ) -> JSONCodingError {
    JSONCodingError(
      code, summary, path: JSONPointer.path(to: index, in: tokens), suggestion: suggestion)
  }

  /// Returns the error for a value that differs from what was expected.
  func mismatch(at index: Int, expected: String, suggestion: String? = nil) -> JSONCodingError {
    let found =
      switch tokens[index] {
      case .null: "null"
      case .boolean(let boolean): "\(boolean)"
      case .integer, .real: "a number"
      case .text: "text"
      case .array: "a list"
      case .object: "an object"
      }
    return error(.typeMismatch, "expected \(expected), found \(found)", at: index, suggestion: suggestion)
  }

  func missing(_ name: QueryJSONField, of what: String, at index: Int, suggestion: String? = nil) -> JSONCodingError {
    error(.missingField, "\(what) has no \(name.rawValue)", at: index, suggestion: suggestion)
  }

  private func unexpectedField(_ text: String, at index: Int, of what: String, known: [QueryJSONField])
    -> JSONCodingError
  {
    let names = known.map(\.rawValue)
    return error(
      .unexpectedField, "\(what) has no field \(VisibleText.excerpt(of: Array(text.utf8)[...]))", at: index,
      suggestion: NearestName.nearest(to: text, in: names).map { "did you mean \($0)?" }
        ?? "the fields are \(names.joined(separator: ", "))")
  }
}

extension QueryJSONReader {
  /// Reads a document's fields after a check of its version.
  func document(known: [QueryJSONField]) throws(JSONCodingError) -> [Field] {
    let start = tokens.startIndex
    guard case .object = tokens[start] else { throw mismatch(at: start, expected: "an object") }
    // The version is checked first, because a later version may have other fields.
    try checkVersion(at: start)
    return try fields(at: start, of: "the document", known: [.version] + known).filter { $0.name != .version }
  }

  private func checkVersion(at start: Int) throws(JSONCodingError) {
    var place = start + 1
    while place < end(of: start), case .text(let name) = tokens[place] {
      if name == QueryJSONField.version.rawValue {
        if Int64(try integer(at: place + 1)) == QueryJSONVersion.current { return }
        throw error(
          .unsupportedVersion, "unknown version of the JSON form", at: place + 1,
          suggestion: "this release reads version \(QueryJSONVersion.current)")
      }
      place = end(of: place + 1)
    }
    throw missing(
      .version, of: "the document", at: start, suggestion: "add \"version\": \(QueryJSONVersion.current)")
  }
}

extension QueryJSONReader {
  /// Reads a value. `true` and `false` are 1 and 0, as in the text form.
  func value(at index: Int) throws(JSONCodingError) -> Value {
    switch tokens[index] {
    case .null: return .null
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(try untagged(real, at: index))
    case .text(let text): return .text(text)
    case .array: throw mismatch(at: index, expected: "a value", suggestion: "write the list as the `values` of `in`")
    case .object: return try tagged(try tag(at: index, known: [.real, .blob]))
    }
  }

  /// Reads a value or a key.
  func operand(at index: Int) throws(JSONCodingError) -> Operand<AnyExpression> {
    guard case .object = tokens[index] else { return .value(try value(at: index)) }
    let tag = try tag(at: index, known: [.key, .expression, .real, .blob])
    if tag.name == .key { return .key(.key(try text(at: tag.value))) }
    if tag.name == .expression {
      let expression = try expression(at: tag.value)
      if case .value(let value) = expression.form { return .value(value) }
      return .key(expression)
    }
    return .value(try tagged(tag))
  }

  /// Reads a key, or an expression in an object of its own.
  func key(at index: Int) throws(JSONCodingError) -> AnyExpression {
    guard case .object = tokens[index] else { return .key(try text(at: index)) }
    let tag = try tag(at: index, known: [.expression])
    return try expression(at: tag.value)
  }

  private func expression(at index: Int) throws(JSONCodingError) -> AnyExpression {
    try parsed(at: index) { text throws(ParseError) in
      isOfGroups ? try AnyExpression(parsingHaving: text) : try AnyExpression(parsing: text)
    }
  }

  /// Reads the text form of a part of a query.
  func parsed<Part>(
    at index: Int, _ parse: (String) throws(ParseError) -> Part
  ) throws(JSONCodingError) -> Part {
    let text = try text(at: index, "the text form of an expression")
    do throws(ParseError) {
      return try parse(text)
    } catch {
      throw self.error(
        .invalidValue, "\(error.summary), at position \(error.position)", at: index, suggestion: error.suggestion)
    }
  }

  /// Reads a bare number as a real.
  ///
  /// A number beyond 2^53 may be an integer that `Double` has rounded, and a decoder of `Codable` would read even
  /// 1.2345678901234567e17 as an integer. Such a number is refused, so that a text and a decoder never differ.
  private func untagged(_ real: Double, at index: Int) throws(JSONCodingError) -> Double {
    if real.isNaN { throw notANumber(at: index) }
    if abs(real) <= 0x1p53 { return real }
    throw error(
      .invalidValue, "a number this large may be a rounded integer", at: index,
      suggestion: "write an integer with all its digits, up to \(Int64.max), and a real with a tag: "
        + "{\"real\": \(real.isFinite ? "\(real)" : "\"infinity\"")}")
  }

  private func tagged(_ tag: Field) throws(JSONCodingError) -> Value {
    if tag.name == .blob {
      guard let data = Data(base64Encoded: try text(at: tag.value, "Base64 text")) else {
        throw error(
          .invalidValue, "write a blob as Base64 text", at: tag.value,
          suggestion: "use the letters A-Z, a-z, 0-9, + and /, padded with = (RFC 4648, section 4)")
      }
      return .blob([UInt8](data))
    }
    switch tokens[tag.value] {
    case .integer(let integer): return .real(Double(integer))
    case .real(let real) where real.isNaN: throw notANumber(at: tag.value)
    case .real(let real): return .real(real)
    case .text("infinity"): return .real(.infinity)
    case .text("-infinity"): return .real(-.infinity)
    default: throw mismatch(at: tag.value, expected: #"a number, "infinity" or "-infinity""#)
    }
  }

  private func notANumber(at index: Int) -> JSONCodingError {
    error(.invalidValue, ValueError.notANumber.summary, at: index, suggestion: ValueError.notANumber.suggestion)
  }
}

extension QueryJSONReader {
  /// Reads the terms of a sort.
  func sort(at index: Int) throws(JSONCodingError) -> AnySort {
    AnySort(try list(at: index, of: "keys to sort by") { index throws(JSONCodingError) in try term(at: index) })
  }

  private func term(at index: Int) throws(JSONCodingError) -> SortTerm {
    let fields = try fields(at: index, of: "a term of a sort", known: [.key, .direction, .nulls])
    var key: AnyExpression?
    var direction = SortTerm.Direction.ascending
    var nulls: NullPlacement?
    for field in fields {
      switch field.name {
      case .key: key = try self.key(at: field.value)
      case .direction:
        direction = try self.direction(at: field.value)
      default: nulls = try choice(at: field.value, [("first", .first), ("last", .last)])
      }
    }
    guard let key else { throw missing(.key, of: "the term", at: index) }
    return SortTerm(key, direction: direction, nulls: nulls ?? direction.defaultNulls)
  }

  func direction(at index: Int) throws(JSONCodingError) -> SortTerm.Direction {
    try choice(at: index, [("ascending", .ascending), ("descending", .descending)])
  }

  private func choice<Choice>(at index: Int, _ choices: [(String, Choice)]) throws(JSONCodingError) -> Choice {
    let names = choices.map { "\"\($0.0)\"" }.joined(separator: " or ")
    let name = try text(at: index, names)
    if let choice = choices.first(where: { $0.0 == name }) { return choice.1 }
    throw error(
      .invalidValue, "expected \(names)", at: index,
      suggestion: NearestName.nearest(to: name, in: choices.map(\.0)).map { "did you mean \"\($0)\"?" })
  }
}

/// The names of the fields that a form may have.
///
/// Each name is one word in lowercase, because an encoder may have a key strategy that changes the case.
enum QueryJSONField: String {
  case version
  // A document.
  case query, sort, limit, offset, after, before
  // Groups.
  case aggregates, aggregate, groups, having
  // A projection.
  case columns, name, distinct, first
  // A connective or a negation.
  case and, or, not
  // A condition.
  case key, op, value, values, lower, upper, ignoring
  // A key or a condition in its text form.
  case expression
  // A term of a sort.
  case direction, nulls
  // A value that JSON has no form for.
  case real, blob
}

/// The version of the form that this release writes, and the only one that it reads.
enum QueryJSONVersion {
  static let current: Int64 = 1
}
