import LineEditor

/// The shell on a terminal.
struct InteractiveShell {
  private let session: ShellSession
  private var terminal: EditorTerminal
  private var history: History

  init(_ session: ShellSession, _ terminal: EditorTerminal, _ console: Console) {
    self.session = session
    self.terminal = terminal
    history = History(file: UserFolder.state.path.map { HistoryFile(path: "\($0)/history") }) { error in
      console.report(
        Failure(error.summary, code: error.code).adding("the shell won't save its history").message(
          style: console.messageStyle, isVerbose: console.settings.isVerbose))
    }
  }

  /// Reads and runs lines until the user leaves the shell.
  mutating func run(_ console: Console) async {
    CancellableCommand.startListening()
    console.report(session.greeting)
    var editor = LineEditor { ShellText($0).isComplete }
    while true {
      editor.history = history.entries
      let completion = session.completion
      let request = await terminal.edit(
        &editor, prompts: (session.prompt, session.continuation)
      ) { text in
        await completion.candidates(for: text).map { found in
          LineEditor.Candidate(found.text, label: found.candidate.label, note: found.candidate.note)
        }
      }
      switch request {
      case .end: return
      case .submit(let text):
        if !ConnectionURI.isSecret(in: text) { history.add(text) }
        if await perform(text, console) == .leave { return }
      default: break
      }
    }
  }

  /// Runs the lines of a text as commands, up to the first that fails.
  private func perform(_ text: String, _ console: Console) async -> ShellSession.Outcome {
    for line in ShellText(text).lines {
      // Only one of both uses the session at a time: this waits until that is done.
      nonisolated(unsafe) let session = session
      switch await CancellableCommand.run({ try await session.run(line.text) }) {
      case .done(.goOn): continue
      case .done(.leave): return .leave
      case .cancelled: console.report("\ncancelled\n")
      case .failed(OutputError.readerClosed): break
      case .failed(OutputError.failure(let failure)): tell(failure, console)
      case .failed(let error): tell(Failure(translating: error), console)
      }
      return .goOn
    }
    return .goOn
  }

  private func tell(_ failure: Failure, _ console: Console) {
    console.reportResult(failure.message(style: console.messageStyle, isVerbose: console.settings.isVerbose))
  }
}
