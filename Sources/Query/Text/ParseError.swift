/// A text that is no query or no sort: where it goes wrong, and what to write instead.
///
/// ```swift
/// do {
///   _ = try AnyQuery(parsing: "weight between 1 100")
/// } catch {
///   print(error.summary)  // expected `and`, found `100`
///   print(error.caret)  // weight between 1 100
///                       //                  ^
///   print(error.suggestion ?? "")  // write `between 1 and 100`
/// }
/// ```
///
/// The error holds the text, and with it the values that somebody searched for.
public struct ParseError: Error, Hashable, Sendable {
  /// What was parsed.
  public let text: String
  /// Where the text goes wrong: the number of Unicode scalars before that place, as `text.unicodeScalars` counts them.
  ///
  /// Scalars and not characters, because a quote that is followed by a combining accent is one `Character`. Where more
  /// was expected, this is the end of the last word, and not the end of the white space after it. Where a quote is never
  /// closed, it is the place of that quote.
  public let position: Int
  /// What was expected there, such as "a value or a key".
  public let expected: String
  /// What stands there, such as "`)`" or "the end of the text"; shortened, and without control characters.
  public let found: String
  /// Why, where there is more to say.
  public let reason: String?
  /// What to do about it, where that is known.
  public let suggestion: String?
}

extension ParseError {
  /// What was expected and what was found, in one sentence.
  public var summary: String { "expected \(expected), found \(found)" }

  /// The line of the text that goes wrong and, on a second line, a `^` below the place.
  ///
  /// Made for terminals: it takes 72 columns at most, shows control characters as pictures, and counts two columns for
  /// the characters that take two, such as Japanese ones and emoji.
  public var caret: String { CaretLines(text: text, position: position).description }
}

extension ParseError: CustomStringConvertible {
  /// The summary, the position, the reason and the suggestion in one line.
  public var description: String {
    ["\(summary), at position \(position)", reason, suggestion].compactMap(\.self).joined(separator: "; ")
  }
}
