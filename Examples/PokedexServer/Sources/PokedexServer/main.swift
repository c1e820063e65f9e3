import Foundation
import Hummingbird
import PokedexService

let environment = ProcessInfo.processInfo.environment
let csv = URL(filePath: #filePath).appending(path: "../../../../Pokedex/pokedex.csv").standardized.path()
let store = try Pokedex.store(
  connection: environment["POKEDEX_POSTGRES"], path: environment["POKEDEX_FILE"] ?? "pokedex.sqlite")
// One token from the environment; a real server looks it up.
let owners = environment["POKEDEX_TOKEN"].map { [$0: "trainer"] } ?? [:]
let service = try await Pokedex.service(over: store, fillingFrom: csv, owners: owners)
let port = environment["PORT"].flatMap { Int($0) } ?? 8080
// A client that begins a request and does not go on, or asks for nothing, is not waited for any longer than that; live
// results go on, as their requests were read.
let application = Application(
  responder: ServiceResponder(service), server: .http1(configuration: .init(idleTimeout: .seconds(30))),
  configuration: .init(address: .hostname("127.0.0.1", port: port)))
// Stops gracefully at an interrupt or a termination.
try await application.runService()
