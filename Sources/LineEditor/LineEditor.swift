/// The state of an edited line: takes keys, and returns what to show and what to do. Independent of terminals.
package struct LineEditor {
  /// A completion of the text before the cursor.
  package struct Candidate: Hashable {
    /// The whole text before the cursor, completed.
    let text: String
    /// The part of the text that a list of candidates shows.
    let label: String
    /// A description in a few words.
    let note: String

    package init(_ text: String, label: String, note: String = "") {
      (self.text, self.label, self.note) = (text, label, note)
    }
  }

  /// A request that a key makes beyond a change of the text.
  package enum Request: Hashable {
    case none
    /// The text is complete.
    case submit(String)
    /// The text is discarded.
    case discard
    /// The input has ended.
    case end
    /// Candidates for the text before the cursor are requested, see ``LineEditor/offer(_:)``.
    case complete
    /// The program is to be suspended.
    case suspend
    /// The screen is to be cleared.
    case clearScreen
    /// The key has no effect.
    case bell
  }

  private(set) var edited = EditedText()
  /// The candidates that are shown below the text.
  private(set) var listed: [Candidate] = []
  private(set) var search: HistorySearch?
  /// Earlier texts, the latest last.
  package var history: [String]
  private var historyCursor: HistoryCursor?
  /// Whether a text is complete, so that Enter ends it rather than begins a new line of it.
  private let isComplete: (String) -> Bool

  package init(history: [String] = [], isComplete: @escaping (String) -> Bool = { _ in true }) {
    self.history = history
    self.isComplete = isComplete
  }

  /// Creates an editor without text.
  mutating func reset() {
    edited.clear()
    (listed, search, historyCursor) = ([], nil, nil)
  }

  /// Ends the editing: removes everything that is shown besides the text, and moves the cursor to the end of the text.
  mutating func close() {
    (listed, search) = ([], nil)
    edited.moveToEndOfText()
  }

  /// Handles a key.
  mutating func take(_ key: Key) -> Request {
    listed = []
    if search != nil { return takeInSearch(key) }
    let isWalking = key == .up || key == .down || key == .control("p") || key == .control("n")
    if !isWalking { historyCursor = nil }
    switch key {
    case .text(let text): edited.insert(text)
    case .paste(let text): edited.insert(text)
    case .enter: return enter()
    case .tab: return .complete
    case .up, .control("p"): return goUp()
    case .down, .control("n"): return goDown()
    case .control("c"): return .discard
    case .control("d"):
      if edited.characters.isEmpty { return .end }
      edited.deleteForward()
    case .control("l"): return .clearScreen
    case .control("z"): return .suspend
    case .control("r"): search = HistorySearch(history)
    default: edit(key)
    }
    return .none
  }

  /// Moves the cursor or removes text.
  private mutating func edit(_ key: Key) {
    switch key {
    case .backspace: edited.deleteBackward()
    case .delete: edited.deleteForward()
    case .wordBackspace: edited.cutWordLeft()
    case .left, .control("b"): edited.moveLeft()
    case .right, .control("f"): edited.moveRight()
    case .home, .control("a"): edited.moveToStart()
    case .end, .control("e"): edited.moveToEnd()
    case .wordLeft, .alt("b"): edited.moveWordLeft()
    case .wordRight, .alt("f"): edited.moveWordRight()
    case .alt("d"): edited.cutWordRight()
    case .control("k"): edited.cutToEnd()
    case .control("u"): edited.cutToStart()
    case .control("w"): edited.cutBlankWordLeft()
    case .control("y"): edited.paste()
    case .control("t"): edited.transpose()
    default: break
    }
  }

  private mutating func enter() -> Request {
    if isComplete(edited.text) { return .submit(edited.text) }
    edited.insert("\n")
    return .none
  }

  private mutating func goUp() -> Request {
    if historyCursor == nil, edited.moveUp() { return .none }
    var historyCursor = historyCursor ?? HistoryCursor(history, draft: edited.text, prefix: edited.beforeCursor)
    guard let line = historyCursor.earlier() else { return .bell }
    edited.replace(by: line)
    self.historyCursor = historyCursor
    return .none
  }

  private mutating func goDown() -> Request {
    if historyCursor == nil, edited.moveDown() { return .none }
    guard let line = historyCursor?.later() else { return .bell }
    edited.replace(by: line)
    return .none
  }

  private mutating func takeInSearch(_ key: Key) -> Request {
    switch key {
    case .text(let text), .paste(let text): search?.append(text)
    case .backspace: search?.removeLast()
    case .control("r"): search?.earlier()
    // The text that was being written before the search is shown again.
    case .control("g"), .control("c"), .escape: search = nil
    default:
      if let line = search?.line { edited.replace(by: line) }
      search = nil
      return take(key)
    }
    return search?.hasFailed == true ? .bell : .none
  }
}

