public import ErrorDetails

/// An error in the text form of a query, a sort or an expression: where it is, and what to write instead.
///
/// ```swift
/// do {
///   _ = try AnyQuery(parsing: "weight between 1 100")
/// } catch {
///   print(error.summary)  // expected `and`, found `100`
///   print(error.caret)  // weight between 1 100
///                       //                  ^
///   print(error.suggestion ?? "")  // write `between 1 and 100`
/// }
/// ```
///
/// The error holds the text, and with it the values of the query.
public struct ParseError: FriendlyError, Hashable, Sendable {
  /// The text that was parsed.
  public let text: String
  /// The position of the error: the number of Unicode scalars before it, as `text.unicodeScalars` counts them.
  ///
  /// Scalars and not characters, because a quote that is followed by a combining accent is one `Character`. If the text ends
  /// too early, the position is the end of its last word, not of the white space after that. If a quote is never closed, the
  /// position is that of the quote.
  public let position: Int
  /// The description of what was expected there, such as "a value or a key".
  public let expected: String
  /// The description of what was found there, such as "`)`" or "the end of the text"; shortened, and without control characters.
  public let found: String
  /// The reason, if the summary does not tell it.
  public let reason: String?
  /// The advice what to write instead, if there is any.
  public let suggestion: String?

  /// Makes an error, whose reason and advice may quote what a terminal would interpret.
  init(text: String, position: Int, expected: String, found: String, reason: String?, suggestion: String?) {
    (self.text, self.position, self.expected, self.found) = (text, position, expected, found)
    self.reason = reason.map { VisibleText.visible($0.unicodeScalars) }
    self.suggestion = suggestion.map { VisibleText.visible($0.unicodeScalars) }
  }
}

extension ParseError {
  /// The description of what was expected and what was found, in one sentence.
  public var summary: String { "expected \(expected), found \(found)" }

  /// The line of the text with the error and, on a second line, a `^` below its position.
  ///
  /// Made for terminals: it has at most 72 columns, shows control characters as pictures, and counts two columns for wide
  /// characters, such as Japanese ones and emoji.
  public var caret: String { CaretLines(text: text, position: position).description }
}

extension ParseError: CustomStringConvertible {
  /// The summary, the position, counted from 0, the reason and the suggestion in one line.
  public var description: String {
    ["\(summary), at position \(position)", reason, suggestion].compactMap(\.self).joined(separator: "; ")
  }
}

/// A position in a text, shown on two lines: the line of the text, and a `^` below the position.
struct CaretLines: CustomStringConvertible {
  static let maximumColumns = 72

  private var line = ""
  private var columnsBefore = 0

  /// - Parameter position: the number of Unicode scalars before the position.
  init(text: String, position: Int) {
    let scalars = text.unicodeScalars
    let place = scalars.index(scalars.startIndex, offsetBy: position)
    let start = scalars[..<place].lastIndex(where: \.endsLine).map(scalars.index(after:)) ?? scalars.startIndex
    let end = scalars[place...].firstIndex(where: \.endsLine) ?? scalars.endIndex

    var cells: [Cell] = []
    var caret: Int?
    var remaining = scalars.distance(from: start, to: place)
    for character in String(scalars[start..<end]) {
      let count = character.unicodeScalars.count
      // The position may be within a character; the caret is below its start.
      if caret == nil, remaining < count { caret = cells.count }
      remaining -= count
      cells.append(Cell(character))
    }
    if caret == nil { cells.append(.end) }
    show(cells, around: caret ?? cells.count - 1)
  }

  private mutating func show(_ cells: [Cell], around caret: Int) {
    var shown = 0..<cells.count
    if cells.reduce(0, { $0 + $1.columns }) > Self.maximumColumns {
      shown = Self.window(of: cells, around: caret)
    }
    if shown.lowerBound > 0 {
      line = "…"
      columnsBefore = 1
    }
    for (index, cell) in zip(shown, cells[shown]) {
      line += cell.text
      if index < caret { columnsBefore += cell.columns }
    }
    if shown.upperBound < cells.count { line += "…" }
  }

  /// Returns the cells that fit between two ellipses: half of them before the caret, unless there are fewer on one side.
  private static func window(of cells: [Cell], around caret: Int) -> Range<Int> {
    var (lower, upper) = (caret, caret)
    var free = maximumColumns - 2
    func grow(before limit: Int) {
      while lower > 0, free - cells[lower - 1].columns >= limit {
        lower -= 1
        free -= cells[lower].columns
      }
    }
    grow(before: free / 2)
    while upper < cells.count, free >= cells[upper].columns {
      free -= cells[upper].columns
      upper += 1
    }
    grow(before: 0)
    return lower..<upper
  }

  var description: String { line + "\n" + String(repeating: " ", count: columnsBefore) + "^" }
}

extension CaretLines {
  /// A character as it is displayed.
  private struct Cell {
    /// The end of a line: empty, but one column wide for the caret.
    static let end = Cell(text: "", columns: 1)

    let text: String
    let columns: Int

    private init(text: String, columns: Int) {
      (self.text, self.columns) = (text, columns)
    }

    init(_ character: Character) {
      if character.utf8.count == 1, let byte = character.utf8.first, 0x20...0x7E ~= byte {
        self.init(text: String(character), columns: 1)
        return
      }
      // A character may have any number of combining marks; more than any script uses would clutter the terminal.
      let text = character == "\t" ? " " : VisibleText.visible(character.unicodeScalars.prefix(16))
      self.init(text: text, columns: text.reduce(0) { $0 + VisibleText.columns(of: $1) })
    }
  }
}

extension Unicode.Scalar {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" }
}
