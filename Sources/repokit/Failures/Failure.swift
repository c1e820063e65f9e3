/// Why the tool gives up, in the words that the user reads.
struct Failure: Error, Hashable {
  let status: ExitStatus
  /// What happened, in one line.
  let summary: String
  /// Reasons and suggestions, a line each.
  let details: [String]

  init(_ summary: String, details: [String?] = [], status: ExitStatus = .failed) {
    self.status = status
    self.summary = summary
    self.details = details.compactMap(\.self)
  }

  /// The same failure with the place where it happened before its summary.
  func at(_ place: String) -> Failure {
    Failure("\(place): \(summary)", details: details, status: status)
  }

  /// The same failure with one more detail.
  func adding(_ detail: String?) -> Failure {
    Failure(summary, details: details + [detail], status: status)
  }
}

extension Failure: CustomStringConvertible {
  /// The message as it is printed: `error: ` and the summary, with the details indented below.
  ///
  /// File names, tables and fields are part of it, so whatever a terminal would obey is made visible.
  var description: String {
    (["error: \(summary)"] + details.map { "  \($0)" })
      .map { TerminalText.visible($0) + "\n" }
      .joined()
  }
}
