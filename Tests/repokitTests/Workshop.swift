#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
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

  private static let turnstile = ConcurrencyLimit(8)

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
      TestProcess.Stream(files.input, O_RDONLY), .init(files.output, O_WRONLY), .init(files.messages, O_WRONLY),
    ]
    let status = try await Self.turnstile.pass {
      // Files, not pipes, which would have to be emptied meanwhile.
      let process = try TestProcess(
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
  static func withPokemon() async throws -> Workshop { try await imported.copy() }

  private static let imported = Template {
    let workshop = try Workshop()
    try workshop.write(pokemon, to: "pokemon.csv")
    // Some columns may not be null, as an import alone does not declare them.
    try workshop.execute(
      "p.sqlite",
      """
      CREATE TABLE "pokemon" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "japanese_name" TEXT NOT NULL, \
      "type1" TEXT NOT NULL, "type2" TEXT, "weight" REAL NOT NULL, "note" TEXT) STRICT
      """)
    let outcome = try await workshop.run(["import", "p.sqlite", "pokemon", "pokemon.csv", "--append"])
    try #require(outcome.status == 0, "\(outcome.messages)")
    return workshop
  }

  /// The files of a folder that the tool is run for once, and that many tests begin with.
  struct Template: Sendable {
    private let files: Task<[(name: String, content: Data)], any Error>

    init(_ make: @escaping @Sendable () async throws -> Workshop) {
      files = Task {
        let workshop = try await make()
        return try workshop.files().map { ($0, try workshop.read($0)) }
      }
    }

    /// A folder of its own with the files.
    func copy() async throws -> Workshop {
      let workshop = try Workshop()
      for file in try await files.value { try workshop.write(Array(file.content), to: file.name) }
      return workshop
    }
  }

  /// Puts the rows of the table on record, so that a test can tell that nothing was changed.
  func rows(_ database: String = "p.sqlite", _ table: String = "pokemon") async throws -> String {
    try await run(["query", database, table, "--format", "json"]).output
  }
}

/// A program that a test has started.
///
/// Foundation's `Process` crashed on Linux where hundreds of tests started programs at once.
struct TestProcess: Sendable {
  /// What is opened as one of the standard streams.
  struct Stream {
    let path: String
    let flags: Int32

    init(_ path: String, _ flags: Int32) {
      (self.path, self.flags) = (path, flags)
    }
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// The variables that say how the tests' own process is broken (scripts/mutants.py), and what a sanitizer looks for
  /// (scripts/sanitize.sh).
  private static let inherited: Set = ["REPOKIT_MUTANT", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"]

  let number: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - environment: all variables that the program sees, but for ``inherited`` ones.
  ///   - streams: its standard input, its standard output and its standard error.
  ///   - hasOwnSession: whether it leads a session of its own, as programs at a terminal of their own do.
  init(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String], streams: [Stream],
    hasOwnSession: Bool = false
  ) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, stream) in streams.enumerated() {
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), stream.path, stream.flags, 0o600)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let session = hasOwnSession ? Self.newSession : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | session)

    // The shell goes to the folder, and becomes the program.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program]
    var words = (shell + arguments).map { strdup($0) } + [nil]
    let own = ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
    var variables = environment.merging(own) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var number: pid_t = 0
    let code = posix_spawn(&number, shell[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Problem(description: "\(program) did not start: \(code)") }
    self.number = number
  }

  /// What `posix_spawn` calls it where it is an extension: https://www.man7.org/linux/man-pages/man3/posix_spawn.3.html
  private static var newSession: Int16 {
    #if canImport(Darwin)
      Int16(POSIX_SPAWN_SETSID)
    #else
      0x80
    #endif
  }

  /// Waits until it ends, with the thread blocked; once.
  ///
  /// - Returns: its exit status; for a program that a signal ended, 128 and the signal, as a shell has it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Ends it at once, in the place of ``wait()``.
  func kill() {
    send(SIGKILL)
    _ = wait()
  }

  /// Sends it a signal.
  func send(_ signal: Int32) {
    #if canImport(Darwin)
      Darwin.kill(number, signal)
    #elseif canImport(Glibc)
      Glibc.kill(number, signal)
    #else
      Musl.kill(number, signal)
    #endif
  }
}

/// Lets a few in at once, and the others wait: a hundred programs that run at the same time are slower than one after the
/// other, and each of them far slower.
actor ConcurrencyLimit {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  /// Does something once there is room.
  nonisolated func pass<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
    await enter()
    do {
      let result = try await body()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
