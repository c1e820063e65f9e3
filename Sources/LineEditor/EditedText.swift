/// A text with a cursor. The text that was cut last can be pasted.
struct EditedText: Hashable {
  private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  private(set) var cursor = 0
  private var cut: [Character] = []

  var text: String { String(characters) }
  var beforeCursor: String { String(characters[..<cursor]) }

  /// Replaces the whole text, and moves the cursor to its end.
  mutating func replace(by text: String) {
    characters = Array(text)
    cursor = characters.count
  }

  /// Inserts a text before the cursor.
  mutating func insert(_ text: String) {
    // The characters are divided again: a combining accent joins the character before it, and a joiner the one after it.
    let before = Array(String(characters[..<cursor]) + text)
    let after = characters[cursor...]
    characters = Array(String(before) + String(after))
    cursor = min(before.count, characters.count)
  }

  /// Replaces the text before the cursor.
  mutating func replaceBeforeCursor(by text: String) {
    characters.removeFirst(cursor)
    cursor = 0
    insert(text)
  }

  mutating func clear() {
    characters = []
    cursor = 0
  }
}

// Movement.
extension EditedText {
  mutating func moveLeft() { cursor = max(0, cursor - 1) }
  mutating func moveRight() { cursor = min(characters.count, cursor + 1) }
  mutating func moveToStart() { cursor = startOfLine }
  mutating func moveToEnd() { cursor = endOfLine }
  mutating func moveToEndOfText() { cursor = characters.count }
  mutating func moveWordLeft() { cursor = startOfWord }
  mutating func moveWordRight() { cursor = endOfWord }

  /// Moves to the line above; returns whether there is one.
  mutating func moveUp() -> Bool {
    let start = startOfLine
    guard start > 0 else { return false }
    let column = cursor - start
    cursor = start - 1
    cursor = min(startOfLine + column, cursor)
    return true
  }

  /// Moves to the line below; returns whether there is one.
  mutating func moveDown() -> Bool {
    let end = endOfLine
    guard end < characters.count else { return false }
    let column = cursor - startOfLine
    cursor = end + 1
    cursor = min(cursor + column, endOfLine)
    return true
  }

  private var startOfLine: Int { characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
  private var endOfLine: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

  private var startOfWord: Int {
    var position = cursor
    while position > 0, !characters[position - 1].isOfWord { position -= 1 }
    while position > 0, characters[position - 1].isOfWord { position -= 1 }
    return position
  }

  private var endOfWord: Int {
    var position = cursor
    while position < characters.count, !characters[position].isOfWord { position += 1 }
    while position < characters.count, characters[position].isOfWord { position += 1 }
    return position
  }
}

// Removal.
extension EditedText {
  mutating func deleteBackward() { if cursor > 0 { remove((cursor - 1)..<cursor) } }
  mutating func deleteForward() { if cursor < characters.count { remove(cursor..<(cursor + 1)) } }
  mutating func cutToEnd() {
    // At the end of a line, the line break is cut.
    let end = endOfLine
    cut(cursor..<(end == cursor ? min(end + 1, characters.count) : end))
  }
  mutating func cutToStart() { cut(startOfLine..<cursor) }
  mutating func cutWordLeft() { cut(startOfWord..<cursor) }
  mutating func cutWordRight() { cut(cursor..<endOfWord) }

  /// Cuts back to the last blank.
  mutating func cutBlankWordLeft() {
    var position = cursor
    while position > 0, characters[position - 1].isWhitespace { position -= 1 }
    while position > 0, !characters[position - 1].isWhitespace { position -= 1 }
    cut(position..<cursor)
  }

  /// Inserts the text that was cut last.
  mutating func paste() { insert(String(cut)) }

  /// Swaps the two characters before the cursor at the end of the text, and elsewhere the two around the cursor.
  mutating func transpose() {
    guard characters.count > 1, cursor > 0 else { return }
    let position = min(cursor, characters.count - 1)
    characters.swapAt(position - 1, position)
    cursor = position + 1
  }

  private mutating func cut(_ range: Range<Int>) {
    if range.isEmpty { return }
    cut = Array(characters[range])
    remove(range)
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }
}

extension Character {
  /// Whether the character belongs to a word, for movements by words.
  fileprivate var isOfWord: Bool { isLetter || isNumber || self == "_" }
}
