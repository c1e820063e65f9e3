import Query

/// Finds out what may stand next on a command line, from the descriptions of the commands and what is in the database.
struct CompletionEngine {
  /// What can be called.
  let commands: [CommandDescription]
  /// The database that every command is about; `nil` where the line names one.
  var database: String?
  /// How long the values of a column are looked for.
  var patience = CompletionPatience.current.values

  /// What may stand in the place of a word.
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
    let context = Context(line: line, names: DatabaseNames(path: database ?? line.database, patience: patience))
    if let option = line.openOption { return await candidates(for: current, completion: option.completion, context) }
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
    case .command: return fitting(current, Self.names(of: commands))
    case .table: return fitting(current, context.names.tables.map { Candidate(word: $0, label: $0) })
    case .column:
      return fitting(current, columns(context).map { Candidate(word: $0.name, label: $0.name, note: $0.type.rawValue) })
    case .columns: return .words(lists(current, context))
    case .query: return .words(await QueryCompletion(current, table: context.table, names: context.names).candidates())
    case .assignment: return fitting(current, columns(context).map(assignment))
    }
  }

  private func columns(_ context: Context) -> [ColumnSchema] { context.names.columns(of: context.table) }

  private func assignment(_ column: ColumnSchema) -> Candidate {
    Candidate(word: "\(column.name)=", label: "\(column.name)=", note: column.type.rawValue, isComplete: false)
  }

  /// The last name of a list between commas. A minus before a name, as for a sort, stays.
  private func lists(_ current: String, _ context: Context) -> [Candidate] {
    var start = current.startIndex
    var isQuoted = false
    for index in current.indices {
      if current[index] == "\"" { isQuoted.toggle() }
      if current[index] == ",", !isQuoted { start = current.index(after: index) }
    }
    let listed = Set(NameList.parse(String(current[..<start].dropLast())) ?? [])
    while start < current.endIndex, current[start] == " " || current[start] == "-" {
      start = current.index(after: start)
    }
    let typed = current[start...].lowercased()
    return columns(context).compactMap { column in
      let name = KeySpelling.spell(column.name)
      let fits = [name, column.name].contains { $0.lowercased().hasPrefix(typed) }
      if !fits || listed.contains(column.name) { return nil }
      return Candidate(
        word: current[..<start] + name, label: name, note: column.type.rawValue, isComplete: false)
    }
  }
}
