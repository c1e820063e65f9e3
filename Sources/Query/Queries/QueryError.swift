@_exported public import ErrorDetails

/// A request that can't be asked of a table; every store throws the same one, before anything runs.
public struct QueryError: DetailedError, Hashable, Sendable {
  /// What is wrong with the request.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code; later versions may add some.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The table has no such key.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// A path or related rows name no reference or table that there is, or name one that may be any of several.
    public static let unknownRelation = Code(rawValue: "unknownRelation")
    /// A request can be carried out by other stores, and not by this one.
    public static let unsupported = Code(rawValue: "unsupported")
    /// A request from outside names a column that it may not ask for.
    public static let columnNotAllowed = Code(rawValue: "columnNotAllowed")
    /// A key is compared with a value of a kind that its column can't hold.
    public static let kindMismatch = Code(rawValue: "kindMismatch")
    /// A value of the request can't be stored by any store, such as NaN.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// A limit or an offset is negative.
    public static let negativeRange = Code(rawValue: "negativeRange")
    /// The query is nested too deep, or has too many conditions.
    public static let tooComplex = Code(rawValue: "tooComplex")
    /// No aggregate is asked for, or groups are sorted by one that is not.
    public static let invalidAggregate = Code(rawValue: "invalidAggregate")
    /// A projection has no columns.
    public static let invalidProjection = Code(rawValue: "invalidProjection")
    /// A cursor is damaged, or belongs to another sort or table.
    public static let invalidCursor = Code(rawValue: "invalidCursor")
    /// An update sets nothing, a column twice, a part of the primary key, or works out what it can't.
    public static let invalidAssignment = Code(rawValue: "invalidAssignment")
    /// A row is to be updated by columns that are not unique.
    public static let invalidConflictRule = Code(rawValue: "invalidConflictRule")
    /// The description of a table contradicts itself.
    public static let invalidSchema = Code(rawValue: "invalidSchema")
  }

  /// What is wrong with the request.
  public let code: Code
  /// What happened, why, and what to do about it.
  public let details: ErrorDetails

  /// Makes an error, for stores of your own.
  public init(_ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil) {
    self.code = code
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
  }
}
