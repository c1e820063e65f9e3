/// The syntax of delimited text: the separator of fields, and the quoting of separators in a text.
package struct DelimitedSyntax: Hashable, Sendable {
  enum QuotingSyntax {
    /// Quotes around a text, in which a quote is doubled: RFC 4180; or no quotes.
    case quotes
    /// Escapes with a backslash, and `\N` for no value: https://www.postgresql.org/docs/current/sql-copy.html
    case backslashes
  }

  let delimiter: UInt8
  let quoting: QuotingSyntax
  let quote: UInt8?
  /// The byte before a quote, or before itself, within quotes; `nil` if only a quote is doubled.
  var escape: UInt8?
  /// Whether blanks may be between a delimiter and a quote.
  var allowsBlanks = false

  /// Returns the syntax of ``CSVWriter``.
  package static func csv(_ delimiter: CSVDelimiter = .comma) -> DelimitedSyntax {
    DelimitedSyntax(delimiter: delimiter.byte, quoting: .quotes, quote: .quote)
  }

  /// Returns the syntax of a file of other programs, with the quotes of its layout.
  package static func csv(_ delimiter: CSVDelimiter, _ layout: DelimitedLayout) -> DelimitedSyntax {
    DelimitedSyntax(
      delimiter: delimiter.byte, quoting: .quotes, quote: layout.quote,
      escape: layout.escapesQuotes ? .backslash : nil, allowsBlanks: layout.quote != nil)
  }

  /// The syntax of ``TSVWriter``.
  package static let tsv = DelimitedSyntax(delimiter: .tab, quoting: .backslashes, quote: nil)
}
