/// Gives the columns of a table the width that there is.
struct TableLayout {
  /// What stands between two columns.
  static let gap = 2

  private(set) var columns: [TableColumn]
  /// How many columns of the table are shown, from the first on.
  let shown: Int
  private let limit: Int?

  /// Lays columns out.
  ///
  /// Where they take more than there is, the widest get narrower first. Where they can't be narrow enough, the last ones
  /// are left out, and a mark stands in their place.
  ///
  /// - Parameter limit: how many columns a line of the terminal has; `nil` where lines may be of any length.
  init(_ columns: [TableColumn], limit: Int?) {
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

  /// How many columns can be shown, at least one.
  private static func fitting(_ columns: [TableColumn], in limit: Int) -> Int {
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
  private static func widths(of columns: ArraySlice<TableColumn>, in limit: Int) -> [Int] {
    func widths(_ most: Int) -> [Int] { columns.map { max($0.least, min($0.natural, most)) } }
    let natural = columns.map(\.natural)
    if natural.reduce(0, +) <= limit { return natural }
    // The greatest width that no column exceeds unless it has to.
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

  /// Makes room for a value in a column, as far as there is some: from the end of the line, and for a number and for the
  /// start of a text also from the widest texts.
  ///
  /// - Returns: how wide the column is now.
  mutating func makeRoom(for needed: Int, in position: Int, isNumber: Bool) -> Int {
    let width = columns[position].width
    if needed <= width { return width }
    guard let limit else {
      if needed <= Self.mostBlanks || isNumber { columns[position].width = needed }
      return needed
    }
    let taken = columns[..<shown].reduce(0) { $0 + $1.width } + Self.gap * (shown - 1) + (isCut ? Self.gap + 1 : 0)
    columns[position].width += min(needed - width, max(0, limit - taken))
    let claim = isNumber ? needed : min(needed, TableColumn.leastText)
    while columns[position].width < claim {
      let others = columns.indices.prefix(shown).filter { $0 != position && columns[$0].width > columns[$0].least }
      guard let widest = others.max(by: { columns[$0].width < columns[$1].width }) else { break }
      columns[widest].width -= 1
      columns[position].width += 1
    }
    if isNumber { columns[position].least = max(columns[position].least, columns[position].width) }
    // A number stands there whole, whatever becomes of the line.
    return isNumber ? max(needed, columns[position].width) : columns[position].width
  }
}
