import ErrorHandling

/// Why the tool gives up, in the words that the user reads.
struct Failure: Hashable {
  let status: ExitStatus
  /// What happened, in one line.
  let summary: String
  /// Reasons and suggestions, a line each.
  let details: [String]
  /// The SQL that failed, without its values, for those who want to know all.
  let sql: String?

  init(_ summary: String, details: [String?] = [], status: ExitStatus = .failed, sql: String? = nil) {
    self.status = status
    self.sql = sql
    self.summary = TerminalText.visible(summary)
    self.details = details.compactMap(\.self)
  }

  /// The same failure with the place where it happened before its summary.
  func at(_ place: String) -> Failure {
    Failure("\(place): \(summary)", details: details, status: status, sql: sql)
  }

  /// The same failure with one more detail.
  func adding(_ detail: String?) -> Failure {
    Failure(summary, details: details + [detail], status: status, sql: sql)
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
  ///   - style: what the standard error can do.
  ///   - isVerbose: whether the SQL is shown, too.
  func message(style: TerminalStyle, isVerbose: Bool = false) -> String {
    if isVerbose, let sql {
      return Failure(summary, details: details + ["SQL: \(sql)"], status: status).message(style: style)
    }
    let presenter = TerminalAlertPresenter(
      style: style, wording: .clauses(label: "error"), write: { _ in }, readLine: { nil })
    return presenter.text(of: Alert(self))
  }
}
