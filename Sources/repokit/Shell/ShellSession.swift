import SQLiteStore

/// A database and what is done with it, line by line.
final class ShellSession {
  /// What is to happen after a line.
  enum Outcome {
    case goOn
    case leave
  }

  private(set) var database: DatabaseFile
  private(set) var settings: Settings
  private let usualFormat: FormatName?

  /// - Throws: ``Failure`` where the file is no database that can be read.
  init(_ database: DatabaseFile, _ settings: Settings) throws(Failure) {
    (self.database, self.settings) = (database, settings)
    usualFormat = settings.format
    _ = try Self.tableNames(of: database)
  }

  /// Does what a line asks for.
  ///
  /// - Throws: ``Failure`` or ``OutputError``, as commands do.
  func run(_ line: String) async throws -> Outcome {
    switch try ShellCall(line, isTable: { (try? Self.tableNames(of: database))?.contains($0) == true }) {
    case .nothing: break
    case .exit: return .leave
    case .help(let words):
      let text = try ShellHelp.text(for: words)
      try await Console.use(settings) { console in try console.print(text) }
    case .open(let path):
      let file = DatabaseFile(path)
      _ = try Self.tableNames(of: file)
      database = file
    case .format(let name): settings.format = try name.map(Self.format) ?? usualFormat
    case .command(let command, let words): try await run(command, words)
    }
    return .goOn
  }

  private func run(_ command: any Command.Type, _ words: [String]) async throws {
    if command == ShellCommand.self { throw Failure("this is the shell already", status: .misused) }
    let description = command.description.inShell
    let given = command.description.takesDatabase ? [PositionalDescription.database.name: database.path] : [:]
    let arguments = try ArgumentParser.parse(words[...], for: description, given: given)
    let settings = try settings.overridden(by: arguments)
    if arguments.wantsHelp {
      return try await Console.use(settings) { console in try console.print(description.help) }
    }
    let runnable = try command.init(arguments)
    try await Console.use(settings) { console in try await runnable.run(console) }
  }

  private static func format(_ name: String) throws(Failure) -> FormatName {
    if let format = FormatName(rawValue: name) { return format }
    throw Failure(
      "there is no format \(TerminalText.quoted(name))",
      details: [.among(FormatName.allCases.map(\.rawValue), nearestTo: name)], status: .misused)
  }

  private static func tableNames(of database: DatabaseFile) throws(Failure) -> [String] {
    let store = try database.open(.readOnly)
    return try Failure.translating { try store.tableNames() }
  }
}

extension ShellSession {
  /// What is said when a person comes.
  var greeting: String {
    let count = (try? Self.tableNames(of: database).count) ?? 0
    let tables = count == 1 ? "a table" : count == 0 ? "no tables" : "\(count) tables"
    return "\(TerminalText.visible(database.path)): \(tables). .help shows what can be written.\n"
  }

  /// What stands before a line.
  var prompt: String {
    let file = database.path.split(separator: "/").last.map(String.init) ?? database.path
    let name = [".sqlite", ".sqlite3", ".db", ".db3"].first { file.hasSuffix($0) && file.count > $0.count }
    let visible = TerminalText.visible(String(file.dropLast(name?.count ?? 0)))
    return (visible.count > 24 ? visible.prefix(23) + "…" : visible) + "> "
  }

  /// What stands before the lines after it.
  var continuation: String {
    let width = TerminalText.columns(of: prompt)
    return String(repeating: " ", count: max(0, width - 5)) + "...> "
  }
}
