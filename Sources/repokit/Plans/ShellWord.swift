/// Whole words as shells read them.
enum ShellWord {
  /// A word as it is where that is safe, and else in single quotes; `nil` for one that can't be shown on a line.
  static func quoted(_ word: String) -> String? {
    guard TerminalText.visible(word) == word else { return nil }
    if !word.isEmpty, ShellQuoting.isPlain(word.unicodeScalars) { return word }
    // A quote within ends the quotes, stands for itself behind a backslash, and begins them anew.
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A command; `nil` where one of its words can't be shown.
  static func line(_ words: [String]) -> String? {
    let quoted = words.compactMap(quoted)
    return quoted.count == words.count ? quoted.joined(separator: " ") : nil
  }
}
