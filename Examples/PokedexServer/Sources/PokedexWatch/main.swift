import Foundation
import PokedexService
import WebStore

// Prints the heaviest Pokémon of a server, and again whenever they change: swift run pokedex-watch [URL]
let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
guard let url = URL(string: address), url.host() != nil else {
  FileHandle.standardError.write(Data("\(address) is no address of a server\n".utf8))
  exit(2)
}
do {
  let pokedex = try WebStore(url).repository(of: Pokemon.self)
  for try await heavy in pokedex.sorted(by: { $0.weight.descending }).prefix(3).changes() {
    let line = heavy.map { "\($0.name) \($0.weight) kg" }.joined(separator: ", ")
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
} catch {
  FileHandle.standardError.write(Data("\(address): \(error)\n".utf8))
  exit(1)
}
