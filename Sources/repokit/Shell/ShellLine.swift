/// A line of the shell, split into words. A query need not be quoted: all words up to the next option are one argument.
struct ShellLine {
  let words: ShellWords

  /// - Throws: ``Failure`` where a quote or a parenthesis has no end.
  init(_ line: String) throws(Failure) {
    // A semicolon at the end is allowed, as in SQL.
    let trimmed = ShellWords(line)
    var scalars = trimmed.scalars
    if trimmed.end == .complete {
      while let last = scalars.last, last.isShellBlank { scalars.removeLast() }
      if scalars.last == ";", ShellWords(scalars.dropLast()).end == .complete { scalars.removeLast() }
    }
    words = ShellWords(scalars)
    switch words.end {
    case .complete: break
    case .quoted(let quote, let place): throw Self.open("the quote \(quote)", at: place, in: words)
    case .parenthesized(let place): throw Self.open("the parenthesis (", at: place, in: words)
    case .escaped: throw Self.open("the backslash", at: words.scalars.count - 1, in: words)
    }
  }

  private static func open(_ what: String, at place: Int, in words: ShellWords) -> Failure {
    let start = words.scalars[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let end = words.scalars[place...].firstIndex(of: "\n") ?? words.scalars.count
    // An excerpt of the line, wide enough to recognise the position.
    let shown = max(start, place - 40)..<min(end, place + 30)
    let columns = TerminalText.columns(of: TerminalText.visible(words.source(shown.lowerBound..<place)))
    return Failure(
      "\(what) is not closed",
      details: [TerminalText.visible(words.source(shown)), String(repeating: " ", count: columns) + "^"],
      status: .usageError)
  }

  /// The arguments of a command.
  ///
  /// - Parameters:
  ///   - command: the command without its database.
  ///   - count: the number of words before them.
  func arguments(of command: CommandDescription, after count: Int) -> [String] {
    var arguments: [String] = []
    var rest = words.words.dropFirst(count)
    var places = command.positionals[...]
    while let word = rest.popFirst() {
      if word.text == "--" { return arguments + [word.text] + rest.map(\.text) }
      if let option = command.option(in: word) {
        arguments.append(word.text)
        if option.value != nil, !word.text.contains("="), let value = rest.popFirst() { arguments.append(value.text) }
      } else if word.startsOption {
        arguments.append(word.text)
      } else if places.count == 1, places.first?.completion == .query {
        var last = word
        while let next = rest.first, command.option(in: next) == nil, !next.startsOption {
          last = next
          rest.removeFirst()
        }
        let isOneQuoted = word.isQuoted && last == word
        arguments.append(isOneQuoted ? word.text : words.source(word.range.lowerBound..<last.range.upperBound))
        places.removeFirst()
      } else {
        if let place = places.first, !place.isRepeated { places.removeFirst() }
        arguments.append(word.text)
      }
    }
    return arguments
  }
}

extension ShellLine {
  /// Finds the query that contains the cursor, at the end of an unfinished line.
  ///
  /// - Returns: its position in the line's scalars, and the words before it; `nil` where the cursor is not in a query.
  static func openQuery(
    in words: ShellWords, of command: CommandDescription, after count: Int
  ) -> (start: Int, before: [String])? {
    var rest = words.words.dropFirst(count)
    var places = command.positionals[...]
    var before: [String] = []
    while let word = rest.popFirst() {
      let isCurrent = rest.isEmpty && word.range.upperBound == words.scalars.count
      if word.text == "--" { return nil }
      if let option = command.option(in: word) {
        if isCurrent { return nil }
        before.append(word.text)
        if option.value != nil, !word.text.contains("=") {
          guard let value = rest.popFirst(), !(rest.isEmpty && value.range.upperBound == words.scalars.count) else {
            return nil
          }
          before.append(value.text)
        }
      } else if places.count == 1, places.first?.completion == .query, !word.startsOption {
        let isStarted = word.range.upperBound > word.range.lowerBound + 1
        // An option behind the query ends it; the first dash of one is no query either.
        if rest.contains(where: { command.option(in: $0) != nil || $0.startsOption }) { return nil }
        let opening = words.scalars[word.range.lowerBound]
        let isOneQuoted = (opening == "\"" || opening == "'") && (word.isQuoted || isCurrent) && rest.isEmpty
        // A closed one is complete; an open one is completed as in any shell.
        return isOneQuoted && isStarted ? nil : (word.range.lowerBound, before)
      } else {
        if isCurrent { return nil }
        if !word.startsOption, let place = places.first, !place.isRepeated { places.removeFirst() }
        before.append(word.text)
      }
    }
    guard places.count == 1, places.first?.completion == .query else { return nil }
    return (words.scalars.count, before)
  }
}

extension ShellWords.Word {
  /// Whether the word can only be an option: a number may have a minus, too.
  fileprivate var startsOption: Bool { !isQuoted && text.hasPrefix("--") && text.count > 2 }
}

extension CommandDescription {
  /// The option that a word names.
  fileprivate func option(in word: ShellWords.Word) -> OptionDescription? {
    if word.isQuoted || !word.text.hasPrefix("-") { return nil }
    let name = String(word.text.prefix { $0 != "=" })
    return (options + CommonOptions.all).first { $0.isCalled(name) }
  }
}

/// A text with lines of the shell: each ends with a line feed that is not in quotes or parentheses, and
/// behind no backslash.
struct ShellText {
  /// A line, which may span several lines of the text.
  struct Line: Hashable {
    let text: String
    /// The number of the line in the text on which it starts, from 0.
    let number: Int
  }

  /// The lines that are complete.
  private(set) var lines: [Line] = []
  /// The unfinished line after the last of them.
  private(set) var rest: Line?

  init(_ text: String) {
    var gathered: String?
    var start = 0
    for (number, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if gathered == nil { start = number }
      let line = gathered.map { Self.joined($0, String(part)) } ?? String(part)
      if Self.isComment(line) || ShellWords(line).end == .complete {
        lines.append(Line(text: line, number: start))
        gathered = nil
      } else {
        gathered = line
      }
    }
    rest = gathered.map { Line(text: $0, number: start) }
  }

  /// Whether nothing is open at its end.
  var isComplete: Bool { rest == nil }

  /// Joins a line with its continuation. The backslash that continues it is removed.
  private static func joined(_ line: String, _ next: String) -> String {
    ShellWords(line).end == .escaped ? line.dropLast() + next : "\(line)\n\(next)"
  }

  /// Whether a line is blank or a comment.
  static func isComment(_ line: String) -> Bool {
    line.drop(while: \.isWhitespace).first.map { $0 == "#" } ?? true
  }
}
