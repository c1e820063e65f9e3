import Query

/// Values under names, to be drawn as bars.
struct BarChart {
  /// A bar and its label.
  struct Bar {
    let label: String
    /// The value as it is written.
    let text: String
    /// The bar's length, as a share of the longest: negative where the value is. `nil` where the value is not a number.
    let length: Double?
    /// Whether the value is infinite, so that no bar is long enough.
    let isEndless: Bool
  }

  let title: String
  let bars: [Bar]
  /// The finite number whose bar is the longest, without its sign; 0 where there is none.
  let longest: Double

  init(title: String, _ entries: [(label: String, value: Value)]) {
    self.title = title
    let numbers = entries.map { Self.number($0.value) }
    let longest = numbers.compactMap(\.self).filter(\.isFinite).map(\.magnitude).max() ?? 0
    self.longest = longest
    bars = zip(entries, numbers).map { entry, number in
      Bar(
        label: entry.label, text: TruncatedText.of(entry.value, columns: 24),
        length: number.map { number in
          if number.isInfinite { return number > 0 ? 1 : -1 }
          return longest == 0 ? 0 : number / longest
        }, isEndless: number?.isInfinite ?? false)
    }
  }

  /// The lengths of the bars to the left and to the right of zero, as shares of the longest.
  var reach: (left: Double, right: Double) {
    let lengths = bars.compactMap(\.length)
    let (left, right) = (-min(0, lengths.min() ?? 0), max(0, lengths.max() ?? 0))
    return left == 0 && right == 0 ? (0, 1) : (left, right)
  }

  private static func number(_ value: Value) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .real(let real): real.isNaN ? nil : real
    case .null, .text, .blob: nil
    }
  }
}

/// The characters of a chart.
enum ChartStyle: String, CaseIterable {
  /// Eighths of a character.
  case bars
  /// ASCII characters, for terminals and logs without Unicode.
  case ascii

  static let option = OptionDescription(
    name: "--chart",
    help: "Draw bars as wide as the terminal instead of rows; ascii draws ASCII characters only.",
    excluded: ["--format"], exclusionReason: "--chart draws bars, which have no other format",
    optionalWords: allCases.map(\.rawValue))

  /// The style that arguments request; `nil` for rows.
  init?(_ arguments: Arguments) {
    guard let word = arguments[Self.option] else { return nil }
    self = ChartStyle(rawValue: word) ?? .bars
  }
}

/// A bar chart for terminals: a line for each bar, with its label and value before it.
struct BarChartText {
  private let chart: BarChart
  private let style: ChartStyle
  private let labels: [String]
  private let labelWidth: Int
  private let valueWidth: Int
  /// The number of columns on either side of zero.
  private let area: (left: Int, right: Int)

  /// Lays a chart out.
  ///
  /// - Parameter width: the number of columns.
  init(_ chart: BarChart, width: Int, style: ChartStyle) {
    self.chart = chart
    self.style = style
    let most = max(8, width / 3)
    labels = chart.bars.map { TruncatedText.of($0.label, columns: most) }
    labelWidth = labels.map(TerminalText.columns).max() ?? 0
    valueWidth = chart.bars.map { TerminalText.columns(of: $0.text) }.max() ?? 0
    let (left, right) = chart.reach
    // The axis takes a column where there are bars on its left.
    let room = max(8, width - labelWidth - valueWidth - 4 - (left > 0 ? 1 : 0))
    let leftColumns = left == 0 ? 0 : max(1, Int((Double(room) * left / (left + right)).rounded()))
    area = (leftColumns, max(right == 0 ? 0 : 1, room - leftColumns))
  }

  /// The lines, with the title above them.
  var text: String {
    var text = TerminalText.visible(chart.title) + "\n"
    for (label, bar) in zip(labels, chart.bars) {
      var line = label + blanks(labelWidth - TerminalText.columns(of: label) + 2)
      line += blanks(valueWidth - TerminalText.columns(of: bar.text)) + bar.text + "  "
      line += drawing(of: bar)
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  private func drawing(of bar: BarChart.Bar) -> String {
    let length = bar.length ?? 0
    let (left, right) = chart.reach
    guard left > 0 else { return rightBar(length / right, bar.isEndless) }
    let axis = style == .bars ? "│" : "|"
    if length < 0 { return leftBar(-length / left, bar.isEndless) + axis }
    return blanks(area.left) + axis + (right > 0 ? rightBar(length / right, bar.isEndless) : "")
  }

  /// A bar to the right.
  ///
  /// - Parameter share: of the room there is.
  private func rightBar(_ share: Double, _ isEndless: Bool) -> String {
    if isEndless { return String(repeating: full, count: area.right - 1) + ">" }
    guard style == .bars else { return String(repeating: full, count: units(share, of: area.right)) }
    let eighths = units(share, of: area.right * 8)
    let rest = eighths % 8
    return String(repeating: full, count: eighths / 8) + (rest == 0 ? "" : String(Self.eighths[rest - 1]))
  }

  /// A bar to the left. There are no characters for eighths at the right, but for the half.
  private func leftBar(_ share: Double, _ isEndless: Bool) -> String {
    if isEndless { return "<" + String(repeating: full, count: area.left - 1) }
    let halves = style == .bars ? units(share, of: area.left * 2) : units(share, of: area.left) * 2
    let columns = (halves + 1) / 2
    return blanks(area.left - columns) + (halves % 2 == 1 ? "▐" : "") + String(repeating: full, count: halves / 2)
  }

  /// The number of units of a bar: at least one, unless its value is zero.
  private func units(_ share: Double, of count: Int) -> Int {
    share <= 0 ? 0 : max(1, min(count, Int((share * Double(count)).rounded())))
  }

  private var full: String { style == .bars ? "█" : "#" }

  private static let eighths = Array("▏▎▍▌▋▊▉")

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
