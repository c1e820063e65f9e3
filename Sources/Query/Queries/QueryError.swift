@_exported public import ErrorDetails

// Errors that name a table or a column are made in QueryErrorReasons.swift.

/// An error in a request that a table can't answer; every store throws the same error, before a statement runs.
public struct QueryError: DetailedError, Hashable, Sendable {
  /// The kind of an error in a request.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code; later versions may add some.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code of the error for a key in the sense of a query, the name of a column, that the table does not have.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// The code of the error for a path or related rows with an unknown or ambiguous reference or table.
    public static let unknownRelation = Code(rawValue: "unknownRelation")
    /// The code of the error for a request that other stores support, but not this one.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The code of the error for a request from a client that names a column for which it has no permission.
    public static let columnNotAllowed = Code(rawValue: "columnNotAllowed")
    /// The code of the error for a comparison of a key with a value of a kind that its column can't hold.
    public static let kindMismatch = Code(rawValue: "kindMismatch")
    /// The code of the error for a value that no store can store, such as NaN.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// The code of the error for a negative limit or offset.
    public static let negativeRange = Code(rawValue: "negativeRange")
    /// The code of the error for a query that is nested too deep, or has too many conditions.
    public static let tooComplex = Code(rawValue: "tooComplex")
    /// The code of the error for a request without aggregates, or an order of groups by an aggregate that is not
    /// requested.
    public static let invalidAggregate = Code(rawValue: "invalidAggregate")
    /// The code of the error for a projection without columns.
    public static let invalidProjection = Code(rawValue: "invalidProjection")
    /// The code of the error for a cursor that is damaged, or belongs to another sort or table.
    public static let invalidCursor = Code(rawValue: "invalidCursor")
    /// The code of the error for an update that sets nothing, sets a column twice or a part of the primary key, or
    /// computes the value of a unique column or reads other rows of the updated table.
    public static let invalidAssignment = Code(rawValue: "invalidAssignment")
    /// The code of the error for a conflict rule by columns that are not unique.
    public static let invalidConflictRule = Code(rawValue: "invalidConflictRule")
    /// The code of the error for a description of a table that contradicts itself.
    public static let invalidSchema = Code(rawValue: "invalidSchema")
  }

  /// The kind of the error.
  public let code: Code
  /// The description of the error: what happened, why, and what to do about it.
  public let details: ErrorDetails
  /// The name that the error is about, where advice depends on it.
  package let subject: Subject?

  /// Makes an error, for stores of your own.
  public init(_ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil) {
    self.init(code, summary, reason: reason, suggestion: suggestion, about: nil)
  }

  /// Makes an error about a name.
  package init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, about subject: Subject?
  ) {
    (self.code, self.subject) = (code, subject)
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
  }

  /// A name that an error is about, as it was written.
  package enum Subject: Hashable, Sendable {
    /// A key that the table does not have.
    case missingColumn(String, table: String)
    /// A step of a path that leads to no other table: a column that refers to none, or no column at all.
    case missingReference(column: String, table: String)
  }
}
