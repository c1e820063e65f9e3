import CSV

extension Failure {
  /// What is wrong with a CSV file, and where.
  init(_ error: CSVError, in file: String) {
    let line = error.line.map { ", line \($0)" } ?? ""
    let column = error.column.map { ", column \($0)" } ?? ""
    self.init(
      "\(file)\(line)\(column): \(Self.clause(error.summary))",
      details: [error.reason, error.suggestion].map { $0.map(Self.clause) })
  }

  /// A sentence as a part of this tool's messages, which start in lower case and end without a full stop.
  private static func clause(_ sentence: String) -> String {
    let clause = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return clause.prefix(1).lowercased() + clause.dropFirst()
  }
}
