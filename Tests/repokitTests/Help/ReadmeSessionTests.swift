import Foundation
import Testing

/// The sessions that the README shows are run at a terminal of 80 columns, and have to look as they do there.
@Suite("The README's sessions")
struct ReadmeSessionTests {
  /// A command of a session, and what it printed.
  struct Step: Equatable {
    let command: String
    var output: String
  }

  @Test("show what the tool prints")
  func sessions() async throws {
    let readme = URL(filePath: #filePath).appending(path: "../../../../README.md").standardized
    let expected = Self.steps(of: try String(contentsOf: readme, encoding: .utf8))
    try #require(expected.count > 5)
    let workshop = try await ExampleTests.workshop(imported: false)
    for step in expected {
      let terminal = try workshop.terminal(
        shell: step.command, environment: ["PATH": "\(workshop.path)/bin:/usr/bin:/bin", "NO_COLOR": "1", "PAGER": ""])
      try await terminal.finish()
      #expect(Step(command: step.command, output: terminal.text) == step)
    }
  }

  /// The commands of all blocks of the kind `console`: each after a `$`, with its output below.
  static func steps(of readme: String) -> [Step] {
    var steps: [Step] = []
    var isInside = false
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
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
