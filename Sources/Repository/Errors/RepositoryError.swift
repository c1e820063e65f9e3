public import ErrorDetails

/// The error of a repository or a store.
///
/// One type for every store, so that code that finds and saves knows nothing of the store behind. Bound values are never
/// part of it: it may be logged.
public struct RepositoryError: DetailedError {
  /// What went wrong.
  public let code: Code
  /// What happened, why, and what to do about it.
  public let details: ErrorDetails
  /// The SQL that failed, without its values.
  public let sql: String?
  /// The store's own number for the error, such as SQLite's extended result code.
  public let storeCode: Int?
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Whether its task was cancelled.
  public var isCancellation: Bool { code == .cancelled }

  /// Makes an error, for repositories of your own.
  ///
  /// Where neither a reason nor a suggestion is given, the error has those that are true of every error of its code.
  public init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, sql: String? = nil,
    storeCode: Int? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    // What is true of every error of the code would only be in the way of what is known of this one.
    let advice = reason == nil && suggestion == nil ? code.advice : nil
    details = ErrorDetails(
      summary, reason: reason ?? advice?.reason, suggestion: suggestion ?? advice?.suggestion)
    self.sql = sql
    self.storeCode = storeCode
    self.underlying = underlying
  }
}

extension RepositoryError {
  /// What went wrong; later versions may add codes, so switch with a default.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code, for repositories of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No element has the key that was asked for.
    public static let notFound = Code(rawValue: "notFound")
    /// The request can't be asked of the table; ``RepositoryError/underlying`` is the `QueryError` that says why.
    public static let invalidQuery = Code(rawValue: "invalidQuery")
    /// A statement in the store's own language makes no sense to the store, or is none that may be run.
    public static let invalidStatement = Code(rawValue: "invalidStatement")
    /// A schema contradicts itself.
    public static let invalidSchema = Code(rawValue: "invalidSchema")
    /// The table in the store differs from the schema.
    public static let schemaMismatch = Code(rawValue: "schemaMismatch")
    /// The store was migrated by a newer version of the program.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The store's migrations are others than the program's, or have another order.
    public static let migrationMismatch = Code(rawValue: "migrationMismatch")
    /// A migration that has been applied was edited afterwards.
    public static let migrationChanged = Code(rawValue: "migrationChanged")
    /// A migration failed, and nothing of it is kept; ``RepositoryError/underlying`` is the error that says why.
    public static let migrationFailed = Code(rawValue: "migrationFailed")
    /// The store has no such table.
    public static let missingTable = Code(rawValue: "missingTable")
    /// A property of an element can't be stored.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// A stored value does not fit its property.
    public static let unreadableRow = Code(rawValue: "unreadableRow")
    /// A sum of integers is beyond the range of 64 bits.
    public static let overflow = Code(rawValue: "overflow")
    /// A sum or an average is not a number.
    public static let notANumber = Code(rawValue: "notANumber")
    /// Another element has the same value in a unique column.
    public static let conflict = Code(rawValue: "conflict")
    /// Another rule of the table is broken: a check, or a value is null that may not be.
    public static let constraint = Code(rawValue: "constraint")
    /// An element refers to one that does not exist.
    public static let foreignKeyViolation = Code(rawValue: "foreignKeyViolation")
    /// An element can't be deleted, because others refer to it.
    public static let restrictViolation = Code(rawValue: "restrictViolation")
    /// The store is in use by other tasks or programs for longer than the timeout.
    public static let busy = Code(rawValue: "busy")
    /// The store did not answer in time; a write may have been done or not.
    public static let timeout = Code(rawValue: "timeout")
    /// The store can't be reached, such as a server without a connection.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The store can be read, not written.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The store's file can't be opened.
    public static let cannotOpen = Code(rawValue: "cannotOpen")
    /// The file is no database.
    public static let notADatabase = Code(rawValue: "notADatabase")
    /// The database is damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// There is no room left to write.
    public static let full = Code(rawValue: "full")
    /// The operating system refused to read or write.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// Something is too big for the store.
    public static let tooBig = Code(rawValue: "tooBig")
    /// The task was cancelled. Nothing of the operation is kept.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Something was to be written within a transaction that only reads.
    public static let writeInsideRead = Code(rawValue: "writeInsideRead")
    /// A repository of a transaction was used after the transaction had ended, or after it had failed.
    public static let transactionEnded = Code(rawValue: "transactionEnded")
    /// The store can't do this.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The store refused for a reason that has no code here.
    public static let storeFailure = Code(rawValue: "storeFailure")
  }
}
