import Foundation
import SQLiteStore
import TestSupport
import Testing

struct Pokemon: Entity {
  let id: Int
  var name: String
  var type: PokemonType
  var weight: Double?

  static let schema = Schema<Pokemon>(table: "pokemon") {
    Parameters(of: Pokemon.init)
    Column("id", \.id)
    Column("name", \.name, .unique)
    Column("type", \.type, .indexed)
    Column("weight", \.weight)
  }
}
enum PokemonType: String, Codable, ValueConvertible { case fire, grass, water }

func report(_ pokedex: AnyRepository<Pokemon>) async throws -> [String] {
  try await pokedex.save(Pokemon(id: 6, name: "Charizard", type: .fire, weight: 90.5))
  try await pokedex.save(Pokemon(id: 7, name: "Squirtle", type: .water, weight: nil))
  let heavy = try await pokedex.findAll(
    where: { $0.weight > 90 && $0.type != .water }, sortedBy: { $0.weight.descending })
  let means = try await pokedex.selection().grouped(by: \.type).aggregate(.average(\.weight))
  return heavy.map(\.name) + means.map { "\($0.key): \($0.values ?? 0)" }
}

struct Note: Entity {
  let id: Int?
  var pokemonID: Int
  var text: String

  static let pokemon = ToOne(\Note.pokemonID, to: Pokemon.self, onDelete: .cascade)
  static let schema = Schema<Note>(table: "note") {
    Parameters(of: Note.init)
    Column("id", \.id, .generated)
    Column("pokemon_id", \.pokemonID)
    Column("text", \.text)
  }.references(pokemon).unique(\.pokemonID, \.text).check("not empty") { $0.text != "" }
}

@Suite("The README tells the truth")
struct ReadmeTests {
  @Test("the example runs")
  func example() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pokedex.sqlite")
    let pokedex = try SQLiteStore(path: path).repository(of: Pokemon.self)
    let expected = ["Charizard", "fire: 90.5", "water: 0.0"]
    #expect(try await report(pokedex) == expected)
    #expect(try await report(AnyRepository(MemoryRepository())) == expected)  // no file: a test's repository
  }

  @Test("elements are written by query and as sequences, in both stores", arguments: [true, false])
  func writes(isInMemory: Bool) async throws {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let pokedex = try store.repository(of: Pokemon.self)
    let notes = try store.repository(of: Note.self)
    _ = try await report(pokedex)
    let note = try await notes.insert(Note(id: nil, pokemonID: 6, text: "hot"))
    let changed = try await notes.filter { $0.pokemon.name == "Charizard" }.update { $0.text = "very hot" }
    let written = try await notes.save(contentsOf: (1...5_000).lazy.map { Note(id: nil, pokemonID: 7, text: "\($0)") })
    #expect(note.id == 1 && changed == 1 && written == 5_000)
    #expect(try await pokedex.filter { $0.id == 7 }.delete() == 1)  // and the notes about it
    #expect(try await notes.count() == 1)
    try await store.transaction { _ in
      try await pokedex.save(Pokemon(id: 25, name: "Pikachu", type: .fire, weight: 6))
      try await notes.save(Note(id: nil, pokemonID: 25, text: "not fire"))  // both, or neither
    }
    var names: [String] = []
    for try await light in pokedex.filter({ $0.weight < 10 }).changes() { names = light.map(\.name); break }
    #expect(names == ["Pikachu"])
    #expect(try await notes.count() == 2)
  }

  @Test("a query is a value, a text and a closure")
  func forms() throws {
    let built = AnyQuery.greaterThan(key: "weight", value: 90.0) && .notEqual(key: "type", value: "water")
    let parsed = try AnyQuery(parsing: "weight > 90.0 and type != 'water'")
    let typed = AnyQuery(Pokemon.self) { $0.weight > 90 && $0.type != .water }
    #expect(built == parsed && parsed == typed && typed.description == "weight > 90.0 and type != 'water'")
  }

  @Test("its enum can stand in one of Foundation's predicates")
  func predicate() throws {
    let fire = PokemonType.fire
    #expect(try AnyQuery(#Predicate<Pokemon> { $0.type == fire }) == .equal(key: "type", value: "fire"))
  }

  @Test("a package depends on a checkout, with the trait or without", .tags(.slow), arguments: ["", ", traits: []"])
  func manifest(traits: String) async throws {
    let package = try TemporaryFolder()
    var manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App",
        dependencies: [.package(path: "../repository-kit")],
        targets: [
          .executableTarget(name: "App", dependencies: [.product(name: "SQLiteStore", package: "repository-kit")])
        ]
      )
      """
    manifest.replace("kit\")", with: "kit\"\(traits))", maxReplacements: 1)
    _ = try package.write(manifest.utf8, to: "Package.swift")
    let path = package.path
    let (status, output) = try await OwnThread.run { () throws -> (Int32, String) in
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["swift", "package", "--package-path", path, "dump-package"]
      process.standardOutput = pipe
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
    #expect(status == 0 && output.contains("\"SQLiteStore\""), "\(output)")
  }

  @Test("every line of Swift in it stands in this file, and it stays short")
  func snippets() throws {
    let article = try Article("README.md")
    let snippets = try article.snippets()
    #expect(snippets.count > 20 && snippets.missing.isEmpty)
    #expect(article.lineCount <= 185)
  }
}
