import ErrorHandling
import Foundation
import PostgresStore
import Repository
import SQLiteStore

/// Reads the Pokémon into a database unless it holds some, answers one question, and ends.
@main
struct PokedexProgram {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      print(try await answer(to: arguments))
    } catch let error as UsageError {
      complain("pokedex: \(error)\nTry: pokedex help\n")
      exit(2)
    } catch {
      exit(await presenter.present(error))
    }
  }

  private static func answer(to arguments: Arguments) async throws -> String {
    if arguments.command == .help { return Arguments.help }
    let rows = try rows(in: arguments.database)
    let pokedex = Pokedex(AnyRepository(rows.retrying()))
    let isEmpty = try await DomainError.translating { () throws(RepositoryError) in try await rows.count() == 0 }
    if isEmpty || arguments.csvPath != nil {
      try await pokedex.add(try PokedexCSV.read(path: arguments.csvPath ?? PokedexCSV.bundledPath))
    }
    return switch arguments.command {
    case .highlights: PokedexText.highlights(try await pokedex.highlights())
    case .list(let filter, let sort, let limit):
      PokedexText.list(try await pokedex.list(filter, sortedBy: sort, limit: limit))
    case .show(let nameOrNumber): PokedexText.entry(try await pokedex.entry(nameOrNumber))
    case .help: Arguments.help
    }
  }

  /// The one place that knows what keeps the rows: memory, an SQLite file, or a PostgreSQL server by its URI.
  static func rows(in database: String?) throws(RepositoryError) -> AnyRepository<Pokemon> {
    guard let database else { return try SQLiteStore.inMemory().repository(of: Pokemon.self) }
    let store: any Store =
      database.hasPrefix("postgresql://") ? try PostgresStore(database) : try SQLiteStore(path: database)
    return try store.repository(of: Pokemon.self)
  }

  /// Shows errors on the terminal. There is nothing that it could ask.
  private static var presenter: ErrorPresenter {
    let style = TerminalStyle(
      isTerminal: isatty(STDERR_FILENO) == 1, isInteractive: false, environment: ProcessInfo.processInfo.environment)
    return ErrorPresenter(TerminalAlertPresenter(style: style, write: complain, readLine: { nil }))
  }

  @Sendable private static func complain(_ message: String) {
    FileHandle.standardError.write(Data(message.utf8))
  }
}
