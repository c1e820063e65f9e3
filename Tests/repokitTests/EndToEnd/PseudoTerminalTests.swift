import Testing

@Suite("Pseudo-terminals")
struct PseudoTerminalTests {
  @Test("have a size, are a terminal, and give the exit status")
  func size() async throws {
    let terminal = try Workshop().terminal(
      shell: "stty size; test -t 0 && test -t 1 && test -t 2 && echo terminal; exit 3", width: 33, height: 7)
    #expect(try await terminal.finish() == 3)
    #expect(terminal.text == "7 33\nterminal\n")
  }

  @Test("take keys, and answer in order")
  func keys() async throws {
    let terminal = try Workshop().terminal(shell: "printf 'name? '; read name; echo \"hello $name\"; read more")
    #expect(try await terminal.wait(for: "? ") == "name? ")
    try terminal.send("Ash\r")
    try await terminal.wait(for: "hello Ash")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 1)
  }

  @Test("send signals for keys")
  func interruption() async throws {
    let terminal = try Workshop().terminal(shell: "echo ready; exec cat")
    try await terminal.wait(for: "ready")
    try terminal.send("\u{3}")
    #expect(try await terminal.finish() == 130)
  }

  @Test("fail a test that waits for what never comes, and tell what came")
  func absence() async throws {
    let terminal = try Workshop().terminal(shell: "echo something else")
    let problem = await #expect(throws: PseudoTerminal.Problem.self) { try await terminal.wait(for: "wanted") }
    #expect(problem?.description.contains("something else") == true)
  }
}
