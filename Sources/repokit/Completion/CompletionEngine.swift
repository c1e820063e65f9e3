#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Query
import SQLiteStore

/// Finds the candidates for a word of a command line, from the descriptions of the commands and the database.
struct CompletionEngine {
  /// The available commands.
  let commands: [CommandDescription]
  /// The database that all commands use; `nil` where the line names one.
  var database: DatabaseLocation?
  /// The time limit for reading the values of a column.
  var timeLimit = CompletionTimeLimit.current.values

  /// The candidates for a word.
  ///
  /// - Parameters:
  ///   - current: the word as far as it is written.
  ///   - words: the words before it, the command's name first.
  func candidates(for current: String, after words: [String]) async -> Candidates {
    var rest = words[...]
    guard let name = rest.popFirst() else { return fitting(current, Self.names(of: commands)) }
    guard var command = commands.first(where: { $0.name == name }) else { return .none }
    while !command.subcommands.isEmpty {
      let parts = command.subcommands.map { database == nil ? $0.description : $0.description.inShell }
      guard let name = rest.popFirst() else { return fitting(current, Self.names(of: parts)) }
      guard let part = parts.first(where: { $0.name == name }) else { return .none }
      command = part
    }
    let line = PartialLine(rest, of: command)
    let context = Context(line: line, names: DatabaseNames(database ?? line.database, timeLimit: timeLimit))
    if let option = line.optionAwaitingValue {
      return await candidates(for: current, completion: option.completion, context)
    }
    if line.mayHaveOption, current.hasPrefix("-") { return await options(current, context) }
    guard let positional = line.nextPositional else { return .none }
    return await candidates(for: current, completion: positional.completion, context)
  }

  private struct Context {
    let line: PartialLine
    let names: DatabaseNames
    var table: String { line.table ?? "" }
  }

  private static func names(of commands: [CommandDescription]) -> [Candidate] {
    commands.map { Candidate(word: $0.name, label: $0.name, note: $0.summary) }
  }

  private func fitting(_ current: String, _ candidates: [Candidate]) -> Candidates {
    .words(candidates.filter { $0.word.lowercased().hasPrefix(current.lowercased()) })
  }

  private func options(_ current: String, _ context: Context) async -> Candidates {
    let parts = current.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count > 1 {
      guard let option = context.line.option(called: parts[0]), option.value != nil else { return .none }
      let found = await candidates(for: parts[1], completion: option.completion, context)
      guard case .words(let values) = found else { return found }
      return .words(
        values.map {
          Candidate(word: "\(parts[0])=\($0.word)", label: $0.label, note: $0.note, isComplete: $0.isComplete)
        })
    }
    return fitting(
      current, context.line.possibleOptions.map { Candidate(word: $0.name, label: $0.name, note: $0.help) })
  }

  private func candidates(
    for current: String, completion: Completion, _ context: Context
  ) async -> Candidates {
    switch completion {
    case .none: return .none
    case .file: return .files
    case .words(let words): return fitting(current, words.map { Candidate(word: $0, label: $0) })
    case .command:
      let topics = HelpTopic.all.map { Candidate(word: $0.name, label: $0.name, note: $0.summary) }
      return fitting(current, Self.names(of: commands) + topics)
    case .table: return fitting(current, context.names.tables.map { Candidate(word: $0, label: $0) })
    case .column:
      return fitting(current, columns(context).map { Candidate(word: $0.name, label: $0.name, note: $0.type.rawValue) })
    case .columns: return .words(await lists(current, context))
    case .expression: return .words(await expressions(current, context))
    case .query: return .words(await QueryCompletion(current, table: context.table, names: context.names).candidates())
    case .assignment: return fitting(current, columns(context).map(assignment))
    }
  }

  private func columns(_ context: Context) -> [ColumnSchema] { context.names.columns(of: context.table) }

  private func assignment(_ column: ColumnSchema) -> Candidate {
    Candidate(word: "\(column.name)=", label: "\(column.name)=", note: column.type.rawValue, isComplete: false)
  }

