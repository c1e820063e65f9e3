import Foundation
import Repository
import SQLiteStore

/// Reads the Pokémon into a database in memory, answers one question, and ends.
@main
struct PokedexProgram {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      print(try await answer(to: arguments))
    } catch let error as UsageError {
      fail("\(error)\nTry: pokedex help", status: 2)
    } catch let error as RepositoryError where error.code == .invalidQuery {
      fail("\(error)", status: 2)
    } catch {
      fail("\(error)", status: 1)
    }
  }

  private static func answer(to arguments: Arguments) async throws -> String {
    if arguments.command == .help { return Arguments.help }
    // The one place that knows what keeps the entries.
    let pokedex = Pokedex(try SQLiteStore.inMemory().repository())
    try await pokedex.add(try PokedexCSV.read(path: arguments.csvPath ?? PokedexCSV.bundledPath))
    return switch arguments.command {
    case .highlights: PokedexText.highlights(try await pokedex.highlights())
    case .list(let filter, let sort, let limit):
      PokedexText.list(try await pokedex.list(filter, sortedBy: sort, limit: limit))
    case .show(let nameOrNumber): PokedexText.entry(try await pokedex.entry(nameOrNumber))
    case .help: Arguments.help
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("pokedex: \(message)\n".utf8))
    exit(status)
  }
}
