import Query

/// Completes the text that is written in the shell: commands and their arguments by ``CompletionEngine``, and the columns,
/// operators and values of a query by ``QueryCompletion``.
struct ShellCompletion {
  private let database: DatabaseLocation
  private let engine: CompletionEngine

  /// - Parameters:
  ///   - database: the shell's database.
  ///   - commands: the commands that a line may call.
  ///   - timeLimit: the time limit for reading the values of a column.
  init(database: DatabaseLocation, commands: CommandList, timeLimit: Duration = CompletionTimeLimit.current.values) {
    self.database = database
    engine = CompletionEngine(commands: commands.inShell, database: database, timeLimit: timeLimit)
  }

  /// The possible completions of the text before the cursor.
  func candidates(for text: String) async -> [(text: String, candidate: Candidate)] {
    let start =
      ShellText(text).rest?.text ?? text.split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init)
      ?? ""
    let before = String(text.dropLast(start.count))
    let words = ShellWords(start)
    guard let first = words.words.first, first.range.upperBound < words.scalars.count || words.words.count > 1 else {
      return starts(with: start).map { (before + $0.word + ($0.isComplete ? " " : ""), $0) }
    }
    let name = first.text.hasPrefix(".") ? String(first.text.dropFirst()) : first.text
    let own = await ownArguments(of: name, words)
    if let own { return own.map { (before + $0.text, $0.candidate) } }
    let isCommand = engine.commands.contains { $0.name == name }
    let (command, count) = command(named: name, words)
    if let query = ShellLine.openQuery(in: words, of: command, after: count) {
      return await inQuery(query.start, query.before, command, words).map { (before + $0.text, $0.candidate) }
    }
    var texts = words.words.map(\.text)
    if isCommand { texts[0] = name } else { texts.insert(command.name, at: 0) }
    let line = BashLine(start)
    let isInWord = line.words.count < words.words.count
    let found = await engine.candidates(for: line.current, after: isInWord ? texts.dropLast() : texts)
    let kept = isInWord ? words.source(0..<(words.words.last?.range.lowerBound ?? 0)) : start
    return Self.words(found, line).map { (before + kept + $0.text, $0.candidate) }
  }

  /// The command that a line calls, and the number of its words that name it: 0 where the line starts with a table.
  private func command(named name: String, _ words: ShellWords) -> (CommandDescription, count: Int) {
    guard var command = engine.commands.first(where: { $0.name == name }) else {
      return (QueryCommand.description.inShell, 0)
    }
    var count = 1
    for word in words.words.dropFirst() {
      guard let part = command.subcommands.first(where: { $0.description.name == word.text }) else { break }
      command = part.description.inShell
      count += 1
    }
    return (command, count)
  }

  /// Commands, tables and words that begin with a dot.
  private func starts(with typed: String) -> [Candidate] {
    let leading = String(typed.prefix { $0.isWhitespace })
    let word = ShellWords(typed).words.first?.text.lowercased() ?? ""
    let commands = engine.commands.map { ($0.name, $0.summary) }
    let own = word.hasPrefix(".") ? ShellHelp.ownCommands.map { ($0.name, $0.meaning) } : []
    let tables = DatabaseNames(database, timeLimit: engine.timeLimit).tables.map { ($0, "table") }
    return (commands + own + tables).filter { $0.0.lowercased().hasPrefix(word) }.map { name, note in
      Candidate(word: leading + Self.quoted(name), label: name, note: note)
    }
  }

  private static func quoted(_ name: String) -> String {
    ShellQuoting.quoted(name.unicodeScalars, by: nil) ?? name
  }

  /// The arguments of the shell's own commands; `nil` for others.
  private func ownArguments(
    of name: String, _ words: ShellWords
  ) async -> [(text: String, candidate: Candidate)]? {
    let line = BashLine(words.source(0..<words.scalars.count))
    let isInWord = line.words.count < words.words.count
    let kept = words.source(0..<(isInWord ? words.words.last?.range.lowerBound ?? 0 : words.scalars.count))
    let found: Candidates
    switch name {
    case "help": found = .words((engine.commands.map { Candidate(word: $0.name, label: $0.name, note: $0.summary) }))
    case "format":
      found = .words(FormatName.allCases.map { Candidate(word: $0.rawValue, label: $0.rawValue, note: $0.help) })
    case "open": found = .files
    default: return nil
    }
    guard case .words(let candidates) = found else {
      return Self.words(found, line).map { (kept + $0.text, $0.candidate) }
    }
    let fitting = candidates.filter { $0.word.hasPrefix(line.current) }
    return Self.words(.words(fitting), line).map { (kept + $0.text, $0.candidate) }
  }

  /// Candidates as they are written in a line of this shell.
  private static func words(_ found: Candidates, _ line: BashLine) -> [(text: String, candidate: Candidate)] {
    let candidates =
      switch found {
      case .words(let words): words
      case .files: FileNames(startingWith: line.current).candidates
      }
    return candidates.compactMap { candidate in
      line.wholeReplacement(candidate).map {
        ("\(line.opening)\($0)\(candidate.isComplete ? line.closing : "")", candidate)
      }
    }
  }

  private func inQuery(
    _ start: Int, _ before: [String], _ command: CommandDescription, _ words: ShellWords
  ) async -> [(text: String, candidate: Candidate)] {
    let query = words.source(start..<words.scalars.count)
    let kept = words.source(0..<start)
    // After the query, only options may begin with a dash.
    let lastWord = query.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    if lastWord.hasPrefix("-"), !query.hasSuffix(" ") {
      let found = await engine.candidates(
        for: lastWord, after: command.call.split(separator: " ").map(String.init) + before)
      let rest = kept + query.dropLast(lastWord.count)
      guard case .words(let options) = found else { return [] }
      return options.map { (rest + $0.word + ($0.isComplete ? " " : ""), $0) }
    }
    let table = PartialLine(before[...], of: command).table ?? ""
    let names = DatabaseNames(database, timeLimit: engine.timeLimit)
    return await QueryCompletion(query, table: table, names: names).candidates().map { (kept + $0.word, $0) }
  }
}