  /// The last name of a list between commas. A minus before a name, as for a sort, stays.
  private func lists(_ current: String, _ context: Context) async -> [Candidate] {
    var start = NameList.startOfLast(in: current)
    let listed = NameList.parse(String(current[..<start].dropLast())) ?? []
    while start < current.endIndex, current[start] == " " || current[start] == "-" {
      start = current.index(after: start)
    }
    let found = await expressions(String(current[start...]), context)
    return found.filter { !listed.contains(named: NameList.parse($0.label)?.first ?? "") }.map {
      Candidate(word: current[..<start] + $0.word, label: $0.label, note: $0.note, isComplete: false)
    }
  }

  /// A column or an expression.
  private func expressions(_ current: String, _ context: Context) async -> [Candidate] {
    await QueryCompletion(current, table: context.table, names: context.names, isExpression: true).candidates()
  }
}

/// The arguments of a command as far as they are written, without any errors.
struct PartialLine {
  private let command: CommandDescription
  private var options: [String] = []
  private var positionals: [String: String] = [:]
  /// The option whose value comes next.
  private(set) var optionAwaitingValue: OptionDescription?
  /// Whether the next word may be an option.
  private(set) var mayHaveOption = true
  /// The argument that the next word is, unless it is an option.
  private(set) var nextPositional: PositionalDescription?

  /// - Parameter words: the words after the command's name.
  init(_ words: ArraySlice<String>, of command: CommandDescription) {
    self.command = command
    var rest = command.positionals[...]
    for word in words {
      if optionAwaitingValue != nil {
        optionAwaitingValue = nil
      } else if mayHaveOption, word == "--" {
        mayHaveOption = false
      } else if mayHaveOption, word.hasPrefix("-"), word != "-" {
        guard let option = option(called: String(word.prefix { $0 != "=" })) else { continue }
        options.append(option.name)
        if option.value != nil, !word.contains("=") { optionAwaitingValue = option }
      } else if let positional = rest.first {
        positionals[positional.name] = word
        if !positional.isRepeated { rest.removeFirst() }
        // The table of a file of rows need not be named.
        if positional.takesFiles, InputArguments.isDataFile(word, hasFormat: false), let next = rest.first,
          next.completion == .table, !next.isOptional
        {
          positionals[next.name] = InputArguments.tableName(of: word)
          rest.removeFirst()
        }
      }
    }
    nextPositional = rest.first
  }

  /// The database that the line names.
  var database: DatabaseLocation? { positionals[PositionalDescription.database.name].map(DatabaseLocation.init) }

  /// The table that the line names.
  var table: String? {
    command.positionals.first { $0.completion == .table && positionals[$0.name] != nil }.flatMap {
      positionals[$0.name]
    }
  }

  /// The option with a name.
  func option(called word: String) -> OptionDescription? {
    command.allOptions.first { $0.isCalled(word) }
  }

  /// The options that may still be given.
  var possibleOptions: [OptionDescription] {
    let isFile = positionals[PositionalDescription.source.name].map { InputArguments.isDataFile($0, hasFormat: false) }
    return (isFile == true ? command.allOptions : command.options + CommonOptions.all).filter { option in
      (option.isRepeatable || !options.contains(option.name)) && !option.excluded.contains { options.contains($0) }
    }
  }
}

/// The candidates for a completion.
enum Candidates: Hashable {
  /// Some words.
  case words([Candidate])
  /// Files, which the shells complete better.
  case files

  static let none = Candidates.words([])
}

/// A candidate for a completion.
struct Candidate: Hashable {
  /// The whole word that replaces the unfinished one.
  let word: String
  /// The new part of the word, for a list of candidates.
  let label: String
  /// A description in a few words.
  var note = ""
  /// Whether the word is complete, so that another one follows it.
  var isComplete = true
}

/// The files whose paths start with a text.
struct FileNames {
  private let folder: String
  private let start: String

  init(startingWith path: String) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    (folder, start) = (String(path[..<slash]), String(path[slash...]))
  }

  /// The files in alphabetical order, folders with a slash; hidden ones where a dot is written.
  var candidates: [Candidate] {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name, name != ".", name != "..", name.hasPrefix(start) else { continue }
      if name.hasPrefix("."), start.isEmpty { continue }
      names.append(name)
    }
    return names.sorted().map { name in
      let isFolder = FileKind(ofPath: folder + name) == .directory
      let label = isFolder ? "\(name)/" : name
      return Candidate(word: folder + label, label: label, isComplete: !isFolder)
    }
  }
}
