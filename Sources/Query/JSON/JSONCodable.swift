public import ErrorDetails

/// A type with a JSON form, such as a query, a sort or a request, which is the same for every way to read or write it.
///
/// ```swift
/// let query = try AnyQuery(json: #"{"version": 1, "query": {"key": "weight", "op": ">", "value": 90}}"#)
/// let text = try query.json  // a text, nested to any depth
/// let data = try JSONEncoder().encode(query)  // the same, by any encoder of `Codable`
/// var body = try query.dictionary  // the same, to add something to
/// ```
///
/// A type of your own, such as a saved search, conforms with two members; the other ways come with them. The form is
/// described in <doc:JSONCoding>.
public protocol JSONCodable: Codable, Sendable {
  /// The JSON form.
  ///
  /// - Throws: ``JSONCodingError`` for what can't be written, such as a query with a value that can't be stored.
  var jsonValue: JSONValue { get throws(JSONCodingError) }

  /// Reads the JSON form.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the form is wrong.
  init(jsonValue: JSONValue) throws(JSONCodingError)
}

extension JSONCodable {
  /// The JSON form as a text, without white space, written in time linear in its length.
  ///
  /// - Throws: ``JSONCodingError`` for what can't be written: a value that can't be stored, more than
  ///   ``ResolvedQuery/maximumConditionCount`` conditions, or a form of more than about 250 MB.
  public var json: String {
    get throws(JSONCodingError) { try jsonValue.description }
  }

  /// Reads the JSON form from a text, in time linear in its length, and however deep it is nested.
  ///
  /// Limit the length of a text from an untrusted source; reading takes up to about 50 times as much memory.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the text is wrong.
  public init(json: String) throws(JSONCodingError) {
    try self.init(jsonValue: try JSONParser.parse(json))
  }

  /// The JSON form as the fields of its object, for a body that has other fields, too.
  ///
  /// - Throws: ``JSONCodingError``, as ``json`` does.
  public var dictionary: [String: JSONValue] {
    get throws(JSONCodingError) {
      guard case .object(let fields) = try jsonValue.form else { return [:] }
      return fields
    }
  }

  /// Reads the JSON form from the fields of its object.
  ///
  /// - Throws: ``JSONCodingError`` if a field is wrong, or unknown.
  public init(dictionary: [String: JSONValue]) throws(JSONCodingError) {
    try self.init(jsonValue: JSONValue(.object(dictionary)))
  }
}

extension JSONCodable {
  /// Reads the JSON form from any decoder.
  ///
  /// - Throws: `DecodingError`, whose `underlyingError` is a ``JSONCodingError`` where the form is wrong.
  public init(from decoder: any Decoder) throws {
    self = try decoder.read(Self.init(jsonValue:))
  }

  /// Writes the JSON form to any encoder.
  ///
  /// Texts keep their bytes as far as the encoder keeps them: `JSONEncoder` does, and `PropertyListEncoder` as XML. The binary
  /// format of `PropertyListEncoder` unifies texts that are canonically equal, so that a composed and a decomposed "é" in one
  /// document both come back as the first.
  ///
  /// - Throws: `EncodingError`, whose `underlyingError` is a ``JSONCodingError`` for what can't be written, including a value
  ///   that is nested deeper than 400 arrays and objects: encoders take stack for each level. The error holds the type instead
  ///   of the value, so that it may be logged.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(self) { value throws(JSONCodingError) in try value.jsonValue }
  }
}

extension Decoder {
  /// Reads a form, and reports errors as users of `Codable` expect them.
  func read<Model>(_ make: (JSONValue) throws(JSONCodingError) -> Model) throws -> Model {
    let value = try JSONValue(from: self)
    do throws(JSONCodingError) {
      return try make(value)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath + JSONFieldKey.path(error.path), debugDescription: error.description,
          underlyingError: error))
    }
  }
}

extension Encoder {
  /// Writes a form.
  func write<Model>(_ model: Model, _ form: (Model) throws(JSONCodingError) -> JSONValue) throws {
    let value: JSONValue
    do throws(JSONCodingError) {
      value = try form(model)
    } catch {
      // The error holds the type instead of the model, which may be too large to print.
      throw EncodingError.invalidValue(
        Model.self,
        EncodingError.Context(codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
    try value.encode(to: self)
  }
}

/// An error in the JSON form of a query or a request: where it is, what is wrong, and what to write instead.
///
/// It never contains the values of a query, so that it may be logged.
public struct JSONCodingError: FriendlyError, Hashable, Sendable {
  /// The kind of an error in a JSON form.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code; later versions may add some.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code of the error for a text that is not JSON, or an item of a URL that is not a query, sort or number.
    public static let malformed = Code(rawValue: "malformed")
    /// The code of the error for a form whose version is not known.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// The code of the error for a condition with an unknown operator.
    public static let unknownOperator = Code(rawValue: "unknownOperator")
    /// The code of the error for a missing field.
    public static let missingField = Code(rawValue: "missingField")
    /// The code of the error for a field that is not known, or does not go with the others.
    public static let unexpectedField = Code(rawValue: "unexpectedField")
    /// The code of the error for a field or an item of a URL that occurs twice.
    public static let repeatedField = Code(rawValue: "repeatedField")
    /// The code of the error for a field that holds a value of another type.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// The code of the error for a value that can't be stored or written, such as NaN.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// The code of the error for a form that is too large, or nested too deep for the way in which it is read or
    /// written.
    public static let tooComplex = Code(rawValue: "tooComplex")
  }

  /// The kind of the error.
  public let code: Code
  /// The description of what happened, in one sentence.
  public let summary: String
  /// The place of the error: for JSON a pointer as in RFC 6901, such as `/query/and/0/op`, which is empty for the whole; for
  /// a URL the name of the item.
  public let path: String
  /// The advice what to write instead, if there is any.
  public let suggestion: String?
  /// The place of the error, in words; `nil` for the whole form.
  public var reason: String? { path.isEmpty ? nil : "the error is at \(path)" }

  /// Makes an error, for types of your own that are ``JSONCodable``.
  public init(_ code: Code, _ summary: String, path: String = "", suggestion: String? = nil) {
    self.code = code
    self.summary = summary
    self.path = path
    self.suggestion = suggestion
  }
}

extension JSONCodingError: CustomStringConvertible {
  /// The summary, the path and the suggestion in one line.
  public var description: String {
    // A long path is cut to its end, where the error is.
    let shown = path.utf8.count > 120 ? "…" + path.suffix(119) : path
    return ["\(summary)\(path.isEmpty ? "" : ", at \(shown)")", suggestion].compactMap(\.self).joined(separator: "; ")
  }
}