extension LineEditor {
  /// Inserts the result of ``Request/complete``: the only candidate, or the common start of all candidates; if that adds
  /// nothing to the text, the candidates are listed.
  ///
  /// - Returns: whether anything changed.
  mutating func offer(_ candidates: [Candidate]) -> Bool {
    guard let first = candidates.first else { return false }
    let before = edited.beforeCursor
    let common = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    if candidates.count == 1 {
      edited.replaceBeforeCursor(by: first.text)
      return true
    }
    // A common start of the same length corrects the text, such as its case or its quote. A shorter one would lose a part of
    // the text.
    if common.count > before.count || common.count == before.count && common != before {
      edited.replaceBeforeCursor(by: common)
    } else {
      listed = candidates
    }
    return true
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

/// A walk through earlier lines, from the latest on.
struct HistoryCursor: Hashable {
  private let lines: [String]
  /// The text that was being written when the walk began.
  private let draft: String
  /// The prefix of the lines that are shown.
  private let prefix: String
  private var position: Int

  /// - Parameter prefix: the text before the cursor when the walk begins.
  init(_ lines: [String], draft: String, prefix: String) {
    (self.lines, self.draft, self.prefix) = (lines, draft, prefix)
    position = lines.count
  }

  /// Returns the previous line with the prefix; `nil` if there is none.
  mutating func earlier() -> String? {
    let current = line
    guard let found = lines[..<position].lastIndex(where: { fits($0) && $0 != current }) else { return nil }
    position = found
    return lines[found]
  }

  /// Returns the next line with the prefix; after the last one, the text that was being written.
  mutating func later() -> String? {
    guard position < lines.count else { return nil }
    let current = line
    position = lines[(position + 1)...].firstIndex { fits($0) && $0 != current } ?? lines.count
    return line
  }

  private var line: String { position < lines.count ? lines[position] : draft }

  private func fits(_ line: String) -> Bool { line.hasPrefix(prefix) }
}

/// A search for a text in earlier lines, from the latest on.
struct HistorySearch: Hashable {
  private let lines: [String]
  private(set) var text = ""
  /// The position where a line was found.
  private var position: Int?
  /// Whether no line contains the text.
  private(set) var hasFailed = false

  init(_ lines: [String]) {
    self.lines = lines
  }

  /// The line that was found.
  var line: String? { position.map { lines[$0] } }

  /// Searches for a longer text.
  mutating func append(_ text: String) {
    self.text += text
    search(before: position.map { $0 + 1 } ?? lines.count)
  }

  /// Searches for a shorter text, from the latest line on.
  mutating func removeLast() {
    if text.isEmpty { return }
    text.removeLast()
    search(before: lines.count)
  }

  /// Searches for an earlier line.
  mutating func earlier() {
    guard !text.isEmpty else { return }
    let current = line
    var before = position ?? lines.count
    // Repetitions of the current line are skipped: the search would seem to have found nothing.
    while before > 0, lines[before - 1] == current { before -= 1 }
    search(before: before)
  }

  private mutating func search(before end: Int) {
    guard !text.isEmpty else {
      (position, hasFailed) = (nil, false)
      return
    }
    let wanted = text.lowercased()
    let found = lines[..<end].lastIndex { $0.lowercased().contains(wanted) }
    hasFailed = found == nil
    position = found ?? position
  }
}
