#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A terminal at which lines are edited.
package struct EditorTerminal {
  private let input: Int32
  private let output: Int32
  private let isInterrupted: () -> Bool
  private var decoder = KeyDecoder()
  /// Keys that arrived during other work, such as those of a fast typist.
  private var waiting: [Key] = []
  /// The screen that was shown last, with the row of the cursor.
  private var shown: EditorScreen?

  /// Creates a terminal, if the input and one of the outputs belong to a terminal that can show an edited line.
  ///
  /// - Parameters:
  ///   - input: the source of the keys.
  ///   - outputs: the outputs on which the line may be shown.
  ///   - term: the name of the terminal's type, `TERM`.
  ///   - isInterrupted: returns whether the signal of Control-C has arrived since the last call. The signal's handler calls
  ///     ``TerminalMode/noteChange()``.
  package init?(
    input: Int32 = STDIN_FILENO, outputs: [Int32] = [STDOUT_FILENO, STDERR_FILENO],
    term: String = getenv("TERM").map { String(cString: $0) } ?? "",
    isInterrupted: @escaping () -> Bool = { false }
  ) {
    guard let output = outputs.first(where: { TerminalMode.canEdit(input: input, output: $0, term: term) }) else {
      return nil
    }
    (self.input, self.output, self.isInterrupted) = (input, output, isInterrupted)
  }

  /// Edits a line on the terminal.
  ///
  /// - Parameters:
  ///   - editor: the editor, without text.
  ///   - prompts: the texts before the first line and before each further one.
  ///   - complete: finds candidates for the text before the cursor.
  /// - Returns: the request that ended the editing: to submit, to discard, or to end.
  package mutating func edit(
    _ editor: inout LineEditor, prompts: (first: String, others: String),
    complete: (String) async -> [LineEditor.Candidate]
  ) async -> LineEditor.Request {
    guard TerminalMode.enterRaw(input: input, output: output) else { return .end }
    defer { TerminalMode.leaveRaw() }
    editor.reset()
    shown = nil
    show(editor, prompts)
    while true {
      guard let key = nextKey(whenChanged: { terminal in terminal.show(editor, prompts) }) else {
        finish(&editor, prompts)
        return .end
      }
      let request = editor.take(key)
      switch request {
      case .none: break
      case .bell: write("\u{7}")
      case .clearScreen:
        write("\u{1B}[H\u{1B}[2J")
        shown = nil
      case .suspend:
        finish(&editor, prompts)
        TerminalMode.suspend()
        shown = nil
      case .complete:
        if !editor.offer(await complete(editor.edited.beforeCursor)) { write("\u{7}") }
      case .submit, .discard, .end:
        finish(&editor, prompts, note: request == .discard ? "^C" : "")
        return request
      }
      // A paste in a terminal without bracketed paste is a series of keys: the line is shown after the last one.
      if waiting.isEmpty { show(editor, prompts) }
    }
  }

  /// Leaves the text as it is, with the cursor on the row below.
  private mutating func finish(
    _ editor: inout LineEditor, _ prompts: (first: String, others: String), note: String = ""
  ) {
    editor.close()
    show(editor, prompts)
    write(note + "\r\n")
  }

  private mutating func nextKey(whenChanged show: (inout EditorTerminal) -> Void) -> Key? {
    while waiting.isEmpty {
      // The rest of an escape sequence arrives at once; a lone escape is the Escape key.
      switch TerminalMode.wait(decoder.isAmbiguous ? 60 : -1) {
      case .change:
        if isInterrupted() { return .control("c") }
        show(&self)
        continue
      case .silence:
        waiting = decoder.finish()
        continue
      case .input: break
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let length = read(input, &bytes, bytes.count)
      if length < 0, errno == EINTR || errno == EAGAIN { continue }
      if length <= 0 { return nil }
      waiting = decoder.decode(bytes[..<length])
    }
    return waiting.removeFirst()
  }

  private mutating func show(_ editor: LineEditor, _ prompts: (first: String, others: String)) {
    let size = self.size
    let screen = EditorScreen(editor, prompt: prompts.first, continuation: prompts.others, size: size)
    // A row that no longer fits the width has been wrapped into several.
    let above = shown.map { $0.rowsAboveCursor(width: size.columns) } ?? 0
    var text = above > 0 ? "\r\u{1B}[\(above)A\u{1B}[J" : "\r\u{1B}[J"
    text += screen.rows.joined(separator: "\r\n")
    let below = screen.rows.count - 1 - screen.cursorRow
    if below > 0 { text += "\u{1B}[\(below)A" }
    text += screen.cursorColumn > 0 ? "\r\u{1B}[\(screen.cursorColumn)C" : "\r"
    write(text)
    shown = screen
  }

  /// The size that the terminal reports, regardless of `COLUMNS` and `LINES`: the position of the cursor depends on the real
  /// width.
  private var size: TerminalSize { TerminalSize(ofDescriptor: output) { _ in "" } }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
