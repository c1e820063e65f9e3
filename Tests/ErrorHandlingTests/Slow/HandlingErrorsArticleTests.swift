import ErrorHandling
import Foundation
import Repository
import Testing

enum PokedexError: FriendlyError, Hashable {
  case unknown(number: Int)
  case boxFull(count: Int)

  var summary: String {
    switch self {
    case .unknown(let number): "there is no Pokémon \(number)"
    case .boxFull: "the box is full"
    }
  }
  var reason: String? {
    switch self {
    case .unknown: nil
    case .boxFull(let count): "it holds \(count) Pokémon"
    }
  }
  var suggestion: String? {
    switch self {
    case .unknown: "numbers go from 1 to 151"
    case .boxFull: "release one, or choose another box"
    }
  }
}

private struct Pokemon: Entity {
  let id: Int
  var name: String

  static let schema = Schema<Pokemon>(table: "pokemon") {
    Parameters(of: Pokemon.init)
    Column("id", \.id)
    Column("name", \.name)
  }
}

private struct Starters: Repository {
  private let names = [1: "Bulbasaur", 4: "Charmander", 7: "Squirtle"]

  func find(_ id: Int) -> Pokemon? { names[id].map { Pokemon(id: id, name: $0) } }
  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Pokemon] { [] }
  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { names.count }
  func save(_ elements: [Pokemon]) throws(RepositoryError) {}
  func delete(_ ids: [Int]) throws(RepositoryError) -> Int { 0 }
}

private struct Entry {
  let title: String
}

private struct ShowEntry {
  let pokedex: AnyRepository<Pokemon>
  let translator: Translator<Pokemon, Entry>

  func callAsFunction(_ number: Int) async throws(DomainError) -> Entry {
    let row = try await DomainError.translating { try await pokedex.find(number) }
    guard let row else { throw DomainError(.notFound, "there is no Pokémon \(number)") }
    return try translator(row)
  }
}

@MainActor
private final class Screen {
  let flow: ErrorHandler
  let pokedex: AnyRepository<Pokemon>
  private(set) var titles: [String] = []

  init(below flow: ErrorHandler, _ pokedex: AnyRepository<Pokemon>) {
    (self.flow, self.pokedex) = (flow, pokedex)
  }

  lazy var errors = flow.catch(PokedexError.self, for: self) { screen, error in await screen.show(Alert(error)) }

  func load(_ number: Int) async -> Pokemon? {
    await errors.do { try await pokedex.get(number) }
  }

  func didPressKeep(count: Int) {
    errors.do { try check(count) }
  }

  private func check(_ count: Int) throws {
    if count > 30 { throw PokedexError.boxFull(count: count) }
  }

  private func show(_ alert: Alert) { titles.append(alert.title) }
}

@Suite("The article Handling errors tells the truth")
struct HandlingErrorsArticleTests {
  private let journal = Journal()

