import ErrorDetails

/// The terminal rows that show an editor, fitted to the width, and the position of the cursor.
struct EditorScreen: Hashable {
  private(set) var rows = [""]
  /// The column of the cursor, counted from the left.
  private(set) var cursorColumn = 0
  private(set) var cursorRow = 0
  private let width: Int
  private var column = 0

  /// Lays an editor out.
  ///
  /// - Parameters:
  ///   - prompt: the text before the first line.
  ///   - continuation: the text before each further line.
  ///   - size: the size of the terminal.
  init(_ editor: LineEditor, prompt: String, continuation: String, size: TerminalSize) {
    width = max(2, size.columns)
    if let search = editor.search {
      let state = search.hasFailed ? "no match" : "search"
      write("(\(state): \(search.text.visible)) ")
      mark()
      for character in search.line ?? "" { write(character == "\n" ? " " : character) }
    } else {
      write(prompt)
      for (position, character) in editor.edited.characters.enumerated() {
        if position == editor.edited.cursor { mark() }
        if character == "\n" {
          newRow()
          write(continuation)
        } else {
          write(character)
        }
      }
      if editor.edited.cursor == editor.edited.characters.count { mark() }
    }
    if !editor.listed.isEmpty {
      let list = CandidateList(editor.listed, width: width, rows: max(1, size.lines - rows.count - 1))
      rows += list.rows
    }
    keepCursorVisible(max(1, size.lines))
  }

  private mutating func write(_ text: String) { for character in text { write(character) } }

  private mutating func write(_ character: Character) {
    // A tab is shown as one blank: its real width depends on its column.
    let shown = character == "\t" ? " " : String(character).visible
    let columns = shown.columns
    if column + columns > width { newRow() }
    rows[rows.count - 1] += shown
    column += columns
  }

  private mutating func newRow() {
    rows.append("")
    column = 0
  }

  /// Records the position of the cursor.
  private mutating func mark() {
    // A terminal shows no cursor after the last column, so the cursor goes to the next row.
    if column >= width { newRow() }
    (cursorRow, cursorColumn) = (rows.count - 1, column)
  }

  /// Drops rows that would scroll away.
  private mutating func keepCursorVisible(_ limit: Int) {
    guard rows.count > limit else { return }
    let first = min(max(0, cursorRow - limit + 1), rows.count - limit)
    rows = Array(rows[first..<(first + limit)])
    cursorRow -= first
  }
}

extension EditorScreen {
  /// The number of terminal rows above the cursor. The terminal may have become narrower since.
  func rowsAboveCursor(width: Int) -> Int {
    let width = max(1, width)
    let above = rows[..<cursorRow].reduce(0) { $0 + max(1, ($1.columns + width - 1) / width) }
    return above + cursorColumn / width
  }
}

/// The list of candidates below a line, in columns or with their descriptions.
struct CandidateList {
  let rows: [String]

  /// - Parameters:
  ///   - width: the width of the terminal.
  ///   - rows: the maximum number of rows that are shown.
  init(_ candidates: [LineEditor.Candidate], width: Int, rows limit: Int) {
    let labels = candidates.map { $0.label.visible }
    let widest = labels.map(\.columns).max() ?? 0
    if candidates.count <= limit, candidates.contains(where: { !$0.note.isEmpty }), widest + 10 < width {
      rows = zip(labels, candidates).map { label, candidate in
        let gap = String(repeating: " ", count: widest - label.columns + 2)
        return Self.cut(label + gap + candidate.note.visible, to: width)
      }
      return
    }
    let perRow = max(1, width / (widest + 2))
    // The candidates are listed down the columns, as by `ls`.
    let count = (labels.count + perRow - 1) / perRow
    var lines = (0..<count).map { row in
      let line = stride(from: row, to: labels.count, by: count).reduce(into: "") { line, position in
        let gap = widest - labels[position].columns + 2
        line += labels[position] + (position + count < labels.count ? String(repeating: " ", count: gap) : "")
      }
      return Self.cut(line, to: width)
    }
    if lines.count > limit {
      lines = Array(lines.prefix(limit - 1)) + [Self.cut("… \(labels.count) in all", to: width)]
    }
    rows = lines
  }

  private static func cut(_ line: String, to width: Int) -> String {
    if line.columns < width { return line }
    var cut = ""
    var columns = 0
    for character in line {
      let next = String(character).columns
      if columns + next > width - 1 { break }
      cut.append(character)
      columns += next
    }
    return cut + "…"
  }
}

extension String {
  /// The text without characters that a terminal would interpret: an escape becomes `␛`.
  var visible: String { VisibleText.visible(unicodeScalars) }

  /// The number of terminal columns of a visible text.
  var columns: Int { reduce(0) { $0 + VisibleText.columns(of: $1) } }
}
