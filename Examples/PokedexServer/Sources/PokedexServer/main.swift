import Foundation
import Hummingbird
import PokedexService

let environment = ProcessInfo.processInfo.environment
let csv = URL(filePath: #filePath).appending(path: "../../../../Pokedex/pokedex.csv").standardized.path()
guard let port = Int(environment["PORT"] ?? "8080"), (0...65_535).contains(port) else {
  FileHandle.standardError.write(Data("PORT is no number from 0 to 65535\n".utf8))
  exit(2)
}
do {
  let store = try Pokedex.store(
    connection: environment["POKEDEX_POSTGRES"], path: environment["POKEDEX_FILE"] ?? "pokedex.sqlite")
  // One token from the environment; a real server looks it up.
  let owners = environment["POKEDEX_TOKEN"].map { [$0: "trainer"] } ?? [:]
  let service = try await Pokedex.service(over: store, fillingFrom: csv, owners: owners)
  // A client that begins a request and does not go on, or asks for nothing, is not waited for any longer than that; live
  // results go on, as their requests were read.
  let application = Application(
    responder: ServiceResponder(service), server: .http1(configuration: .init(idleTimeout: .seconds(30))),
    configuration: .init(address: .hostname("127.0.0.1", port: port)))
  // Stops gracefully at an interrupt or a termination.
  try await application.runService()
} catch {
  FileHandle.standardError.write(Data("The server can't start or go on: \(error)\n".utf8))
  exit(1)
}
