import Query

/// Columns that are aligned by the width of their characters, below their names and a rule. Numbers are aligned right.
///
/// Its first rows say how wide the columns are, so that it starts before the last row is known. On a terminal, lines
/// are as wide as that: longer texts are cut with a mark, or broken into lines. Elsewhere nothing is cut, and a text
/// that is wider than its column pushes the rest of its line to the right.
struct TableFormat: OutputFormat {
  /// The number of rows that are measured first: more than a screen has, and few enough to cause no delay.
  private static let mostFirstRows = 500
  /// The maximum number of bytes of texts in these rows.
  private static let mostFirstBytes = 1 << 20

  private let columns: [ColumnHeading]
  private let style: TextStyle
  private let options: FormatOptions
  /// The text for null, without escapes and with those of the terminal.
  private let null: (plain: FittedText, text: String)
  private var firstRows: [[Value]] = []
  private var firstBytes = 0
  /// `nil` while rows are only measured.
  private var layout: TableLayout?

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    self.columns = columns
    self.style = style
    self.options = options
    let text = FittedText(options.rowText.null ?? "null", in: nil)
    null = (text, style.dim(text.text))
  }

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
    let fit = "\(layout.shown) of \(columns.count) columns fit"
    return options.canChooseColumns
      ? "\(fit); choose columns with --columns, or show all with --format line"
      : "\(fit); --format line shows all columns"
  }

  private mutating func start(_ output: inout OutputBuffer) {
    let layout = TableLayout(columns.indices.map(column), limit: style.width)
    self.layout = layout
    defer {
      for row in firstRows { print(row, to: &output) }
      firstRows = []
    }
    guard options.rowText.hasNames else { return }
    let headings = columns.indices.prefix(layout.shown).map { position in
      let text = FittedText(columns[position].name, in: layout.columns[position].width)
      return [Cell(text, isNumber: columns[position].isNumeric)]
    }
    print(headings, mark: FittedText.mark, to: &output)
    let rule = layout.columns.prefix(layout.shown).map { String(repeating: "─", count: $0.width) }
    output.append((rule + (layout.isCut ? ["─"] : [])).joined(separator: Self.blanks(TableLayout.gap)) + "\n")
  }

  /// The width that a column needs for the known rows.
  private func column(at position: Int) -> ColumnWidth {
    var (values, numbers) = (0, 0)
    for row in firstRows {
      let value = row[position]
      let columns = cell(value, in: style.width).columns
      values = max(values, columns)
      if isWhole(value, position) { numbers = max(numbers, columns) }
    }
    let heading = options.rowText.hasNames ? FittedText(columns[position].name, in: style.width).columns : 0
    return ColumnWidth(
      heading: heading, values: values, numbers: numbers)
  }

  /// The part of a value that is shown on one line.
  private struct Cell {
    let text: String
    let columns: Int
    let isNumber: Bool

    init(_ text: FittedText, isNumber: Bool) {
      (self.text, columns) = (text.text, text.columns)
      self.isNumber = isNumber
    }

    /// - Parameter text: may contain escapes, which take no columns.
    init(null text: String, columns: Int, isNumber: Bool) {
      (self.text, self.columns) = (text, columns)
      self.isNumber = isNumber
    }
  }

  private func cell(_ value: Value, in width: Int?) -> FittedText {
    switch value {
    case .null: null.plain
    case .integer, .real: FittedText(value.description, in: nil)
    case .text(let text): FittedText(text, in: width)
    // As many bytes as can be seen.
    case .blob(let bytes): FittedText(text(width.map { Array(bytes.prefix($0)) } ?? bytes), in: width)
    }
  }

  private func isNumber(_ value: Value, _ position: Int) -> Bool {
    value.kind == .number || columns[position].form?.isNumber == true
  }

  /// Whether a value is never cut: a part of a number or of a date is another one.
  private func isWhole(_ value: Value, _ position: Int) -> Bool {
    if case .text(let text) = value { return isNumber(value, position) || Self.isDate(text) }
    return isNumber(value, position)
  }

  /// Whether a text is a day, perhaps with a time behind it.
  private static func isDate(_ text: String) -> Bool {
    let bytes = text.utf8
    guard 10...35 ~= bytes.count else { return false }
    let isDay = zip(bytes, "0000-00-00".utf8).allSatisfy { byte, form in
      form == UInt8(ascii: "-") ? byte == form : UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
    return isDay && bytes.dropFirst(10).allSatisfy { "0123456789:.+-TZ ".utf8.contains($0) }
  }

  private func text(_ bytes: [UInt8]) -> String { (options.blobs ?? .hex).text(bytes) }

  private mutating func print(_ row: [Value], to output: inout OutputBuffer) {
    guard var layout else { return }
    var cells: [[Cell]] = []
    cells.reserveCapacity(layout.shown)
    for position in 0..<layout.shown {
      let value = row[position]
      if value.isNull {
        _ = layout.makeRoom(for: null.plain.columns, in: position, isNumber: true)
        cells.append([Cell(null: null.text, columns: null.plain.columns, isNumber: columns[position].isNumeric)])
        continue
      }
      let isNumber = isNumber(value, position)
      // No longer than the whole line, which is all that there may be room for.
      let natural = cell(value, in: style.width)
      let width = layout.makeRoom(for: natural.columns, in: position, isNumber: isWhole(value, position))
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

  /// Writes the lines of a row's cells.
  private func print(_ cells: [[Cell]], mark: String?, to output: inout OutputBuffer) {
    guard let layout else { return }
    let count = cells.reduce(1) { max($0, $1.count) }
    for line in 0..<count {
      // Blanks are written together with the text after them, so that there are none at the end of a line.
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
  /// The approximate number of bytes that it takes.
  fileprivate var size: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

/// The width of a table's column, and its limits.
struct ColumnWidth {
  /// The number of columns of the widest value that is known so far.
  var natural: Int
  /// The minimum: numbers and dates are never cut, since a part of a number is another number.
  var least: Int
  /// The minimum at which it is worth being shown where other columns have to be left out anyway.
  let readable: Int
  /// The width of the widest value that may not be cut.
  let numbers: Int
  /// The width that it has.
  var width: Int

  /// - Parameters:
  ///   - heading: the width of the column's name.
  ///   - values: the width of the widest value.
  ///   - numbers: the width of the widest value that may not be cut.
  init(heading: Int, values: Int, numbers: Int) {
    natural = max(heading, values)
    self.numbers = numbers
    least = max(numbers, min(natural, numbers == values ? Self.leastName : Self.leastText))
    readable = max(least, min(natural, Self.readableText))
    width = natural
  }

  /// The start of a word, and the mark that there is more.
  static let leastText = 7
  /// The same for the name of a column of numbers.
  private static let leastName = 6
  private static let readableText = 12
}

/// Distributes the available width over the columns of a table.
struct TableLayout {
  /// The number of blanks between two columns.
  static let gap = 2

  private(set) var columns: [ColumnWidth]
  /// The number of the table's columns that are shown, from the first on.
  let shown: Int
  private let limit: Int?

  /// Lays columns out.
  ///
  /// If the columns are wider than the line, the widest get narrower first. If they can't be narrow enough, the last ones
  /// are left out, and a mark is shown instead.
  ///
  /// - Parameter limit: the number of columns of a terminal line; `nil` for lines of any length.
  init(_ columns: [ColumnWidth], limit: Int?) {
    self.columns = columns
    self.limit = limit
    guard let limit else {
      shown = columns.count
      for (position, column) in columns.enumerated() {
        self.columns[position].width = min(column.natural, max(column.least, Self.mostBlanks))
      }
      return
    }
    shown = Self.fitting(columns, in: limit)
    // A gap and the mark.
    let rest = shown < columns.count ? Self.gap + 1 : 0
    let widths = Self.widths(of: columns[..<shown], in: limit - rest - Self.gap * (shown - 1))
    for (position, width) in widths.enumerated() { self.columns[position].width = width }
  }

  /// Whether some columns are left out.
  var isCut: Bool { shown < columns.count }

  /// The number of columns that can be shown, at least one.
  private static func fitting(_ columns: [ColumnWidth], in limit: Int) -> Int {
    if columns.reduce(-gap, { $0 + gap + $1.least }) <= limit { return columns.count }
    var taken = 0
    for (position, column) in columns.enumerated() {
      taken += column.readable + gap
      // The mark that there are more.
      if taken + 1 > limit { return max(1, position) }
    }
    // They would be shown if they could be narrower, which the mark makes up for.
    return max(1, columns.count - 1)
  }

  /// The widths of columns whose least widths fit.
  private static func widths(of columns: ArraySlice<ColumnWidth>, in limit: Int) -> [Int] {
    func widths(_ most: Int) -> [Int] { columns.map { max($0.least, min($0.natural, most)) } }
    let natural = columns.map(\.natural)
    if natural.reduce(0, +) <= limit { return natural }
    // The largest width that no column exceeds unless it has to.
    var (low, high) = (0, natural.max() ?? 0)
    while low < high {
      let middle = (low + high + 1) / 2
      if widths(middle).reduce(0, +) <= limit { low = middle } else { high = middle - 1 }
    }
    var given = widths(low)
    // What can't be divided goes to the first ones that are cut.
    var rest = limit - given.reduce(0, +)
    for (position, column) in columns.enumerated() where rest > 0 && given[position] == low && column.natural > low {
      given[position] += 1
      rest -= 1
    }
    // A single text that can't be narrow enough is cut further than it should be.
    guard columns.count == 1, let column = columns.first else { return given }
    return [max(1, column.numbers, min(given[0], limit))]
  }
}

// A table is laid out by its first rows, and later ones may need more.
extension TableLayout {
  /// The most that a column is filled up with blanks to where lines may be of any length: one long text would make all
  /// lines after it as long.
  private static let mostBlanks = 120

  /// Makes room for a value in a column, as far as there is some: from the end of the line, and for a number and for
  /// the start of a text also from the widest texts.
  ///
  /// - Returns: the column's new width.
  mutating func makeRoom(for needed: Int, in position: Int, isNumber: Bool) -> Int {
    let width = columns[position].width
    if needed <= width { return width }
    guard let limit else {
      if needed <= Self.mostBlanks || isNumber { columns[position].width = needed }
      return needed
    }
    let taken = columns[..<shown].reduce(0) { $0 + $1.width } + Self.gap * (shown - 1) + (isCut ? Self.gap + 1 : 0)
    columns[position].width += min(needed - width, max(0, limit - taken))
    let claim = isNumber ? needed : min(needed, ColumnWidth.leastText)
    while columns[position].width < claim {
      let others = columns.indices.prefix(shown).filter { $0 != position && columns[$0].width > columns[$0].least }
      guard let widest = others.max(by: { columns[$0].width < columns[$1].width }) else { break }
      columns[widest].width -= 1
      columns[position].width += 1
    }
    if isNumber { columns[position].least = max(columns[position].least, columns[position].width) }
    // A number is always shown whole, even if the line gets too long.
    return isNumber ? max(needed, columns[position].width) : columns[position].width
  }
}
