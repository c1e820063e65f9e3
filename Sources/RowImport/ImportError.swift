import CSV
import Query
import Repository

/// Why rows can't be read from a file, or don't fit a table.
package struct ImportError: Error, Hashable {
  /// What is wrong and where, in one line.
  package let summary: String
  /// Reasons and suggestions, a line each.
  package let details: [String]
  /// Whether it is what was asked for, rather than the file, that has to change.
  package let isUsageError: Bool
  /// The system's number for the reason, as `errno` has it, where a call of the system failed.
  package let systemCode: Int32?

  package init(_ summary: String, details: [String?] = [], isUsageError: Bool = false) {
    self.summary = summary
    self.details = details.compactMap(\.self)
    self.isUsageError = isUsageError
    systemCode = nil
  }

  init(_ summary: String, code: Int32) {
    (self.summary, details, isUsageError, systemCode) = (summary, [], false, code)
  }

  /// What the database says of a row.
  init(_ error: RepositoryError) { self.init(error.summary, details: [error.reason, error.suggestion]) }

  /// What is wrong with delimited text, and where.
  init(_ error: CSVError, in file: String) {
    let line = error.line.map { ", line \($0)" } ?? ""
    let column = error.column.map { ", column \($0)" } ?? ""
    self.init(
      "\(file)\(line)\(column): \(Self.clause(error.summary))",
      details: [error.reason, error.suggestion].map { $0.map(Self.clause) } + Self.options(for: error))
  }

  /// The options that take a file as it is.
  private static func options(for error: CSVError) -> [String] {
    switch error.code {
    case .wrongFieldCount: ["--pad takes records that end early, and empty fields too many"]
    case .emptyHeader where error.line == 1:
      [
        "--rename-columns gives such a column a name of its own",
        "--skip-lines leaves out lines before the names, such as a title",
      ]
    case .emptyHeader, .duplicateHeader: ["--rename-columns gives such a column a name of its own"]
    case .quoteInUnquotedField, .textAfterQuote, .unterminatedQuote:
      ["--quote none takes quotes for letters, --quote C takes another character for the quote"]
    case .invalidUTF8: ["--encoding tells another encoding, such as windows-1252"]
    default: []
    }
  }

  /// The same error with the position where it happened before its summary.
  package func at(_ position: String) -> ImportError {
    ImportError("\(position): \(summary)", details: details, isUsageError: isUsageError)
  }

  /// A sentence as a part of a message that starts in lower case and ends without a full stop.
  private static func clause(_ sentence: String) -> String {
    let clause = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return clause.prefix(1).lowercased() + clause.dropFirst()
  }
}

/// A record that can't be imported; others of its file can.
package struct BadRow: Error {
  package let error: ImportError

  package init(error: ImportError) {
    self.error = error
  }
}

/// The start of a text in quotes, for messages.
func quoted(_ text: String) -> String { "\"\(VisibleText.excerpt(of: Array(text.utf8)[...]))\"" }
