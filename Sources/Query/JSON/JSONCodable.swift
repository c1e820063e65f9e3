public import ErrorDetails

/// What can travel: a query, a sort or a request, in one JSON form, whichever way it goes.
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
  /// - Throws: ``JSONCodingError``, which says where the form goes wrong.
  init(jsonValue: JSONValue) throws(JSONCodingError)
}

extension JSONCodable {
  /// The JSON form as a text, without white space, in time that grows with its length.
  ///
  /// - Throws: ``JSONCodingError`` for what can't be written: a value that can't be stored, more than
  ///   ``ResolvedQuery/maximumConditionCount`` conditions, or a form of more than about 250 MB.
  public var json: String {
    get throws(JSONCodingError) { try jsonValue.description }
  }

  /// Reads the JSON form from a text, in time that grows with its length, and however deep it is nested.
  ///
  /// A text from elsewhere should have a greatest length; reading it takes some 50 times as much memory at worst.
  ///
  /// - Throws: ``JSONCodingError``, which says where the text goes wrong.
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
  /// - Throws: ``JSONCodingError`` where something is wrong with them, or where there are others.
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
  /// Texts keep their bytes as far as the encoder keeps them: `JSONEncoder` does, and `PropertyListEncoder` as XML. In its
  /// binary format it takes texts that are canonically equal for one, so that of a composed and a decomposed "é" in one
  /// document both come back as the first.
  ///
  /// - Throws: `EncodingError`, whose `underlyingError` is a ``JSONCodingError`` for what can't be written, which is
  ///   also what is nested deeper than 400 arrays and objects: encoders take stack for each. The error holds the type
  ///   instead of the value, so that it may be logged.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(self) { value throws(JSONCodingError) in try value.jsonValue }
  }
}

extension Decoder {
  /// Reads a form, and says where `Codable`'s users look for it what is wrong.
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
      // Not the model itself: printing the error would print it, which is what would not end.
      throw EncodingError.invalidValue(
        Model.self,
        EncodingError.Context(codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
    try value.encode(to: self)
  }
}

/// An error in the JSON form of a query or a request: where it is, what is wrong, and what to write instead.
///
/// The values of a query are never part of it, so that it may be logged.
public struct JSONCodingError: FriendlyError, Hashable, Sendable {
  /// What is wrong.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code; later versions may add some.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is no JSON, or an item of a URL is no query, sort or number.
    public static let malformed = Code(rawValue: "malformed")
    /// The form is of a version that is not known.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// A condition names no operator that is known.
    public static let unknownOperator = Code(rawValue: "unknownOperator")
    /// A field is missing.
    public static let missingField = Code(rawValue: "missingField")
    /// A field is not known, or does not go with the others.
    public static let unexpectedField = Code(rawValue: "unexpectedField")
    /// A field or an item of a URL occurs twice.
    public static let repeatedField = Code(rawValue: "repeatedField")
    /// A field holds something of another type.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// A value can't be stored or written, such as NaN.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// A form is nested too deep for the way in which it travels, or it is too large.
    public static let tooComplex = Code(rawValue: "tooComplex")
  }

  /// What is wrong.
  public let code: Code
  /// What happened, in one sentence.
  public let summary: String
  /// Where it happened: for JSON a pointer as in RFC 6901, such as `/query/and/0/op`, which is empty for the whole; for a
  /// URL the name of the item.
  public let path: String
  /// What to do about it, where that is known.
  public let suggestion: String?
  /// Where it happened.
  public var reason: String? { path.isEmpty ? nil : "it stands at \(path)" }

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
    // The path of what is nested deep is cut to its end, where the mistake is.
    let shown = path.utf8.count > 120 ? "…" + path.suffix(119) : path
    return ["\(summary)\(path.isEmpty ? "" : ", at \(shown)")", suggestion].compactMap(\.self).joined(separator: "; ")
  }
}
