/// Texts of errors as sentences: an error may be written as a part of a line of log, too.
enum Sentence {
  /// The text with a capital first letter, unless its first word is a name of code, such as `second_type` or `iOS`.
  static func capitalized(_ text: String) -> String {
    let word = text.prefix { !$0.isWhitespace }
    // The comma after a word, and the apostrophe within, belong to sentences.
    let bare = word.reversed().drop(while: \.isPunctuation)
    let isWord = bare.allSatisfy { $0.isLowercase || "'’-".contains($0) }
    return isWord ? text.prefix(1).uppercased() + text.dropFirst() : text
  }

  /// The text with a capital first letter and a full stop; nil where there is no text.
  static func complete(_ text: String) -> String? {
    guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    let last = text[end]
    let text = capitalized(String(text[...end]))
    return ".!?…:".contains(last) ? text : text + "."
  }
}
