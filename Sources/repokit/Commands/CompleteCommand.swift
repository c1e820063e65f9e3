#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `repokit complete`: what the scripts of ``ShellKind`` call. Nobody else does, so no help lists it.
///
/// It says nothing on the standard error and never fails: whatever is wrong, there is just nothing to complete.
struct CompleteCommand: Command {
  static let description = CommandDescription(
    name: "complete", summary: "Says what may stand on a line.",
    examples: [
      .init(arguments: "complete fish -- pok query pokedex.sqlite", meaning: "The tables whose names start so.")
    ],
    positionals: [shell, words])

  private static let shell = PositionalDescription(
    name: "SHELL", help: "bash, zsh or fish, which quote differently.", isOptional: true)
  private static let words = PositionalDescription(
    name: "WORD", help: "For bash, the line, COMP_TYPE and COMP_WORDBREAKS; else the word and those before it.",
    isOptional: true, isRepeated: true)

  private let shell: ShellKind?
  private let words: [String]

  init(_ arguments: Arguments) throws(Failure) {
    shell = arguments[Self.shell].flatMap(ShellKind.init)
    words = arguments.all(Self.words)
  }

  func run(_ console: Console) async throws {
    Self.limitTime()
    let engine = CompletionEngine(commands: CommandList.all.map { $0.description })
    guard let shell, let first = words.first else { return }
    switch shell {
    case .bash:
      let line = BashLine(first, breaks: words.count > 2 ? words[2] : "")
      let found = await engine.candidates(for: line.current, after: Array(line.words.dropFirst()))
      // Where readline only shows them, they are shorter.
      let isList = words.count > 1 && words[1] == "63"
      try print(found, to: console) { candidate in
        line.replacement(candidate).map { isList ? candidate.label : $0 }
      }
      // Readline ends the quotes behind the only candidate; of two, it takes what they have in common.
      if case .words(let words) = found, words.count == 1, let only = words.first, !only.isComplete, !isList {
        try print(found, to: console, hasHeading: false) { line.replacement($0).map { "\($0) " } }
      }
    case .zsh:
      let line = BashLine(first)
      let found = await engine.candidates(for: line.current, after: words.dropFirst().map(Self.unquoted))
      try print(found, to: console) { candidate in
        line.wholeReplacement(candidate).map { text in
          let note = candidate.note.isEmpty ? "" : "  -- \(candidate.note)"
          return "\(candidate.isComplete ? "closed" : "open")\t\(text)\t\(candidate.label)\(note)"
        }
      }
    case .fish:
      let current = Self.unquoted(first)
      let found = await engine.candidates(for: current, after: Array(words.dropFirst()))
      try print(found, to: console) { "\($0.word)\t\($0.note)" }
    }
  }

  private func print(
    _ candidates: Candidates, to console: Console, hasHeading: Bool = true, _ line: (Candidate) -> String?
  ) throws {
    guard case .words(let words) = candidates else { return try console.print("files\n") }
    // A name with a line feed would be two, and one with an escape reach the terminal.
    let safe = words.filter { TerminalText.visible($0.word) == $0.word }
    try console.print((hasHeading ? "words\n" : "") + safe.compactMap(line).map { $0 + "\n" }.joined())
  }

  private static func unquoted(_ word: String) -> String { ShellWords(word).words.last?.text ?? "" }

  /// Whoever pressed a key waits: soon there is nothing to complete, wherever the file is.
  private static func limitTime() {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(CompletionPatience.current.total)
  }
}
