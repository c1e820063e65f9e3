#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The tool: finds the command, runs it, and reports how it ended.
@main
enum Repokit {
  static let version = "0.1.0"

  static func main() async {
    StandardStreams.prepare()
    exit(await run(CommandLine.arguments.dropFirst()).rawValue)
  }

  private static func run(_ words: ArraySlice<String>) async -> ExitStatus {
    var settings = Settings()
    do {
      try await runCommand(words, &settings)
      return .done
    } catch OutputError.readerClosed {
      return .done
    } catch OutputError.failure(let failure) {
      return end(failure, settings)
    } catch {
      return end(Failure(translating: error), settings)
    }
  }

  private static func runCommand(_ words: ArraySlice<String>, _ settings: inout Settings) async throws {
    // An unfinished line may contain anything, and the user has not run it yet.
    if words.first != CompleteCommand.description.name {
      try ArgumentEncoding.check()
      try OpenFileLimit.check()
    }
    guard let first = words.first else {
      StandardStreams.report(Overview.help)
      throw Failure("a command is missing", status: .usageError)
    }
    switch first {
    case "-h", "--help": try await Console.use(settings) { console in try console.print(Overview.help) }
    case "--version": try await Console.use(settings) { console in try console.print("repokit \(version)\n") }
    default:
      var rest = words
      let command = try CommandList.repokit.takeCommand(from: &rest)
      let arguments = try ArgumentParser.parse(rest, for: command.description, tables: DatabaseNames.tables)
      // How failures are shown, also those of the file.
      settings = try settings.overridden(by: arguments)
      // Help is available even where the configuration is invalid.
      if arguments.wantsHelp {
        return try await Console.use(settings) { console in try console.print(command.description.help) }
      }
      // Errors are not reported while a line is completed.
      if command == CompleteCommand.self { return try await CompleteCommand(arguments).run(Console()) }
      settings = try ConfigurationFile.standard?.settings().overridden(by: arguments) ?? settings
      let runnable = try command.init(try SearchPath.resolving(arguments))
      try await Console.use(settings) { console in try await runnable.run(console) }
    }
  }

  private static func end(_ failure: Failure, _ settings: Settings) -> ExitStatus {
    StandardStreams.report(
      failure.message(style: StandardStreams.messageStyle(settings.color), isVerbose: settings.isVerbose))
    Interruption.resume()
    return failure.status
  }
}

extension CommandList {
  /// The commands of the tool, in the order of the help.
  static let repokit = CommandList(
    sections: [
      (
        "Look",
        [
          TablesCommand.self, SchemaCommand.self, DescribeCommand.self, QueryCommand.self, CountCommand.self,
          GroupCommand.self, ExplainCommand.self, WatchCommand.self,
        ]
      ),
      ("Change", [ImportCommand.self, InsertCommand.self, SetCommand.self, DeleteCommand.self]),
      ("Build", [TableCommand.self, ColumnCommand.self, IndexCommand.self, ViewCommand.self]),
      (
        "Keep",
        [
          ExportCommand.self, BackupCommand.self, DumpCommand.self, CopyCommand.self, DiffCommand.self,
          CheckCommand.self, VacuumCommand.self,
        ]
      ),
      ("More", [ShellCommand.self, CompletionsCommand.self, HelpCommand.self]),
    ],
    hidden: [CompleteCommand.self])
}
