/// How a key is written: as it is where that can only be this key, and else in double quotes.
package enum KeySpelling {
  package static func spell(_ key: String) -> String {
    isPlain(key) ? key : quote(key, with: "\"")
  }

  /// Whether a key is an identifier and no reserved word.
  private static func isPlain(_ key: String) -> Bool {
    let scalars = key.unicodeScalars
    guard let first = scalars.first, first.startsIdentifier, scalars.allSatisfy(\.continuesIdentifier) else {
      return false
    }
    return Keyword(word: Array(key.utf8)[...])?.isReserved != true
  }

  /// Puts quotes around a text and doubles those within.
  package static func quote(_ text: String, with quote: Unicode.Scalar) -> String {
    // As nearly always.
    if quote.isASCII, !text.utf8.contains(UInt8(truncatingIfNeeded: quote.value)) { return "\(quote)\(text)\(quote)" }
    var quoted = String(quote)
    quoted.reserveCapacity(text.utf8.count + 2)
    // By scalars: a quote that is followed by a combining accent is another `Character`, and has to be doubled too.
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == quote { quoted.unicodeScalars.append(quote) }
    }
    quoted.unicodeScalars.append(quote)
    return quoted
  }
}
