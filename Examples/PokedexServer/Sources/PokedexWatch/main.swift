import Foundation
import PokedexService
import WebStore

// Prints the heaviest Pokémon of a server, and again whenever they change: swift run pokedex-watch [URL]
let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
guard let url = URL(string: address) else {
  FileHandle.standardError.write(Data("\(address) is no URL\n".utf8))
  exit(2)
}
let pokedex: AnyRepository<Pokemon> = try WebStore(url).repository()
for try await heavy in pokedex.changes(sortedBy: .descending(\.weight), limit: 3) {
  print(heavy.map { "\($0.name) \($0.weight) kg" }.joined(separator: ", "))
}
