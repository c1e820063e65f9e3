import Query

/// Columns that are aligned by the width of their characters, below their names and a rule. Numbers stand at the right.
///
/// Its first rows say how wide the columns are, so that it starts before the last row is known. On a terminal, lines are
/// as wide as that: longer texts are cut with a mark, or broken into lines. Elsewhere nothing is cut, and a text that is
/// wider than its column pushes the rest of its line to the right.
struct TableFormat: RowFormat {
  /// How many rows are looked at first: more than a screen has, and few enough that nobody waits for them.
  private static let mostFirstRows = 500
  /// How many bytes of texts these may hold.
  private static let mostFirstBytes = 1 << 20

  private let columns: [ColumnHeading]
  private let style: TextStyle
  private let options: FormatOptions
  private let null: String
  private var firstRows: [[Value]] = []
  private var firstBytes = 0
  /// `nil` as long as rows are only looked at.
  private var layout: TableLayout?

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    self.columns = columns
    self.style = style
    self.options = options
    null = style.dim("null")
  }

  func begin(_ output: inout OutputBuffer) {}

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    if layout != nil { return print(row, to: &output) }
    firstRows.append(row)
    firstBytes += row.reduce(0) { $0 + $1.size }
    if firstRows.count == Self.mostFirstRows || firstBytes >= Self.mostFirstBytes { start(&output) }
  }

  mutating func end(_ output: inout OutputBuffer) throws(OutputError) {
    if layout == nil { start(&output) }
  }

  var note: String? {
    guard let layout, layout.isCut else { return nil }
    return "\(layout.shown) of \(columns.count) columns fit: --columns chooses others, --format line shows all"
  }

  private mutating func start(_ output: inout OutputBuffer) {
    let layout = TableLayout(columns.indices.map(column), limit: style.width)
    self.layout = layout
    let headings = columns.indices.prefix(layout.shown).map { position in
      let text = FittedText(columns[position].name, in: layout.columns[position].width)
      return [Cell(text, isNumber: columns[position].isNumeric)]
    }
    print(headings, mark: FittedText.mark, to: &output)
    let rule = layout.columns.prefix(layout.shown).map { String(repeating: "─", count: $0.width) }
    output.append((rule + (layout.isCut ? ["─"] : [])).joined(separator: Self.blanks(TableLayout.gap)) + "\n")
    for row in firstRows { print(row, to: &output) }
    firstRows = []
  }

  /// How wide a column has to be for the rows that are known.
  private func column(at position: Int) -> TableColumn {
    var (values, numbers) = (0, 0)
    for row in firstRows {
      let value = row[position]
      let columns = cell(value, in: style.width).columns
      values = max(values, columns)
      if value.kind == .number { numbers = max(numbers, columns) }
    }
    return TableColumn(
      heading: FittedText(columns[position].name, in: style.width).columns, values: values, numbers: numbers)
  }

  /// What is shown of a value on one line.
  private struct Cell {
    let text: String
    let columns: Int
    let isNumber: Bool

    init(_ text: FittedText, isNumber: Bool) {
      (self.text, columns) = (text.text, text.columns)
      self.isNumber = isNumber
    }

    /// - Parameter text: holds escapes, which take no columns.
    init(null text: String, isNumber: Bool) {
      (self.text, columns) = (text, 4)
      self.isNumber = isNumber
    }
  }

  private func cell(_ value: Value, in width: Int?) -> FittedText {
    switch value {
    case .null: FittedText("null", in: nil)
    case .integer, .real: FittedText(value.description, in: nil)
    case .text(let text): FittedText(text, in: width)
    // As many bytes as can be seen.
    case .blob(let bytes): FittedText(text(width.map { Array(bytes.prefix($0)) } ?? bytes), in: width)
    }
  }

  private func text(_ bytes: [UInt8]) -> String { (options.blobs ?? .hex).text(bytes) }

  private mutating func print(_ row: [Value], to output: inout OutputBuffer) {
    guard var layout else { return }
    var cells: [[Cell]] = []
    cells.reserveCapacity(layout.shown)
    for position in 0..<layout.shown {
      let value = row[position]
      if value.isNull {
        _ = layout.makeRoom(for: 4, in: position, isNumber: true)
        cells.append([Cell(null: null, isNumber: columns[position].isNumeric)])
        continue
      }
      let isNumber = value.kind == .number
      // No longer than the whole line, which is all that there may be room for.
      let natural = cell(value, in: style.width)
      let width = layout.makeRoom(for: natural.columns, in: position, isNumber: isNumber)
      if natural.columns <= width, !options.wraps || natural.columns < style.width ?? .max {
        cells.append([Cell(natural, isNumber: isNumber)])
      } else if options.wraps, let text = value.plainText(options.blobs) {
        cells.append(FittedText.lines(of: text, in: width).map { Cell($0, isNumber: isNumber) })
      } else {
        cells.append([Cell(cell(value, in: width), isNumber: isNumber)])
      }
    }
    self.layout = layout
    print(cells, mark: nil, to: &output)
  }

  /// Writes the lines that the cells of a row take.
  private func print(_ cells: [[Cell]], mark: String?, to output: inout OutputBuffer) {
    guard let layout else { return }
    let count = cells.reduce(1) { max($0, $1.count) }
    for line in 0..<count {
      // Blanks wait for what stands behind them, so that there are none at the end of a line.
      var blanks = 0
      func append(_ text: String) {
        output.append(Self.blanks(blanks))
        output.append(text)
        blanks = 0
      }
      for (position, lines) in cells.enumerated() {
        if position > 0 { blanks += TableLayout.gap }
        guard line < lines.count else {
          blanks += layout.columns[position].width
          continue
        }
        let cell = lines[line]
        let padding = max(0, layout.columns[position].width - cell.columns)
        if cell.isNumber { blanks += padding }
        if !cell.text.isEmpty { append(cell.text) }
        if !cell.isNumber { blanks += padding }
      }
      if layout.isCut, line == 0 {
        blanks += TableLayout.gap
        append(mark ?? FittedText.mark)
      }
      output.append("\n")
    }
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension Value {
  /// About as many bytes as it takes.
  fileprivate var size: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}
