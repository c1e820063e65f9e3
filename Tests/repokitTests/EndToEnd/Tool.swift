import Foundation
import TestSupport
import Testing

/// What a run of the tool came to.
struct Outcome: Equatable {
  var status: Int32
  var output: String
  var messages: String
}

/// A folder of its own in which the built tool is run.
final class Workshop: Sendable {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var path: String { folder.path }

  private static let turnstile = Turnstile(8)

  /// Whether SQLite's own shell is at hand, which some tests make their tables with.
  static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  /// The tool, which the package's build puts beside the tests.
  static let tool: String = {
    let bundles = CommandLine.arguments.compactMap { argument -> String? in
      // Where a helper runs the tests, an argument tells it which.
      argument.range(of: ".xctest").map { String(argument[..<$0.lowerBound]) }
    }
    let folders = (bundles + [Bundle.main.executablePath ?? "", CommandLine.arguments[0]])
      .map { ($0 as NSString).deletingLastPathComponent }
    let tools = folders.map { $0 + "/repokit" }
    return tools.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "repokit, which was not built"
  }()

  /// Runs the tool in the folder, with nothing on its standard input unless a text is given.
  func run(_ arguments: [String], input: String? = nil) async throws -> Outcome {
    try await run(Self.tool, arguments, input: input)
  }

  /// Runs a line of the shell in the folder, with the tool as `$repokit`.
  func shell(_ line: String) async throws -> Outcome {
    try await run("/bin/sh", ["-c", line], input: nil)
  }

  /// Runs another program in the folder, with the tool as `$repokit`.
  func run(program: String, _ arguments: [String], input: String? = nil) async throws -> Outcome {
    try await run(program, arguments, input: input)
  }

  private func run(_ program: String, _ arguments: [String], input: String?) async throws -> Outcome {
    let run = UUID().uuidString
    func file(_ name: String, _ text: String = "") throws -> String {
      try folder.write(text.utf8, to: ".\(run).\(name)")
    }
    let files = try (input: file("in", input ?? ""), output: file("out"), messages: file("err"))
    let streams = [
      ChildProcess.Stream(files.input, O_RDONLY), .init(files.output, O_WRONLY), .init(files.messages, O_WRONLY),
    ]
    let status = try await Self.turnstile.pass {
      // Files, not pipes: nobody has to empty them meanwhile.
      let process = try ChildProcess(
        program, arguments, in: path, environment: ["repokit": Self.tool, "PATH": "/usr/bin:/bin"], streams: streams)
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: process.wait()) }
      }
    }
    func text(_ file: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    }
    let outcome = Outcome(
      status: status, output: try text(files.output), messages: try text(files.messages))
    for file in [files.input, files.output, files.messages] { try FileManager.default.removeItem(atPath: file) }
    return outcome
  }

  /// Writes a file.
  func write(_ text: String, to name: String) throws {
    try folder.write(text.utf8, to: name)
  }

  /// Writes a file.
  func write(_ bytes: [UInt8], to name: String) throws {
    try folder.write(bytes, to: name)
  }

  /// Reads a file.
  func read(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  /// The files in the folder, in alphabetical order.
  func files() throws -> [String] {
    try folder.names.filter { !$0.hasPrefix(".") }
  }
}

extension Workshop {
  /// Five Pokémon: nulls, an empty text, Japanese, a text that looks like a number.
  static let pokemon = """
    id,name,japanese_name,type1,type2,weight,note
    1,Bulbasaur,フシギダネ,grass,poison,6.9,007
    4,Charmander,ヒトカゲ,fire,,8.5,""
    6,Charizard,リザードン,fire,flying,90.5,"a ""quoted"", long
    note"
    25,Pikachu,ピカチュウ,electric,,6.0,
    143,Snorlax,カビゴン,normal,,460.0,100%

    """

  /// A folder with those as `pokemon.csv`, and as the table `pokemon` of `p.sqlite`.
  static func withPokemon() async throws -> Workshop {
    let workshop = try Workshop()
    try workshop.write(pokemon, to: "pokemon.csv")
    let outcome = try await workshop.run(["import", "p.sqlite", "pokemon", "pokemon.csv", "--key", "id"])
    try #require(outcome.status == 0, "\(outcome.messages)")
    return workshop
  }

  /// Puts the rows of the table on record, so that a test can tell that nothing was changed.
  func rows(_ database: String = "p.sqlite", _ table: String = "pokemon") async throws -> String {
    try await run(["query", database, table, "--format", "json"]).output
  }
}
