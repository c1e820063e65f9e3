/// A line of bash that is completed, and how a candidate is put into it.
///
/// Readline replaces a part of the unparsed line, without any quoting of its own: the text after an open quote, or else
/// after the last word break. https://tiswww.case.edu/php/chet/readline/readline.html#Custom-Completers
struct BashLine {
  /// The words before the one that is completed, without quotes; the program's own name is the first.
  let words: [String]
  /// The word that is completed, as far as it is written.
  let current: String
  /// The start of ``current`` that readline keeps.
  private let kept: String
  /// The quote that is open.
  fileprivate let quote: Unicode.Scalar?
  /// Whether readline could be told what to put in.
  private let isClear: Bool

  /// - Parameters:
  ///   - line: the line up to the cursor.
  ///   - breaks: the characters that break words, `COMP_WORDBREAKS`.
  init(_ line: String, breaks: String = "") {
    let split = ShellWords(line)
    let scalars = split.scalars
    var start = scalars.count
    if let last = split.words.last, last.range.upperBound == scalars.count {
      words = split.words.dropLast().map(\.text)
      current = last.text
      if case .quoted(let quote, let opening) = split.end {
        self.quote = quote
        start = opening + 1
      } else {
        quote = nil
        let breaks = Set(breaks.unicodeScalars)
        while start > last.range.lowerBound, !breaks.contains(scalars[start - 1]) { start -= 1 }
      }
      kept = ShellWords(Array(scalars[last.range.lowerBound..<start])).words.last?.text ?? ""
      isClear = split.end != .escaped && !(quote == nil && scalars[start...].contains { $0 == "'" || $0 == "\"" })
    } else {
      words = split.words.map(\.text)
      (current, kept, quote, isClear) = ("", "", nil, split.end == .complete)
    }
  }

  /// The text that readline is to insert; `nil` for a candidate that can't be written there safely.
  func replacement(_ candidate: Candidate) -> String? {
    guard isClear, candidate.word.unicodeScalars.starts(with: kept.unicodeScalars) else { return nil }
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: candidate.word.unicodeScalars.dropFirst(kept.unicodeScalars.count))
    // A word with a blank that goes on is easier to go on with in quotes.
    let opened: Unicode.Scalar? = quote ?? (candidate.isComplete || ShellQuoting.isPlain(rest) ? nil : "\"")
    guard let text = ShellQuoting.quoted(rest, by: opened) else { return nil }
    let opening = quote == nil ? opened.map { String($0) } ?? "" : ""
    return opening + text + (candidate.isComplete ? (quote.map { String($0) } ?? "") + " " : "")
  }
}

extension BashLine {
  /// The whole word, replaced by a candidate, for zsh, which replaces the whole word and keeps an open quote.
  func wholeReplacement(_ candidate: Candidate) -> String? {
    let rest = candidate.word.unicodeScalars
    let opened: Unicode.Scalar? = quote ?? (candidate.isComplete || ShellQuoting.isPlain(rest) ? nil : "\"")
    guard let text = ShellQuoting.quoted(rest, by: opened) else { return nil }
    return (quote == nil && opened != nil ? "\"" : "") + text
  }
}

extension BashLine {
  /// The quote before the word, and the text that ends the word.
  var opening: String { quote.map { String($0) } ?? "" }
  var closing: String { opening + " " }
}
