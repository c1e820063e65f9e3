import Query
import RowImport

/// Assigns the words of a command line to the arguments that a command describes.
///
/// Options may come before, between and after positional arguments, as `--name value` and `--name=value`; after `--`
/// there are none. A word that starts with `-` is the value of the option before it, if that takes one.
struct ArgumentParser {
  private let command: CommandDescription
  private let known: [OptionDescription]
  private var words: ArraySlice<String>
  private var positionals: [String: [String]] = [:]
  private var options: [(name: String, value: String)] = []
  /// Whether the line names the format of a file.
  private let hasFormat: Bool
  /// Returns the tables of a database, for the message about a missing table.
  private let tables: (String) -> [String]

  private init(
    _ words: ArraySlice<String>, for command: CommandDescription, given: [String: String],
    _ tables: @escaping (String) -> [String]
  ) {
    self.command = command
    self.tables = tables
    self.words = words
    positionals = given.mapValues { [$0] }
    known = command.allOptions
    hasFormat = words.contains { $0 == InputArguments.from.name || $0.hasPrefix(InputArguments.from.name + "=") }
  }

  /// Reads the words that follow the command's name.
  ///
  /// - Parameters:
  ///   - given: positional arguments that are known already, by their names; no word is read for them.
  ///   - tables: returns the tables of a database, for the message about a missing table.
  static func parse(
    _ words: ArraySlice<String>, for command: CommandDescription, given: [String: String] = [:],
    tables: @escaping (String) -> [String] = { _ in [] }
  ) throws(Failure) -> Arguments {
    var parser = ArgumentParser(words, for: command, given: given, tables)
    return try parser.parse()
  }

  private mutating func parse() throws(Failure) -> Arguments {
    var isOptionAllowed = true
    while let word = words.popFirst() {
      if isOptionAllowed, word == "--" {
        isOptionAllowed = false
      } else if isOptionAllowed, word == "-h" || word == "--help" {
        return Arguments(for: command, wantsHelp: true)
      } else if isOptionAllowed, word.hasPrefix("-"), word != "-" {
        try readOption(word)
      } else {
        try readPositional(word)
      }
    }
    for positional in command.positionals { fill(positional) }
    shiftOptionalArgument()
    acceptAllRows()
    takeOnlyTable()
    for positional in command.positionals where !positional.isOptional && positionals[positional.name] == nil {
      let source = command.positionals.first(where: \.takesFiles).flatMap { positionals[$0.name]?.first }
      let summary = "\(positional.name) is missing"
      if source == nil, ["WHERE", "KEY=VALUE"].contains(positional.name),
        let path = positionals[PositionalDescription.database.name]?.first, InputFormat(ofPath: path) != nil
      {
        throw Failure(
          "\(path) is a file of rows, and \(command.name) changes only databases",
          details: ["repokit import makes a database from the file"], status: .usageError)
      }
      if let known = source.flatMap(InputArguments.advice(onFile:)) ?? tablesAdvice(for: positional) {
        throw Failure(summary, details: [known], status: .usageError)
      }
      throw command.usageError(summary, suggestion: positional.advice)
    }
    for option in known where isGiven(option.name) {
      if let other = option.excluded.first(where: isGiven) {
        throw command.usageError("\(option.name) and \(other) can't be combined", reason: option.exclusionReason)
      }
    }
    return Arguments(for: command, positionals: positionals, options: options)
  }

  /// Gives the word of an optional argument to the required one after it, if there are too few words.
  private mutating func shiftOptionalArgument() {
    guard let last = command.positionals.last, !last.isOptional, positionals[last.name] == nil,
      let optional = command.positionals.dropLast().last, optional.isOptional
    else { return }
    positionals[last.name] = positionals.removeValue(forKey: optional.name)
  }

  /// Gives a command that only reads the only table of the database.
  private mutating func takeOnlyTable() {
    guard let source = command.positionals.first(where: \.takesFiles).flatMap({ positionals[$0.name]?.first }),
      let table = command.positionals.first(where: { $0.completion == .table && !$0.isOptional && !$0.isRepeated }),
      positionals[table.name] == nil
    else { return }
    let names = tables(source)
    if names.count == 1 { positionals[table.name] = names }
  }

  /// Gives a deletion of all rows, which an option confirms, its condition.
  private mutating func acceptAllRows() {
    let isCommandOfRows = command.positionals.last?.name == PositionalDescription.condition.name
    if isCommandOfRows, isGiven("--all"), positionals[PositionalDescription.condition.name] == nil {
      positionals[PositionalDescription.condition.name] = ["true"]
    }
  }

  /// Refuses the direction of an order as a word of its own, which would be read as another argument.
  private func checkOrder(_ option: OptionDescription, _ value: String) throws(Failure) {
    guard option.name == OptionDescription.sort.name, let next = words.first,
      ["asc", "desc"].contains(next.lowercased())
    else { return }
    throw command.usageError(
      "unexpected argument \(TerminalText.quoted(next))", suggestion: "write \(option.name) '\(value) \(next)'")
  }