  @Test("friendly errors")
  func friendlyErrors() throws {
    let error = PokedexError.boxFull(count: 30)
    #expect(error.localizedDescription == "the box is full")

    let missing = #expect(throws: (any Error).self) { try Data(contentsOf: URL(filePath: "/no/pokedex.csv")) }
    let friendly = AnyFriendlyError(try #require(missing))
    #expect(friendly.chain.last?.summary == "No such file or directory")
    #expect(friendly.chain.last?.suggestion == "check the path")

    let busy = RepositoryError(.busy, "the Pokédex is busy")
    #expect(busy.suggestion == "try again in a moment")
  }

  @Test("operators")
  func operators() async throws {
    let journal = journal
    @Sendable func log(_ line: String) { journal.write(line) }
    let root = ErrorHandler().catch(RepositoryError.self) { error in log("reported: \(error.code.rawValue)") }
    let bulbasaur = Pokemon(id: 1, name: "Bulbasaur")
    let backup = try MemoryRepository([bulbasaur])
    let pokedex = try UnreliableRepository<Pokemon>(failing: .busy, .timeout, .corrupt, .full)

    let patient = pokedex.retrying(3, backoff: .exponential(from: .milliseconds(1)))
    let robust = patient.catching { error in error.code == .corrupt ? backup : nil }
    let watched = robust.logging { failure in log("\(failure)") }.reporting(to: root)

    #expect(try await watched.get(1).name == "Bulbasaur" && journal.lines == [])
    await #expect(throws: RepositoryError.self) { try await AnyRepository(watched).count() }
    #expect(journal.lines.first?.hasPrefix("count of Pokemon failed (full): ") == true)
    #expect(journal.lines.last == "reported: full")

    var results = pokedex.selection().changes().retrying(10, backoff: .none).makeAsyncIterator()
    #expect(try await results.next()?.count == 0)

    let charmander = Starters().find(4)
    #expect(charmander?.name == "Charmander")
  }

  @Test("layers")
  func layers() async throws {
    func read(_ file: URL) throws(RepositoryError) -> Data {
      do {
        return try Data(contentsOf: file)
      } catch {
        throw RepositoryError(InfrastructureError(error))
      }
    }
    let missing = #expect(throws: RepositoryError.self) { try read(URL(filePath: "/no/pokedex.csv")) }
    #expect(missing?.code == .cannotOpen && (missing?.underlying as? InfrastructureError)?.code == .missing)

    let translator = Translator<Pokemon, Entry> { row in
      if row.name.isEmpty { throw DomainError(.translationFailed, "No. \(row.id) has no name") }
      return Entry(title: "No. \(row.id)  \(row.name)")
    }
    let rows = [Pokemon(id: 6, name: "Charizard"), Pokemon(id: 7, name: "")]
    let busy = try UnreliableRepository(rows, failing: .busy).mappingErrors { error in
      RepositoryError(.busy, "the Pokédex is busy", underlying: error)
    }
    let showEntry = ShowEntry(pokedex: AnyRepository(busy), translator: translator)
    let journal = journal
    func print(_ line: String) { journal.write(line + "\n") }
    let terminal = TerminalAlertPresenter(style: .plain, write: { journal.write($0) }, readLine: { nil })
    for number in [6, 6, 7, 152] {
      do {
        print(try await showEntry(number).title)
      } catch {
        let error = PresentationError(error)
        if error.kind != .cancelled { try await terminal.present(Alert(error)) }
      }
    }
    #expect(
      journal.lines == [
        "The Pokédex is busy\n  Other tasks or programs used the store for longer than the timeout. Try again\n  in a moment.\n",
        "No. 6  Charizard\n", "No. 7 has no name\n", "There is no Pokémon 152\n",
      ])
  }

