import ErrorHandling
import Query
import SQLiteStore

extension Failure {
  /// What a repository could not do; it blames the command where another command would help.
  init(_ error: RepositoryError) {
    let isMisuse = error.code == .invalidQuery || error.code == .missingTable
    self.init(
      error.summary, details: [error.reason, error.suggestion], status: isMisuse ? .misused : .failed,
      sql: error.sql)
  }

  /// A request or a table that makes no sense.
  init(_ error: QueryError) {
    self.init(error.summary, details: [error.reason, error.suggestion], status: .misused)
  }

  /// A query that makes no sense for a table, with a caret below the name of what the table does not have.
  init(_ error: QueryError, of text: String, in table: TableSchema) {
    let caret = error.code == .unknownKey ? table.caretAtUnknownKey(in: text) : nil
    let lines = caret?.split(separator: "\n").map(String.init) ?? []
    self.init(error.summary, details: lines + [error.reason, error.suggestion], status: .misused)
  }

  /// A text that is no query or no sort, with a caret below the place where it goes wrong.
  init(_ error: ParseError) {
    let lines = error.caret.split(separator: "\n").map(String.init)
    self.init(error.summary, details: lines + [error.reason, error.suggestion], status: .misused)
  }

  /// Runs what throws a library's errors.
  static func translating<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do {
      return try body()
    } catch {
      throw Failure(translating: error)
    }
  }

  /// Any error, since a closure that is handed through a library may throw more than one type.
  init(translating error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as RepositoryError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as ParseError: self.init(error)
    default:
      let error = AnyFriendlyError(error)
      self.init(error.summary, details: [error.reason, error.suggestion])
    }
  }
}
