/// Whole words as shells read them.
enum ShellWord {
  /// A word as it is where that is safe, and else in single quotes; `nil` for one that can't be shown on a line.
  static func quoted(_ word: String) -> String? {
    guard let quoted = ShellQuoting.quoted(word.unicodeScalars, by: "'") else { return nil }
    return !word.isEmpty && ShellQuoting.isPlain(word.unicodeScalars) ? word : "'\(quoted)'"
  }

  /// A command; `nil` where one of its words can't be shown.
  static func line(_ words: [String]) -> String? {
    let quoted = words.compactMap(quoted)
    return quoted.count == words.count ? quoted.joined(separator: " ") : nil
  }
}
