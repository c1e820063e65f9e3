#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import ErrorDetails
import ErrorHandling
import Query
import RowImport
import Repository
import SQLStore
import SQLiteStore

/// The reason why the tool gives up, in words for the user.
struct Failure: Hashable {
  let status: ExitStatus
  /// The problem, in one line.
  let summary: String
  /// Reasons and suggestions, a line each.
  let details: [String]
  /// The SQL that failed, without its values, for verbose output.
  let sql: String?
  /// Whether something went wrong. Otherwise the status tells only how the command ended: with differences, or with the
  /// user's own no.
  let isError: Bool

  init(
    _ summary: String, details: [String?] = [], status: ExitStatus = .failed, sql: String? = nil, isError: Bool = true
  ) {
    self.status = status
    self.isError = isError
    self.sql = sql
    self.summary = TerminalText.visible(ConnectionURI.redacting(summary))
    self.details = details.compactMap(\.self).map(ConnectionURI.redacting)
  }

  /// The same failure with its position before its summary.
  func at(_ place: String) -> Failure {
    Failure("\(place): \(summary)", details: details, status: status, sql: sql, isError: isError)
  }

  /// The same failure with one more detail.
  func adding(_ detail: String?) -> Failure {
    Failure(summary, details: details + [detail], status: status, sql: sql, isError: isError)
  }
}

extension Failure: FriendlyError {
  /// The reasons and suggestions, a line each.
  ///
  /// File names, tables and fields are part of them, and may hold a line feed: what is no line of the message is made
  /// visible before the presenter takes it apart.
  var reason: String? { details.isEmpty ? nil : details.map(TerminalText.visible).joined(separator: "\n") }

  /// The failure as it is shown: `error: ` and the summary, with the details indented below.
  ///
  /// - Parameters:
  ///   - style: the capabilities of the standard error.
  ///   - isVerbose: whether the SQL is shown, too.
  func message(style: TerminalStyle, isVerbose: Bool = false) -> String {
    if !isError {
      return ([summary] + details.map { "  " + TerminalText.visible($0) }).map { $0 + "\n" }.joined()
    }
    if isVerbose, let sql {
      return Failure(summary, details: details + ["SQL: \(sql)"], status: status).message(style: style)
    }
    let presenter = TerminalAlertPresenter(
      style: style, wording: .clauses(label: "error"), write: { _ in }, readLine: { nil })
    return presenter.text(of: Alert(self))
  }
}

/// The exit status of the tool.
enum ExitStatus: Int32 {
  /// The command succeeded, also where the reader closed the output early, as `head` does.
  case done = 0
  /// The command is valid, but failed: a file, the database or the data is not as it should be.
  case failed = 1
  /// The command or the query has to be written differently.
  case usageError = 2
}

extension Failure {
  /// Creates a failure of a system call, with the system's own words as the reason.
  ///
  /// - Parameter code: the value of `errno` right after the call.
  init(_ summary: String, code: Int32) {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    self.init(summary, details: [reason.prefix(1).lowercased() + reason.dropFirst()])
  }
}

extension Failure {
  /// Creates a failure for a repository's error; it blames the command where another command would help.
  init(_ error: RepositoryError) {
    if let interruption = Interruption.failure(for: error) {
      self = interruption
      return
    }
    let isUsageError = error.code == .invalidQuery || error.code == .missingTable
    self.init(
      ToolWording.plain(error.summary),
      details: [
        error.reason.map(ToolWording.plain), Self.advice(on: error) ?? error.suggestion.flatMap(ToolWording.advice),
      ],
      status: isUsageError ? .usageError : .failed, sql: error.sql)
  }

  /// Returns the advice for a row that can't be read, or a collation or function that only the program knows which made the
  /// database.
  private static func advice(on error: RepositoryError) -> String? {
    if error.code == .unreadableRow, error.reason == ValueError.invalidUTF8.summary {
      return
        "repokit check lists all such rows, and repokit set corrects a row by key; dump and backup copy such rows unchanged"
    }
    if error.isOfVirtualTable {
      return "repokit check names full-text tables whose index is damaged; repokit index rebuild builds the index again"
    }
    guard let reason = error.reason else { return nil }
    if error.isOfMissingCollation {
      return "another program defines the collation: read the rows here, but change them with that program"
    }
    guard reason.contains("no such function: ") else { return nil }
    return
      "a trigger, view or index calls a function of another program: read tables here, but change them with that program"
  }

  /// Creates a failure for an invalid request or table.
  init(_ error: QueryError) {
    self.init(error, caret: nil)
  }

  /// Creates a failure for a query that is invalid for a table, with its line and a caret below the part that is to blame.
  ///
  /// - Parameter suggestion: what to write instead, where more is known than the error tells.
  init(_ error: QueryError, caret: String?, suggestion: String? = nil) {
    let lines = caret?.split(separator: "\n").map(String.init) ?? []
    self.init(
      ToolWording.plain(error.summary),
      details: lines + [
        error.reason.map(ToolWording.plain), suggestion ?? error.suggestion.flatMap(ToolWording.advice),
      ],
      status: .usageError)
  }

  /// Creates a failure for a text that is not a query or a sort, with a caret below the position of the error.
  ///
  /// - Parameter advice: what to write instead, where more is known than the error tells.
  init(_ error: ParseError, advice: String? = nil) {
    let lines = error.caret.split(separator: "\n").map(String.init)
    var (summary, reason) = (error.summary, error.reason)
    let word = error.found.hasPrefix("`") ? String(error.found.dropFirst().dropLast()) : error.found
    if reason == "unknown function" { (summary, reason) = ("unknown function \(word)", nil) }
    if reason == "the parameter has no value" {
      reason = "give \(word) a value: \(OptionDescription.parameter.name) \(word.dropFirst())=…"
    }
    self.init(summary, details: lines + (advice.map { [$0] } ?? [reason, error.suggestion]), status: .usageError)
  }

  /// Creates a failure for a file that can't be imported.
  init(_ error: ImportError) {
    if let code = error.systemCode {
      self.init(error.summary, code: code)
    } else {
      self.init(error.summary, details: error.details, status: error.isUsageError ? .usageError : .failed)
    }
  }

  /// Runs a closure that throws a library's errors.
  static func translating<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do {
      return try body()
    } catch {
      throw Failure(translating: error)
    }
  }

  /// Creates a failure for any error, since a closure that is passed through a library may throw more than one type.
  init(translating error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as RepositoryError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as ParseError: self.init(error)
    case let error as ImportError: self.init(error)
    default:
      let error = AnyFriendlyError(error)
      self.init(error.summary, details: [error.reason, error.suggestion])
    }
  }
}

extension String {
  /// The question for the probable name, if there is a similar one.
  static func nearest(to name: String, among names: [String]) -> String? {
    NearestName.nearest(to: name, in: names).map { "did you mean \(VisibleText.name($0))?" }
  }

  /// The question for the probable name, or else a list of all names.
  static func among(_ names: [String], nearestTo name: String) -> String {
    nearest(to: name, among: names) ?? "the choices are \(VisibleText.names(names))"
  }
}
