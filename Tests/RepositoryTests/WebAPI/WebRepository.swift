import Foundation
import Repository

/// What a program has that keeps its elements on a server: a repository that sends requests as URLs and reads JSON.
struct WebRepository<Element: Entity & Codable>: Repository where Element.ID == Int {
  private let server: WebServer<Element>
  private let table: TableSchema

  init(_ server: WebServer<Element>) throws(RepositoryError) {
    self.server = server
    table = try Element.schema.table()
  }

  func find(_ id: Int) async throws(RepositoryError) -> Element? {
    let response = await server.respond(to: "GET", "/elements/\(id)")
    return response.status == 404 ? nil : try decode(response)
  }

  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    _ = try table.resolve(request)  // refuses what no store answers, with the errors that all stores share
    return try decode(await server.respond(to: "GET", try url("/elements", request)))
  }

  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    _ = try table.resolve(query)
    return try decode(await server.respond(to: "GET", try url("/elements/count", FetchRequest(query))))
  }

  func save(_ elements: [Element]) async throws(RepositoryError) {
    if elements.count > 1 { throw RepositoryError(.unsupported, "the server takes one element at a time") }
    for element in elements {
      _ = try Element.schema.row(from: element, in: table)  // refuses what no store can hold
      guard let body = try? WebJSON.encoder.encode(element) else {
        throw RepositoryError(.invalidValue, "this element can't be written as JSON")
      }
      try check(await server.respond(to: "PUT", "/elements/\(element.id)", body: body))
    }
  }

  func delete(_ ids: [Int]) async throws(RepositoryError) -> Int {
    if ids.count > 1 { throw RepositoryError(.unsupported, "the server deletes one element at a time") }
    guard let id = ids.first else { return 0 }
    let response = await server.respond(to: "DELETE", "/elements/\(id)")
    if response.status == 404 { return 0 }
    try check(response)
    return 1
  }

  private func url(_ path: String, _ request: FetchRequest) throws(RepositoryError) -> String {
    var components = URLComponents()
    components.path = path
    do throws(JSONCodingError) {
      components.percentEncodedQueryItems = try request.percentEncodedQueryItems
    } catch {
      throw RepositoryError(.unsupported, "this request can't be sent", reason: error.summary, underlying: error)
    }
    return components.string ?? path
  }

  private func decode<Answer: Decodable>(_ response: WebServer<Element>.Response) throws(RepositoryError) -> Answer {
    try check(response)
    do {
      return try WebJSON.decoder.decode(Answer.self, from: response.body)
    } catch {
      throw RepositoryError(.unreadableRow, "can't read the server's answer", underlying: error)
    }
  }

  private func check(_ response: WebServer<Element>.Response) throws(RepositoryError) {
    let codes: [Int: RepositoryError.Code] = [409: .conflict, 414: .unsupported, 501: .unsupported]
    if (200..<300).contains(response.status) { return }
    throw RepositoryError(
      codes[response.status] ?? .storeFailure, String(decoding: response.body, as: UTF8.self),
      storeCode: response.status)
  }
}

/// What the pretended web API keeps.
struct WebPokemon: Entity, Hashable, Codable {
  let id: Int
  var name: String
  var type: String
  var second: String?
  var weight: Double?
  var attack: Int
  var defense: Int

  static let schema = Schema(
    "pokemon", WebPokemon.init, Column("id", \.id), Column("name", \.name, .unique), Column("type", \.type),
    Column("second", \.second), Column("weight", \.weight), Column("attack", \.attack), Column("defense", \.defense))

  static let samples = [
    WebPokemon(id: 1, name: "Bulbasaur", type: "grass", second: "poison", weight: 6.9, attack: 49, defense: 49),
    WebPokemon(id: 6, name: "Charizard", type: "fire", second: "flying", weight: 90.5, attack: 84, defense: 78),
    WebPokemon(id: 7, name: "Squirtle", type: "water", second: nil, weight: nil, attack: 48, defense: 65),
    WebPokemon(id: 25, name: "Pikachu", type: "electric", second: nil, weight: 6, attack: 55, defense: 40),
    WebPokemon(id: 29, name: "Nidoran♀", type: "poison", second: nil, weight: 7, attack: 47, defense: 52),
    WebPokemon(id: 150, name: "Flabébé", type: "psychic", second: "water", weight: 122, attack: 110, defense: 90),
  ]
}
