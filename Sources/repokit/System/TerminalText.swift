import ErrorDetails
import Query

/// Text as a terminal shows it, with a short way for the plain ASCII that most texts are.
enum TerminalText {
  /// Replaces characters that a terminal would interpret or not show: an escape becomes `␛`, a line feed `␊`.
  static func visible(_ text: String) -> String {
    isPlain(text) ? text : VisibleText.visible(text.unicodeScalars)
  }

  /// The number of terminal columns of a visible text: two for each East Asian wide character and each emoji, none
  /// for a combining mark.
  static func columns(of visible: String) -> Int {
    if isPlain(visible) { return visible.utf8.count }
    return visible.reduce(0) { $0 + VisibleText.columns(of: $1) }
  }

  /// Whether a terminal would interpret a scalar, or show nothing for it.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    !(" "..."~" ~= scalar) && VisibleText.visible(CollectionOfOne(scalar)).unicodeScalars.first != scalar
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }
}

extension TerminalText {
  /// The start of a text for a message, in quotes.
  static func quoted(_ text: String) -> String {
    "\"\(VisibleText.excerpt(of: Array(text.utf8)[...]))\""
  }
}

/// A text as it is shown in a certain number of columns.
struct FittedText {
  /// The mark that replaces what is cut off.
  static let mark = "…"

  /// The visible text, without characters that a terminal would interpret.
  let text: String
  /// Its number of columns.
  let columns: Int

  /// Shows a text whole, or cut off with a mark at its end.
  ///
  /// The time for a text that is cut off does not grow with its length.
  ///
  /// - Parameter width: the number of columns, at least one; `nil` for no limit.
  init(_ text: String, in width: Int?) {
    guard let width else {
      self.text = TerminalText.visible(text)
      columns = TerminalText.columns(of: self.text)
      return
    }
    let start = text.utf8.prefix(width + 1)
    if start.allSatisfy({ 0x20...0x7E ~= $0 }) {
      let isWhole = start.count <= width
      self.text = isWhole ? text : String(decoding: start.prefix(width - 1), as: UTF8.self) + Self.mark
      columns = min(start.count, width)
      return
    }
    var shown = ""
    var columns = 0
    // As far as the text is shown where the mark follows.
    var (cutLength, cutColumns) = (0, 0)
    for character in text {
      let visible = Self.visible(character)
      let taken = TerminalText.columns(of: visible)
      if columns + taken > width {
        self.text = String(decoding: shown.utf8.prefix(cutLength), as: UTF8.self) + Self.mark
        self.columns = cutColumns + 1
        return
      }
      shown += visible
      columns += taken
      if columns < width { (cutLength, cutColumns) = (shown.utf8.count, columns) }
    }
    (self.text, self.columns) = (shown, columns)
  }

  /// The lines of a text that is wrapped at its maximum width, at a blank if there is one, and after each of its own line
  /// breaks.
  static func lines(of text: String, in width: Int) -> [FittedText] {
    var lines: [FittedText] = []
    var line: [(text: String, columns: Int)] = []
    var columns = 0
    func end(_ part: ArraySlice<(text: String, columns: Int)>) {
      lines.append(FittedText(text: part.map(\.text).joined(), columns: part.reduce(0) { $0 + $1.columns }))
    }
    func endLine() {
      end(line[...])
      (line, columns) = ([], 0)
    }
    for character in text {
      let visible = visible(character)
      let taken = TerminalText.columns(of: visible)
      if columns + taken > width, columns > 0 {
        if visible == " " {
          // The blank would be the first character of the next line.
          endLine()
          continue
        }
        if let blank = line.lastIndex(where: { $0.text == " " }), blank > 0 {
          end(line[..<blank])
          line = Array(line[(blank + 1)...])
          columns = line.reduce(0) { $0 + $1.columns }
        } else {
          endLine()
        }
      }
      line.append((visible, taken))
      columns += taken
      if character.isNewline { endLine() }
    }
    if columns > 0 || lines.isEmpty { endLine() }
    return lines
  }

  private init(text: String, columns: Int) {
    (self.text, self.columns) = (text, columns)
  }

  /// A character may hold any number of combining marks; more than any script stacks would blot the terminal.
  private static func visible(_ character: Character) -> String {
    VisibleText.visible(character.unicodeScalars.prefix(16))
  }
}
