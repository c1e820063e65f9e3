import Foundation
import TestSupport
import Testing
@testable import repokit

/// Every example of the help, which the manual page repeats, is run as it stands there: by a shell, at a terminal, in a
/// folder that holds what it names.
@Suite("Examples of the help", .tags(.slow))
struct ExampleTests {
  /// What an example needs beyond the files that all find.
  struct Care: Sendable {
    /// How the example begins.
    let start: String
    /// What is done before, in the shell.
    var preparation = ":"
    /// What is typed once some text has appeared.
    var keys: [(text: String, key: String)] = []
    var status: Int32 = 0
  }

  static let cares = [
    Care(start: "insert pokedex.sqlite caught", keys: [("[", "y\r")]),
    Care(start: "insert pokedex.sqlite caught pokemon=25 --yes"),
    Care(start: "set pokedex.sqlite pokemon \"id = 6\"", keys: [("[", "y\r")]),
    Care(start: "delete pokedex.sqlite pokemon \"id = 6\"", keys: [("[", "y\r")]),
    Care(start: "index add pokedex.sqlite pokemon type1", keys: [("[", "y\r")]),
    Care(
      start: "index drop pokedex.sqlite pokemon.type1",
      preparation: """
        repokit index add pokedex.sqlite pokemon type1 --yes; repokit index add pokedex.sqlite pokemon type1 weight --yes
        """, keys: [("[", "y\r")]),
    Care(start: "table rename pokedex.sqlite caught seen", keys: [("[", "y\r")]),
    Care(start: "table drop pokedex.sqlite caught", keys: [("[", "y\r")]),
    Care(start: "table drop pokedex.sqlite caught --dry-run"), Care(start: "table drop pokedex.sqlite caught --yes"),
    Care(start: "column add pokedex.sqlite pokemon \"seen", keys: [("[", "y\r")]),
    Care(start: "column rename pokedex.sqlite pokemon name", keys: [("[", "y\r")]),
    Care(start: "column require pokedex.sqlite pokemon weight", keys: [("[", "y\r")]),
    Care(
      start: "column optional pokedex.sqlite pokemon name",
      preparation: "repokit column require pokedex.sqlite pokemon name --yes", keys: [("[", "y\r")]),
    Care(start: "column retype pokedex.sqlite pokemon legendary", keys: [("[", "y\r")]),
    Care(start: "column reference pokedex.sqlite caught pokemon pokemon", keys: [("[", "y\r")]),
    Care(start: "column drop pokedex.sqlite pokemon habitat", keys: [("[", "y\r")]),
    Care(
      start: "view drop pokedex.sqlite heavy",
      preparation: "repokit view create pokedex.sqlite heavy pokemon \"weight > 90\"", keys: [("[", "y\r")]),
    Care(
      start: "view drop pokedex.sqlite heavy --yes",
      preparation: "repokit view create pokedex.sqlite heavy pokemon \"weight > 90\""),
    Care(start: "diff pokedex.sqlite monday.sqlite", preparation: "repokit backup pokedex.sqlite monday.sqlite"),
    Care(start: "shell pokedex.sqlite", keys: [("> ", "\u{4}")]),
    Care(start: "shell pokedex.sqlite <"),
    Care(start: "watch pokedex.sqlite pokemon \"", keys: [("Charizard", "\u{3}")], status: 130),
    Care(
      start: "watch pokedex.sqlite pokemon --times",
      // Another program, which goes on until the folder is gone.
      preparation: """
        (weight=1; while repokit set pokedex.sqlite pokemon 'id = 1' weight=$weight --yes; do
          weight=$((weight + 1)); sleep 0.1; done) < /dev/null &
        """),
    Care(start: "import pokedex.sqlite pokemon pokedex.csv", preparation: "rm pokedex.sqlite"),
    Care(start: "import pokedex.sqlite --table-per-file", preparation: "mkdir exports; cp pokedex.csv exports/all.csv"),
  ]

  static let calls =
    (Overview.examples + CommandList.repokit.descriptions.flatMap(\.examples)
    + HelpTopic.all.flatMap(\.examples)).map(\.arguments)

  @Test("run", arguments: Set(calls).sorted())
  func run(call: String) async throws {
    let workshop = try await Self.workshop()
    let care = Self.care(for: call)
    let terminal = try workshop.terminal(
      shell: "{ \(care?.preparation ?? ":")\n} > /dev/null 2>&1; repokit \(call)",
      environment: ["PATH": "\(workshop.path)/bin:/usr/bin:/bin", "HOME": "\(workshop.path)/home", "PAGER": ""])
    for (text, key) in care?.keys ?? [] {
      try await terminal.wait(for: text)
      try terminal.send(key)
    }
    #expect(try await terminal.finish() == care?.status ?? 0, "\(terminal.text)")
  }