  /// Returns the names of the tables of the database for a missing table; `nil` if the database can't be read.
  private func tablesAdvice(for positional: PositionalDescription) -> String? {
    guard positional.completion == .table, let database = positionals[PositionalDescription.database.name]?.first else {
      return nil
    }
    let names = tables(database)
    return names.isEmpty ? nil : "the \(names.count == 1 ? "table is" : "tables are") \(VisibleText.names(names))"
  }

  private func isGiven(_ name: String) -> Bool { options.contains { $0.name == name } }

  private func option(called word: String) -> OptionDescription? { known.first { $0.isCalled(word) } }

  private mutating func readPositional(_ word: String) throws(Failure) {
    let isFree = { (positional: PositionalDescription) in
      positional.isRepeated || self.positionals[positional.name] == nil
    }
    if let next = command.positionals.first(where: isFree), !isTable(word) { fill(next) }
    guard let positional = command.positionals.first(where: isFree) else {
      throw command.usageError("unexpected argument \(TerminalText.quoted(word))", suggestion: quotingAdvice)
    }
    if word.isEmpty, !positional.isOptional, !positional.mayBeEmpty {
      throw command.usageError("\(positional.name) is empty")
    }
    positionals[positional.name, default: []].append(word)
  }

  /// Sets an argument to the table of the file that is used as the database.
  private mutating func fill(_ positional: PositionalDescription) {
    guard positional.completion == .table, !positional.isOptional, positionals[positional.name] == nil, let file else {
      return
    }
    positionals[positional.name] = [InputArguments.tableName(of: file)]
  }

  /// The file that is used as the database, if any.
  private var file: String? {
    guard let source = command.positionals.first(where: \.takesFiles), let word = positionals[source.name]?.first,
      InputArguments.isDataFile(word, hasFormat: hasFormat)
    else { return nil }
    return word
  }

  /// Whether a word is the name of the table of a file.
  private func isTable(_ word: String) -> Bool {
    guard let file else { return false }
    let others = options.filter { $0.name == InputArguments.with.name }.map(\.value)
    let flag = InputArguments.with.name
    let later =
      zip(words, words.dropFirst()).filter { $0.0 == flag }.map(\.1)
      + words.filter { $0.hasPrefix(flag + "=") }.map { String($0.dropFirst(flag.count + 1)) }
    return ([InputArguments.File(file)] + (others + later).map(InputArguments.File.init(named:))).contains {
      Name($0.table) == word
    }
  }

  private mutating func readOption(_ word: String) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = option(called: parts[0]) else {
      throw command.usageError(
        "unknown option \(parts[0])",
        suggestion: ToolSynonyms.option(for: parts[0]) { name in known.contains { $0.name == name } }
          ?? .nearest(to: parts[0], among: known.map(\.name))
          ?? (word.contains(" ") ? "write an argument that starts with - after --" : nil))
    }
    if !option.isRepeatable, isGiven(option.name) { throw command.usageError("\(option.name) is given twice") }
    if !option.optionalWords.isEmpty { return try readOptionalWord(of: option, parts.count > 1 ? parts[1] : nil) }
    guard option.value != nil else {
      if parts.count > 1 { throw command.usageError("\(option.name) takes no value") }
      options.append((option.name, ""))
      return
    }
    let value = parts.count > 1 ? parts[1] : try readValue(of: option)
    try checkOrder(option, value)
    options.append((option.name, value))
  }

  /// Takes the word after an option if it is one that may follow.
  private mutating func readOptionalWord(of option: OptionDescription, _ given: String?) throws(Failure) {
    if let given, !option.optionalWords.contains(given) {
      throw command.usageError(
        "\(option.name): invalid value \(TerminalText.quoted(given))",
        suggestion: .among(option.optionalWords, nearestTo: given))
    }
    let next = words.first.flatMap { option.optionalWords.contains($0) ? $0 : nil }
    if given == nil, next != nil { words.removeFirst() }
    options.append((option.name, given ?? next ?? ""))
  }

  private mutating func readValue(of option: OptionDescription) throws(Failure) -> String {
    // Another option is a value that was forgotten; `--sort=--limit` is for a column of such a name.
    let isAbsent = words.first.map { $0 == "--" || self.option(called: optionName($0)) != nil } ?? true
    guard !isAbsent, let value = words.popFirst() else {
      throw command.usageError("\(option.name) needs a value")
    }
    return value
  }

  private func optionName(_ word: String) -> String {
    String(word.prefix { $0 != "=" })
  }

  /// A query that is not quoted falls apart into words.
  private var quotingAdvice: String? {
    command.positionals.last.flatMap { $0.isOptional ? "put \($0.name) in quotes to make it one argument" : nil }
  }
}
