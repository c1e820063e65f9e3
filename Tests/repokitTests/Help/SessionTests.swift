import Foundation
import Testing

/// The sessions that the README and the page on the command line show are run at a terminal of 80 columns, and have to look
/// as they do there.
@Suite("Sessions that are shown")
struct SessionTests {
  /// A command of a session, and what it printed.
  struct Step: Equatable {
    let command: String
    var output: String
  }

  @Test("are what the tool prints", arguments: [("README.md", true, 4), ("docs/command-line.md", false, 8)])
  func sessions(page: String, isImported: Bool, count: Int) async throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../\(page)").standardized
    let expected = Self.steps(of: try String(contentsOf: file, encoding: .utf8))
    try #require(expected.count == count)
    let workshop = try await ExampleTests.workshop(imported: isImported)
    for step in expected {
      let terminal = try workshop.terminal(
        shell: step.command, environment: ["PATH": "\(workshop.path)/bin:/usr/bin:/bin", "NO_COLOR": "1", "PAGER": ""])
      try await terminal.finish()
      #expect(Step(command: step.command, output: terminal.text) == step)
    }
  }

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