  @Test("need the care that is taken of them", arguments: cares.map(\.start))
  func need(start: String) {
    #expect(Self.calls.contains { Self.care(for: $0)?.start == start })
  }

  /// The care that knows most of the example.
  private static func care(for call: String) -> Care? {
    cares.filter { call.hasPrefix($0.start) }.max { $0.start.count < $1.start.count }
  }

  /// A folder with the Pokédex, and the other files that examples name.
  ///
  /// - Parameter imported: whether it is in the database already.
  static func workshop(imported: Bool = true) async throws -> Workshop {
    let workshop = try Workshop()
    let csv = URL(filePath: #filePath).appending(path: "../../../../../Examples/Pokedex/pokedex.csv").standardized
    let lines = try String(contentsOf: csv, encoding: .utf8).split(separator: "\n")
    try workshop.write(lines.joined(separator: "\n") + "\n", to: "pokedex.csv")
    try workshop.write(lines.prefix(3).joined(separator: "\n") + "\n", to: "more.csv")
    try workshop.write("{\"pokemon\":1}\n{\"pokemon\":4}\n", to: "caught")
    for year in ["2024.csv", "2025.csv"] { try workshop.write("code,place\n007,sea\n", to: year) }
    try workshop.write("id,customer\n1,7\n2,8\n", to: "orders.csv")
    try workshop.write("id,country\n7,DE\n8,FR\n", to: "customers.csv")
    try workshop.write("id,at,sent\n1,2024-05-06 07:08:09,1714979289\n", to: "visits.csv")
    try workshop.write("name,born\nAnn,31.12.1994\n", to: "births.csv")
    try workshop.write("tables\ncount pokemon\n", to: "questions.txt")
    try workshop.write("Sales\n\n# of May\nid,amount\n1\n", to: "sales.txt")
    let outcome = try await workshop.shell(
      """
      mkdir -p bin home/.local/share/bash-completion/completions home/.zfunc home/.config/fish/completions
      ln -s $repokit bin/repokit
      \(imported) || exit 0
      $repokit import pokedex.sqlite pokemon pokedex.csv --key id && \
      $repokit import pokedex.sqlite caught caught --from ndjson
      """)
    try #require(outcome.status == 0, "\(outcome.messages)")
    return workshop
  }
}

/// The sessions that the README and the page on the command line show are run at a terminal of 80 columns, and have to look
/// as they do there.
@Suite("Sessions that are shown")
struct SessionTests {
  /// A command of a session, and what it printed.
  struct Step: Equatable {
    let command: String
    var output: String
  }

  @Test("are what the tool prints", arguments: [("README.md", true, 3), ("docs/command-line.md", false, 51)])
  func sessions(page: String, isImported: Bool, count: Int) async throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../../\(page)").standardized
    let expected = Self.steps(of: try String(contentsOf: file, encoding: .utf8))
    try #require(expected.count == count)
    let workshop = try await ExampleTests.workshop(imported: isImported)
    for statement in Self.shop { try workshop.execute("shop.sqlite", statement) }
    for step in expected {
      let terminal = try workshop.terminal(
        shell: step.command, environment: ["PATH": "\(workshop.path)/bin:/usr/bin:/bin", "NO_COLOR": "1", "PAGER": ""])
      try await terminal.finish()
      #expect(Step(command: step.command, output: terminal.text) == step)
    }
  }

  private static let shop = [
    "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL)",
    "CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT NOT NULL, album INTEGER REFERENCES album, length INTEGER)",
    "CREATE TABLE sale (track INTEGER REFERENCES track, day TEXT, count INTEGER NOT NULL, price REAL NOT NULL)",
    "INSERT INTO album VALUES (1, 'Dawn', 'Ann'), (2, 'Noon', 'Ben')",
    "INSERT INTO track VALUES (1, 'One', 1, 100), (2, 'Two', 1, 300), (3, 'Three', 2, 200)",
    """
    INSERT INTO sale VALUES (1, '2021-01-09', 1, 1.5), (2, '2021-01-30', 3, 2.0), (3, '2021-02-01', 2, 1.0), \
    (3, '2021-02-02', 3, 1.0)
    """,
  ]

  /// The commands of all blocks of the kind `console`: each after a `$`, with its output below.
  private static func steps(of page: String) -> [Step] {
    var steps: [Step] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if isInside, !steps.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    return steps
  }
}
