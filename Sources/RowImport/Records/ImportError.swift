import ErrorDetails
import CSV
import Query
import Repository

/// The reason why rows can't be read from a file, or don't fit a table.
package struct ImportError: Error, Hashable {
  /// The problem and its position, in one line.
  package let summary: String
  /// Reasons and suggestions, a line each.
  package let details: [String]
  /// Whether the request has to change, rather than the file.
  package let isUsageError: Bool
  /// The `errno` of a system call that failed.
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

  /// The database's reason for refusing a row.
  init(_ error: RepositoryError) { self.init(error.summary, details: [error.reason, error.suggestion]) }

  /// A problem of delimited text, and its position.
  init(_ error: CSVError, in file: String) {
    let line = error.line.map { ", line \($0)" } ?? ""
    let column = error.column.map { ", column \($0)" } ?? ""
    self.init(
      "\(file)\(line)\(column): \(Self.clause(error.summary))",
      details: [error.reason, error.suggestion].map { $0.map(Self.clause) } + Self.options(for: error))
  }

  /// Returns the options by which a file with such an error can be read.
  private static func options(for error: CSVError) -> [String] {
    switch error.code {
    case .wrongFieldCount: ["--pad accepts short records and extra empty fields"]
    case .emptyHeader where error.line == 1:
      [
        "--rename-columns names such a column",
        "--skip-lines skips lines before the header, such as a title",
      ]
    case .emptyHeader, .duplicateHeader: ["--rename-columns renames such a column"]
    case .textAfterQuote:
      [
        "--backslash reads \\\" within quotes as a quote",
        "--quote none reads quotes as letters; --quote C sets another quote character",
      ]
    case .quoteInUnquotedField, .unterminatedQuote:
      ["--quote none reads quotes as letters; --quote C sets another quote character"]
    case .invalidUTF8: ["--encoding sets another encoding, such as windows-1252"]
    default: []
    }
  }

  /// Returns the same error with its position before its summary.
  package func at(_ position: String) -> ImportError {
    ImportError("\(position): \(summary)", details: details, isUsageError: isUsageError)
  }

  /// Returns the same error with one more detail, unless that is `nil`.
  func adding(_ detail: String?) -> ImportError {
    ImportError(summary, details: details + [detail], isUsageError: isUsageError)
  }

  /// Returns a sentence as part of a message: it starts in lower case and ends without a full stop.
  private static func clause(_ sentence: String) -> String {
    let clause = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return clause.prefix(1).lowercased() + clause.dropFirst()
  }
}

/// A record that can't be imported, while others of its file can.
package struct BadRow: Error {
  package let error: ImportError

  package init(error: ImportError) {
    self.error = error
  }
}

/// Returns a name for a message, which is cut where it is long.
func shortName(_ name: String) -> String { VisibleText.name(name) }

/// Returns the start of the text in quotes, for messages.
func quoted(_ text: String) -> String { "\"\(excerpt(text))\"" }

/// Returns the start of the text, for messages: at most 32 characters.
func excerpt(_ text: String) -> String { VisibleText.excerpt(of: Array(text.utf8)[...]) }
