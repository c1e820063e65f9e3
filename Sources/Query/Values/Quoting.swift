/// The quoting of names and texts.
package enum Quoting {
  /// Puts quotes around a text and doubles those within.
  package static func quote(_ text: String, with quote: Unicode.Scalar) -> String {
    // Most texts contain no quote.
    if quote.isASCII, !text.utf8.contains(UInt8(truncatingIfNeeded: quote.value)) { return "\(quote)\(text)\(quote)" }
    var quoted = String(quote)
    quoted.reserveCapacity(text.utf8.count + 2)
    // Scalars are compared, because a quote with a combining accent is another `Character`, and has to be doubled too.
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == quote { quoted.unicodeScalars.append(quote) }
    }
    quoted.unicodeScalars.append(quote)
    return quoted
  }
}

extension String {
  /// The text in parentheses.
  package var inParentheses: String { "(\(self))" }
}
