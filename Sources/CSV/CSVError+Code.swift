extension CSVError {
  /// The kind of an error: an open set, so a `switch` over it needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, as its constant is spelled.
    public let rawValue: String

    /// A kind of error by name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name of the kind.
    public var description: String {
      rawValue
    }

    /// The input ends in a quoted field; the place is the opening quote.
    public static let unterminatedQuote = Code(rawValue: "unterminatedQuote")

    /// A closing quote is followed by something else than a delimiter or a line end; the place is that character.
    public static let textAfterQuote = Code(rawValue: "textAfterQuote")

    /// A quote stands in a field that does not begin with one; the place is the quote.
    public static let quoteInUnquotedField = Code(rawValue: "quoteInUnquotedField")

    /// A backslash in tab-separated values is followed by what is no escape; the place is the backslash.
    public static let unknownEscape = Code(rawValue: "unknownEscape")

    /// The bytes are not UTF-8; the place is the first byte that is not.
    public static let invalidUTF8 = Code(rawValue: "invalidUTF8")

    /// A record has not as many fields as the header.
    ///
    /// The place is the first field too many, or the end of a record that is too short. The counts are in
    /// ``CSVError/foundFieldCount`` and ``CSVError/expectedFieldCount``.
    public static let wrongFieldCount = Code(rawValue: "wrongFieldCount")

    /// Two columns of the header have the same name; the place is the second one.
    public static let duplicateHeader = Code(rawValue: "duplicateHeader")

    /// A column of the header has no name; the place is where the name should be.
    public static let emptyHeader = Code(rawValue: "emptyHeader")

    /// The input holds no record, so no header either.
    public static let noHeader = Code(rawValue: "noHeader")

    /// The input cannot be opened or read; the reason is the system's.
    public static let unreadable = Code(rawValue: "unreadable")

    /// A field is longer than the reader allows; the place is where the field starts.
    public static let fieldTooLarge = Code(rawValue: "fieldTooLarge")
  }
}
