/// A form that can't be read, or a query that has none: where, what is wrong, and what to write instead.
///
/// The values of a query are never part of it, so that it may be logged.
public struct InterchangeError: Error, Hashable, Sendable {
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
    /// A field or an item of a URL stands twice.
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

  /// Makes an error, for types of your own that are ``Interchangeable``.
  public init(_ code: Code, _ summary: String, path: String = "", suggestion: String? = nil) {
    self.code = code
    self.summary = summary
    self.path = path
    self.suggestion = suggestion
  }
}

extension InterchangeError: CustomStringConvertible {
  /// The summary, the path and the suggestion in one line.
  public var description: String {
    // The path of what is nested deep is cut to its end, where the mistake is.
    let shown = path.utf8.count > 120 ? "…" + path.suffix(119) : path
    return ["\(summary)\(path.isEmpty ? "" : ", at \(shown)")", suggestion].compactMap(\.self).joined(separator: "; ")
  }
}
