public import ErrorDetails

extension RepositoryError.Code {
  /// The reason and the suggestion for every error of the code, for errors without their own; `nil` for custom codes.
  var advice: (reason: String, suggestion: String)? {
    switch self {
    case .notFound:
      (
        "the store has no element with this key, or no longer has the element",
        "check the key, or find the element by other properties"
      )
    case .invalidQuery: ("the request is not valid in any store", "correct the request")
    case .invalidStatement:
      (
        "the store does not understand the statement, or does not run statements of this kind",
        "check the spelling of the statement"
      )
    case .invalidSchema: ("the schema contradicts itself", "correct the schema")
    case .schemaMismatch:
      ("another version of the schema created the table", "add a migration, or adapt the schema to the table")
    case .newerVersion: ("a newer version of the program migrated the store", "update the program")
    case .migrationMismatch:
      (
        "applied migrations are missing or in another order",
        "restore the migrations, and add new migrations at the end"
      )
    case .migrationChanged:
      ("an applied migration has changed since", "restore the migration, and write a new migration for the change")
    case .migrationFailed: ("a step of the migration failed", "correct the migration, and run it again")
    case .missingTable: ("the store has no table of this name", "check the name, or create the table first")
    case .invalidValue: ("the table can't store the value", "write a value that the column accepts")
    case .unreadableRow:
      ("the stored value does not fit the property", "correct the row, or change the type of the property")
    case .overflow:
      ("the result exceeds the range of 64-bit integers", "compute the average, or sum smaller groups")
    case .notANumber: ("the values include NaN, or both infinity and -infinity", "exclude these values with the query")
    case .conflict:
      ("another row has the same value in a unique column", "change the value, or update the other row")
    case .constraint: ("a rule of the table does not allow the row", "correct the value that breaks the rule")
    case .foreignKeyViolation: ("the row must refer to an existing row", "save the referenced row first")
    case .restrictViolation: ("other rows refer to the row", "delete the referring rows first")
    case .busy: ("other tasks or programs used the store for longer than the timeout", "try again in a moment")
    case .timeout: ("the store did not answer before the timeout", "check the connection, and try again")
    case .unreachable:
      ("the store does not answer at this address", "check the connection and the address, and try again")
    case .readOnly: ("the store is open for reading only, or the file is not writable", "open the store for writing")
    case .cannotOpen:
      ("the file does not exist, or the program may not open the file", "check the path and the permissions")
    case .notADatabase: ("the file is not a database", "check the path")
    case .corrupt: ("parts of the database are missing or overwritten", "restore a backup")
    case .full: ("the disk is full, or the store has reached a limit", "free space, and try again")
    case .inputOutput:
      ("the operating system refused to read or write", "check the disk and the permissions of the file, and try again")
    case .tooBig: ("the request is too large for the store", "split the request into smaller parts")
    case .cancelled: ("the store saved no changes", "start the task again if you still need the result")
    case .writeInsideRead: ("a read uses one snapshot of the store", "use `transaction` instead of `read`")
    case .transactionEnded:
      ("a repository of a transaction ends with the transaction", "open a repository of the store")
    case .unsupported: ("the store does not support the request", "use a supported request, or another store")
    case .storeFailure:
      (
        "the store failed for a reason without a code in this library",
        "check the underlying error and the store's own code"
      )
    default: nil
    }
  }
}

extension ColumnError: FriendlyError {
  /// The column, with a description of the problem with the value.
  public var summary: String { "\(column.map { "\($0): " } ?? "")\(error.summary)" }
  /// The advice, if there is any.
  public var suggestion: String? { error.suggestion }
  /// The error of the value.
  public var underlying: (any Error)? { error }
}

extension SchemaMismatch: FriendlyError {
  /// The statement that the table differs from the schema.
  public var summary: String { "the table differs from the schema" }
  /// The descriptions of the differences.
  public var reason: String? {
    differences.isEmpty ? nil : differences.map(\.summary).joined(separator: "; ")
  }
  /// The advice how to resolve the differences.
  public var suggestion: String? { "add a migration, or adapt the schema to the table" }
}
