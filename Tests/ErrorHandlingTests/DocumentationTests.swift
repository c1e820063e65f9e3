import ErrorHandling
import Foundation
import Testing

// As the comments show it, which is shorter than the layout of other code.
// swift-format-ignore
enum TrainerError: FriendlyError, Hashable {
  case boxFull(count: Int)

  var summary: String { "the box is full" }
  var reason: String? { switch self { case .boxFull(let count): "it holds \(count) Pokémon" } }
  var suggestion: String? { "release one, or choose another box" }
}

struct BadgeError: DetailedError {
  let details: ErrorDetails
}

private enum SessionError: Error {
  case expired, timeout
}

// swift-format-ignore
@Suite("The examples in comments run")
struct DocumentationTests {
  private let journal = Journal()

  private func log(_ line: String) { journal.write(line) }
  private func show(_ error: any Error) async { journal.write("shown: \(AnyFriendlyError(error).summary)") }
  private func showPlainly(_ error: any Error) async { journal.write("shown plainly: \(error)") }
  private func restart() async { journal.write("restarted") }
  private func retry() async { journal.write("again") }
  private func connect() throws { throw SessionError.timeout }
  private func openAnotherBox() async { journal.write("another box") }
  private func releaseAll() async throws { journal.write("released") }

  @Test("of a tree")
  func tree() async throws {
    let root = ErrorHandler()
      .listen { error in log("\(error)") }
      .catch(SessionError.expired) { _ in await restart() }
    let flow = root.catch(TrainerError.self) { error in await show(error) }
    let screen = flow.catch { error in await showPlainly(error) }

    await screen.throw(SessionError.expired)  // the root's: neither flow nor screen hear of it
    await screen.throw(TrainerError.boxFull(count: 1))
    await screen.throw(SessionError.timeout)
    let error: any Error = SessionError.expired
    await screen.asCurrent {
      await ErrorHandler.current?.throw(error)
    }
    #expect(
      journal.lines == [
        "expired", "restarted", "boxFull(count: 1)", "shown: the box is full", "timeout", "shown plainly: timeout",
        "expired", "restarted",
      ])
  }

  private struct Pokedex {
    func get(_ id: Int) async throws -> String { "Charizard" }
  }

  private final class Screen: @unchecked Sendable {
    let flow = ErrorHandler()
    let journal = Journal()
    func show(_ alert: Alert) async { journal.write(alert.title) }
    lazy var errors = flow.catch(for: self) { screen, error in await screen.show(Alert(error)) }
  }

  @Test("of a section, and of a screen that holds its handler")
  func sections() async throws {
    let (screen, pokedex) = (ErrorHandler(), Pokedex())
    let charizard = await screen.do { try await pokedex.get(6) }
    #expect(charizard == "Charizard")
    let box = Screen()
    await box.errors.throw(TrainerError.boxFull(count: 1))
    #expect(box.journal.lines == ["The box is full"])
  }

  @Test("of matchers")
  func matchers() async throws {
    let isTransient = ErrorMatcher.value(SessionError.timeout) || .nsError(domain: NSPOSIXErrorDomain, code: 11)
    let root = ErrorHandler().catch(matching: !isTransient && !.cancellation) { error in await show(error) }

    do { try connect() } catch isTransient { await retry() }
    await root.throw(SessionError.timeout)
    await root.throw(TrainerError.boxFull(count: 1))
    #expect(journal.lines == ["again", "shown: the box is full"])
  }

  @Test("of rules")
  func rules() async {
    let standard = ErrorRules()
      .onError(ofType: TrainerError.self) { error in await show(error); return .stop }
      .onNoMatch { error in await show(error); return .stop }
      .always { error in log("\(error)"); return .next }
    let ofTheBox = standard.on(TrainerError.boxFull(count: 30)) { _ in await openAnotherBox(); return .stop }
    await ofTheBox.handle(TrainerError.boxFull(count: 30))
    await ofTheBox.handle(TrainerError.boxFull(count: 7))
    #expect(
      journal.lines == ["another box", "boxFull(count: 30)", "shown: the box is full", "boxFull(count: 7)"])
  }

  @Test("of alerts and recoveries")
  func alerts() async throws {
    let recovery = Recovery("Choose Another Box") { await openAnotherBox() }
    let alert = Alert(TrainerError.boxFull(count: 30), recovery: recovery)
    #expect(alert.title == "The box is full")
    #expect(alert.message == "It holds 30 Pokémon. Release one, or choose another box.")
    #expect(alert.buttons.map(\.name) == ["Choose Another Box", "Cancel"])
    try await recovery.perform()
    do {
      let recovery = Recovery("Release All", isDestructive: true) { try await releaseAll() }
      try await recovery.perform()
    }
    #expect(journal.lines == ["another box", "released"])
  }

  @Test("of foreign errors")
  func foreign() {
    let path = "/no/such/file"
    func print(_ error: AnyFriendlyError) { journal.write(error.chain.last?.summary ?? "") }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print(AnyFriendlyError(error))
    }
    #expect(journal.lines.count == 1)
  }

  @Test("of layers")
  func layers() throws {
    let error = InfrastructureError(CocoaError(.fileWriteOutOfSpace))
    #expect(error.code == .diskFull)

    let url = URL(filePath: #filePath)
    let notes = try InfrastructureError.translating("the notes can't be read") { try Data(contentsOf: url) }
    #expect(!notes.isEmpty)

    struct Row { let name: String; let badges: Int }
    struct Trainer { let name: String; let badges: Int }
    enum TrainerError: Error { case badges(Int) }
    let translator = Translator<Row, Trainer> { row in
      guard row.badges >= 0 else { throw TrainerError.badges(row.badges) }
      return Trainer(name: row.name, badges: row.badges)
    }
    let trainer = try translator(Row(name: "Red", badges: 8))
    #expect(trainer.badges == 8)
    #expect(throws: DomainError.self) { try translator(Row(name: "Blue", badges: -1)) }
  }

  @Test("of the details of an error")
  func details() {
    let error = BadgeError(details: ErrorDetails("a badge is missing", suggestion: "win it first"))
    #expect(error.description == "a badge is missing; win it first" && error.reason == nil)
    #expect(ErrorDetails(error) == error.details)
  }

  @Test("each line of them stands in this file")
  func lines() throws {
    for (folder, count) in [("Sources/ErrorHandling", 24), ("Sources/ErrorDetails", 10)] {
      let lines = try Documents.unknownLines(ofComments: folder, in: #filePath)
      #expect(lines.unknown == [])
      #expect(lines.count >= count)
    }
  }
}

/// The lines of Swift that documentation shows, and those of a test that runs them.
enum Documents {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The lines of Swift in an article that stand in no line of a test's file.
  static func unknownLines(ofArticle article: String, in test: StaticString) throws -> (unknown: [String], count: Int) {
    try unknown(lines(of: article), in: test)
  }

  /// The lines of Swift in the comments of all files of a folder that stand in no line of a test's file.
  static func unknownLines(ofComments folder: String, in test: StaticString) throws -> (unknown: [String], count: Int) {
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
    let comments = try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
      try lines(of: "\(folder)/\(name)").compactMap { line -> Substring? in
        let line = line.drop { $0 == " " }
        return line.hasPrefix("///") ? line.dropFirst(3).drop { $0 == " " } : nil
      }
    }
    return try unknown(comments, in: test)
  }

  private static func lines(of file: String) throws -> [Substring] {
    try String(contentsOf: root.appending(path: file), encoding: .utf8).split(separator: "\n")
  }

  private static func unknown(_ lines: [Substring], in test: StaticString) throws -> (unknown: [String], count: Int) {
    let source = try String(contentsOfFile: "\(test)", encoding: .utf8)
    // A type of a test is private, so that others may have the same name.
    let known = Set(
      source.split(separator: "\n").map { line in
        let line = line.trimmingCharacters(in: .whitespaces)
        return line.hasPrefix("private struct ") ? String(line.dropFirst("private ".count)) : line
      })
    var isSwift = false
    var shown: [String] = []
    for line in lines {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("```") {
        isSwift = line == "```swift"
      } else if isSwift, !line.isEmpty {
        shown.append(line)
      }
    }
    return (shown.filter { !known.contains($0) }, shown.count)
  }
}
