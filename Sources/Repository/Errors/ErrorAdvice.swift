public import ErrorDetails

extension RepositoryError.Code {
  /// The reason and the suggestion for every error of the code, for errors without their own; `nil` for custom codes.
  var advice: (reason: String, suggestion: String)? {
    switch self {
    case .notFound:
      ("nothing with this key was saved, or it was deleted meanwhile", "check the key, or find it by other properties")
    case .invalidQuery: ("no store has an answer to it", "correct the request")
    case .invalidStatement:
      ("the store can't make sense of it, or does not run statements like it", "check the statement's spelling")
    case .invalidSchema: ("what it says of the columns contradicts itself", "correct the schema")
    case .schemaMismatch:
      ("the table was made by another version of the schema", "add a migration, or make the schema like the table")
    case .newerVersion: ("a newer version of the program has migrated it", "update the program")
    case .migrationMismatch:
      ("migrations that were applied are gone or have moved", "put them back, and add new ones at the end")
    case .migrationChanged:
      ("what was applied is not what it says now", "restore the migration, and write a new one for the change")
    case .migrationFailed: ("a step of the migration was refused", "correct the migration, and run it again")
    case .missingTable: ("no table of this name was created", "check its name, or create it first")
    case .invalidValue: ("the table can't hold the value", "write a value that its column takes")
    case .unreadableRow:
      ("what is stored there does not fit its property", "correct the row, or change the property's type")
    case .overflow:
      ("the result is beyond the integers that can be stored", "ask for the average, or for the sums of smaller groups")
    case .notANumber: ("infinities of both signs are among the values", "leave the infinities out by the query")
    case .conflict:
      ("the values have to be different in each row", "change the value, or update the row that has it")
    case .constraint: ("the table's rules do not allow the row", "correct the value that breaks the rule")
    case .foreignKeyViolation: ("it has to refer to a row that exists", "save the row it refers to first")
    case .restrictViolation: ("others would refer to nothing", "delete what refers to it first")
    case .busy: ("other tasks or programs used the store for longer than was waited", "try again in a moment")
    case .timeout: ("it took longer than was waited for an answer", "check the connection, and try again")
    case .unreachable:
      ("there is no answer at its address", "check the connection and the address, and try again")
    case .readOnly: ("the store was opened for reading, or its file can't be written", "open it for writing")
    case .cannotOpen: ("there is no such file, or it may not be opened", "check the path and its permissions")
    case .notADatabase: ("the file holds something else", "check the path")
    case .corrupt: ("parts of the database are missing or overwritten", "restore a backup")
    case .full: ("the disk or the store's own limit is reached", "make room, and try again")
    case .inputOutput:
      ("the operating system refused to read or write", "check the disk and the file's permissions, and try again")
    case .tooBig: ("it is beyond what the store can take at once", "do it in smaller parts")
    case .cancelled: ("nothing of what it was about to do is kept", "start it again if it is still wanted")
    case .writeInsideRead: ("what it reads is one state of the store", "use `transaction` instead of `read`")
    case .transactionEnded:
      ("a repository of a transaction ends with it", "open a repository of the store itself")
    case .unsupported: ("the store has no way to do it", "do it with what the store offers, or use another store")
    case .storeFailure:
      ("the store refused for a reason that has no name here", "look at the underlying error and the store's own code")
    default: nil
    }
  }
}

extension ColumnError: FriendlyError {
  /// The column, with the description of what is wrong with the value.
  public var summary: String { "\(column.map { "\($0): " } ?? "")\(error.summary)" }
  /// The advice what to do about it, if there is any.
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
  public var suggestion: String? { "add a migration, or make the schema like the table" }
}
