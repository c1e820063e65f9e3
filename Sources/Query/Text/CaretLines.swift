/// A place in a text, shown on two lines: the line of the text, and a `^` below the place.
struct CaretLines: CustomStringConvertible {
  static let maximumColumns = 72

  private var line = ""
  private var columnsBefore = 0

  /// - Parameter position: the number of Unicode scalars before the place.
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
      // The place may be amid a character; the caret stands below its start.
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

  /// The cells that fit beside two ellipses: half of them before the caret, unless there are fewer on one side.
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
  /// A character as it is shown.
  private struct Cell {
    /// What stands after a line: nothing, and yet the caret takes a column below it.
    static let end = Cell(text: "", columns: 1)

    let text: String
    let columns: Int

    private init(text: String, columns: Int) {
      (self.text, self.columns) = (text, columns)
    }

    init(_ character: Character) {
      // A character may hold any number of combining marks; more than any script stacks would blot the terminal.
      let text = character == "\t" ? " " : VisibleText.visible(character.unicodeScalars.prefix(16))
      self.init(text: text, columns: text.reduce(0) { $0 + VisibleText.columns(of: $1) })
    }
  }
}

extension Unicode.Scalar {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" }
}
