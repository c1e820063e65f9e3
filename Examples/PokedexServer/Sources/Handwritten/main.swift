import Foundation
import Hummingbird
import PokedexService
import SQLiteStore

// One address of the server as it is written by hand, in the usual way of the framework: scripts/load.sh measures what the
// service takes beside it. The rows are those that the server has put into the file.

struct Answer: ResponseEncodable {
  let id: Int
  let name: String
  let type: String
  let second_type: String?
  let weight: Double
  let attack: Int
}

let environment = ProcessInfo.processInfo.environment
let pokedex = try SQLiteStore(path: environment["POKEDEX_FILE"] ?? "pokedex.sqlite").repository(of: Pokemon.self)
let port = environment["PORT"].flatMap { Int($0) } ?? 8081
let router = Router()
router.get("pokemon/:id") { _, context -> Answer in
  guard let id = context.parameters.get("id", as: Int.self), let found = try await pokedex.find(id) else {
    throw HTTPError(.notFound)
  }
  return Answer(
    id: found.id, name: found.name, type: found.type, second_type: found.secondType, weight: found.weight,
    attack: found.attack)
}
let application = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
try await application.runService()
