public import ErrorDetails

/// An error of a repository or a store.
///
/// There is one type for every store, so that code that uses repositories does not depend on the store. It never contains
/// bound values: it may be logged.
public struct RepositoryError: DetailedError {
  /// The code of the error.
  public let code: Code
  /// The description of the error: the failure, its reason, and advice.
  public let details: ErrorDetails
  /// The SQL that failed, without its values.
  public let sql: String?
  /// The store's own code of the error, such as SQLite's extended result code.
  public let storeCode: Int?
  /// The error that led to this one.
  public let underlying: (any Error)?
  /// The constraint that a row violates, if the store knows it.
  package var brokenConstraint: BrokenConstraint?

  /// Whether the task was cancelled.
  public var isCancellation: Bool { code == .cancelled }

  /// Makes an error, for repositories of your own.
  ///
  /// Without a reason and a suggestion, the error has the reason and the suggestion of its code.
  public init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, sql: String? = nil,
    storeCode: Int? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    // The general advice would only distract from the specific one.
    let advice = reason == nil && suggestion == nil ? code.advice : nil
    details = ErrorDetails(
      summary, reason: reason ?? advice?.reason, suggestion: suggestion ?? advice?.suggestion)
    self.sql = sql
    self.storeCode = storeCode
    self.underlying = underlying
  }
}

extension RepositoryError {
  /// The code of an error; later versions may add codes, so switch with a default.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let rawValue: String

    /// Makes a code, for repositories of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name.
    public var description: String { rawValue }

    /// The code of the error for a request for a primary key that no element has.
    public static let notFound = Code(rawValue: "notFound")
    /// The code of the error for a request that the table can't answer; ``RepositoryError/underlying`` is the
    /// `QueryError` with the reason.
    public static let invalidQuery = Code(rawValue: "invalidQuery")
    /// The code of the error for a statement in the store's own language that is not valid, or not allowed.
    public static let invalidStatement = Code(rawValue: "invalidStatement")
    /// The code of the error for a schema that contradicts itself.
    public static let invalidSchema = Code(rawValue: "invalidSchema")
    /// The code of the error for a table that differs from the schema.
    public static let schemaMismatch = Code(rawValue: "schemaMismatch")
    /// The code of the error for a store that was migrated by a newer version of the program.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The code of the error for a store whose migrations differ from the program's, or have another order.
    public static let migrationMismatch = Code(rawValue: "migrationMismatch")
    /// The code of the error for a migration that was edited after it was applied.
    public static let migrationChanged = Code(rawValue: "migrationChanged")
    /// The code of the error for a migration that failed and was rolled back; ``RepositoryError/underlying`` is the
    /// error with the reason.
    public static let migrationFailed = Code(rawValue: "migrationFailed")
    /// The code of the error for a table that the store does not have.
    public static let missingTable = Code(rawValue: "missingTable")
    /// The code of the error for a property of an element that can't be stored.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// The code of the error for a stored value that does not fit its property.
    public static let unreadableRow = Code(rawValue: "unreadableRow")
    /// The code of the error for a sum of integers that exceeds the range of 64 bits.
    public static let overflow = Code(rawValue: "overflow")
    /// The code of the error for a sum or an average that is not a number.
    public static let notANumber = Code(rawValue: "notANumber")
    /// The code of the error for an element with the same value in a unique column as another.
    public static let conflict = Code(rawValue: "conflict")
    /// The code of the error for any other constraint violation: a failed check, or a null in a column that is not
    /// nullable.
    public static let constraint = Code(rawValue: "constraint")
    /// The code of the error for an element that refers to an element that does not exist.
    public static let foreignKeyViolation = Code(rawValue: "foreignKeyViolation")
    /// The code of the error for a deletion of an element that others refer to.
    public static let restrictViolation = Code(rawValue: "restrictViolation")
    /// The code of the error for a store that is in use by other tasks or programs for longer than the timeout.
    public static let busy = Code(rawValue: "busy")
    /// The code of the error for a store that did not answer in time; a write may have been done or not.
    public static let timeout = Code(rawValue: "timeout")
    /// The code of the error for a store that can't be reached, such as a server without a connection.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The code of the error for a write to a store that is read-only.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The code of the error for a store whose file can't be opened.
    public static let cannotOpen = Code(rawValue: "cannotOpen")
    /// The code of the error for a file that is not a database.
    public static let notADatabase = Code(rawValue: "notADatabase")
    /// The code of the error for a database that is damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The code of the error for a store without space left to write.
    public static let full = Code(rawValue: "full")
    /// The code of the error for a failed read or write of the operating system.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// The code of the error for a value or a statement that is too big for the store.
    public static let tooBig = Code(rawValue: "tooBig")
    /// The code of the error for a cancelled task, whose operation is rolled back.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The code of the error for a write within a transaction that only reads.
    public static let writeInsideRead = Code(rawValue: "writeInsideRead")
    /// The code of the error for a use of a transaction's repository after the transaction has ended, or has failed.
    public static let transactionEnded = Code(rawValue: "transactionEnded")
    /// The code of the error for an operation that the store does not support.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The code of an error of the store that has no code here.
    public static let storeFailure = Code(rawValue: "storeFailure")
  }
}
