import Query

extension CommandDescription {
  /// A call of this command that has to be written differently.
  func misused(_ summary: String, reason: String? = nil, suggestion: String? = nil) -> Failure {
    let usage = HelpText.wrap(["usage:"] + usageWords, indent: 4).split(separator: "\n").map(String.init)
    return Failure(summary, details: [reason, suggestion] + usage, status: .misused)
  }
}

extension String {
  /// The question for the name that was meant, if there is one like it.
  static func nearest(to name: String, among names: [String]) -> String? {
    NearestName.nearest(to: name, in: names).map { "did you mean \($0)?" }
  }

  /// The question for the name that was meant, or else all that there are.
  static func among(_ names: [String], nearestTo name: String) -> String {
    nearest(to: name, among: names) ?? "there are \(names.joined(separator: ", "))"
  }
}