  @Test("the tree")
  @MainActor
  func tree() async throws {
    let journal = journal
    @Sendable func log(_ line: String) { journal.write(line) }

    let isDamaged = ErrorMatcher.type(RepositoryError.self) { $0.code == .corrupt || $0.code == .notADatabase }
    let isMissing = ErrorMatcher.type(RepositoryError.self) { $0.code == .notFound }

    let root = ErrorHandler(unhandled: { error in log("not handled: \(error)") })
      .listen { error in log("saw: \(AnyFriendlyError(error).summary)") }
      .catch(matching: .cancellation) { _ in }
      .catch(matching: isDamaged) { _ in log("restoring the backup") }
    let flow = root.replace(matching: isMissing) { _ in PokedexError.unknown(number: 152) }
    let screen = Screen(below: flow, try AnyRepository(MemoryRepository()))

    let pokemon = await screen.load(152)
    #expect(pokemon == nil && screen.titles == ["There is no Pokémon 152"])

    let isHandled = await screen.errors.throw(RepositoryError(.full, "the disk is full"))
    #expect(!isHandled)

    await screen.errors.throw(RepositoryError(.corrupt, "the Pokédex is damaged")) { isHandled in
      log(isHandled ? "done" : "still there")
    }
    #expect(
      journal.lines == [
        "saw: no Pokemon has this key", "saw: the disk is full",
        "not handled: the disk is full; the disk is full, or the store has reached a limit; free space, and try again",
        "saw: the Pokédex is damaged", "restoring the backup", "done",
      ])
    screen.didPressKeep(count: 3)
    #expect(screen.titles.count == 1)
  }

  @Test("without a handler at hand")
  func current() async throws {
    let journal = journal
    @Sendable func log(_ line: String) { journal.write(line) }
    let root = ErrorHandler().catch { error in log("caught: \(error)") }
    let pokedex = try AnyRepository(MemoryRepository<Pokemon>())

    @Sendable func refresh() async {
      do {
        _ = try await pokedex.get(25)
      } catch {
        await ErrorHandler.current?.throw(error)
      }
    }
    await root.asCurrent {
      async let one: Void = refresh()
      async let other: Void = refresh()
      _ = await (one, other)
    }
    #expect(journal.lines.count == 2)
  }

  @Test("rules")
  func rules() async {
    let journal = journal
    @Sendable func log(_ line: String) { journal.write(line) }
    @Sendable func show(_ error: any Error) { journal.write("shown: \(AnyFriendlyError(error).summary)") }

    let standard = ErrorRules()
      .onError(ofType: RepositoryError.self) { error in
        show(error)
        return .stop
      }
      .onNSError(domain: NSCocoaErrorDomain) { error in
        show(error)
        return .stop
      }
      .onNoMatch { error in
        log("unexpected: \(error)")
        return .next
      }
      .always { error in
        log("counted")
        return .next
      }
    let ofTheBox = standard.on(PokedexError.boxFull(count: 30)) { _ in
      log("another box is opened")
      return .stop
    }
    #expect(await ofTheBox.handle(PokedexError.boxFull(count: 30)))
    #expect(await standard.handle(PokedexError.boxFull(count: 30)) == false)
    let handler = ErrorHandler().catch(by: ofTheBox).catch(PokedexError.self) { show($0) }
    #expect(await handler.throw(PokedexError.unknown(number: 0)))
    #expect(
      journal.lines == [
        "another box is opened", "counted", "unexpected: boxFull(count: 30)", "counted",
        "unexpected: unknown(number: 0)", "counted", "shown: there is no Pokémon 0",
      ])
  }

  @Test("alerts")
  func alerts() async throws {
    let journal = journal
    let environment = ["TERM": "xterm", "NO_COLOR": "1"]

    let release = Recovery("Release All", isDestructive: true) { journal.write("released") }
    let alert = Alert(PokedexError.boxFull(count: 30), recovery: release)
    #expect(alert.title == "The box is full")
    #expect(alert.message == "It holds 30 Pokémon. Release one, or choose another box.")
    #expect(alert.buttons.map(\.name) == ["Cancel", "Release All"])

    let terminal = TerminalAlertPresenter(
      style: TerminalStyle(isTerminal: true, isInteractive: true, environment: environment),
      write: { text in journal.write(text) }, readLine: { "y" })
    try await terminal.present(alert)

    let root = ErrorHandler().present(on: terminal) { error in error is PokedexError ? release : nil }
    #expect(await root.throw(RepositoryError(.full, "the disk is full")))

    let shown = journal.lines.joined(separator: "").split(separator: "\n").map(String.init)
    #expect(
      shown == [
        "The box is full", "  It holds 30 Pokémon. Release one, or choose another box.",
        "Release All? [y/N] releasedThe disk is full",
        "  The disk is full, or the store has reached a limit. Free space, and try again.",
      ])
  }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let article = "Sources/ErrorHandling/ErrorHandling.docc/HandlingErrors.md"
    let lines = try Documents.unknownLines(ofArticle: article, in: #filePath)
    #expect(lines.unknown == [])
    #expect(lines.count > 100)
  }
}
