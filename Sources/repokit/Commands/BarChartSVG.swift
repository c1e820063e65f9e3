/// Bar charts as a picture: SVG 1.1, which browsers show light or dark as their user likes it.
///
/// https://www.w3.org/TR/SVG11/
struct BarChartSVG {
  private static let width = 760.0
  private static let rowHeight = 24.0
  private static let margin = 16.0
  /// About what a character of the fonts named below takes.
  private static let columnWidth = 7.4
  private static let mostLabelColumns = 32

  private let title: String
  private let charts: [BarChart]

  /// - Parameters:
  ///   - title: what all charts are about.
  ///   - charts: one or several, which stand below each other.
  init(title: String, _ charts: [BarChart]) {
    self.title = title
    self.charts = charts
  }

  var text: String {
    var body = ""
    var top = Self.margin + 20
    body += element("text", [("class", "title"), ("x", Self.number(Self.margin)), ("y", Self.number(top))], title)
    top += 12
    for chart in charts { body += draw(chart, at: &top) }
    let height = Self.number(top + Self.margin)
    let width = Self.number(Self.width)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
      <title>\(XMLText.escaped(title))</title>
      <style>
      .page { fill: #ffffff } .bar { fill: #3b6fb5 } .line { stroke: #d5d9de } .axis { stroke: #6b7280 }
      text { fill: #1f2430; font: 13px system-ui, sans-serif } .title { font-size: 16px; font-weight: 600 }
      .aggregate { font-weight: 600 } .tick { fill: #6b7280; font-size: 11px }
      @media (prefers-color-scheme: dark) {
      .page { fill: #16181d } .bar { fill: #7aa7e6 } .line { stroke: #333843 } .axis { stroke: #9aa1ad }
      text { fill: #e8eaee } .tick { fill: #9aa1ad }
      }
      </style>
      <rect class="page" width="100%" height="100%"/>
      \(body)</svg>

      """
  }

  private func draw(_ chart: BarChart, at top: inout Double) -> String {
    let labels = chart.bars.map { Excerpt.of($0.label, columns: Self.mostLabelColumns) }
    let room = (
      label: Self.room(for: labels), value: Self.room(for: chart.bars.map(\.text))
    )
    let left = Self.margin + room.label + 12
    let right = Self.width - Self.margin - room.value - 8
    let (before, after) = chart.reach
    let unit = (right - left) / (before + after)
    let zero = left + before * unit
    top += 24
    var body = element(
      "text", [("class", "aggregate"), ("x", Self.number(Self.margin)), ("y", Self.number(top))], chart.title)
    top += 12
    let bottom = top + Double(chart.bars.count) * Self.rowHeight
    if chart.longest > 0 {
      // Halves, so that the greatest doubles have a span.
      for tick in AxisTicks(from: -before * chart.longest / 2, to: after * chart.longest / 2).numbers {
        let x = zero + tick * 2 / chart.longest * unit
        body += line("line", x, top, bottom)
        body += element(
          "text",
          [("class", "tick"), ("x", Self.number(x)), ("y", Self.number(bottom + 16)), ("text-anchor", "middle")],
          ShortNumber.text(tick * 2))
      }
    }
    for (row, (label, bar)) in zip(labels, chart.bars).enumerated() {
      let y = top + Double(row) * Self.rowHeight
      let middle = Self.number(y + Self.rowHeight / 2 + 4.5)
      body += element(
        "text", [("x", Self.number(left - 8)), ("y", middle), ("text-anchor", "end")], label)
      var end = zero
      if let length = bar.length {
        let pixels = length * unit
        end = zero + max(0, pixels)
        body +=
          "<rect class=\"bar\" x=\"\(Self.number(zero + min(0, pixels)))\" y=\"\(Self.number(y + 4))\" "
          + "width=\"\(Self.number(pixels.magnitude))\" height=\"\(Self.number(Self.rowHeight - 8))\">"
          + "<title>\(XMLText.escaped("\(bar.label): \(bar.text)"))</title></rect>\n"
      }
      body += element("text", [("x", Self.number(end + 6)), ("y", middle)], bar.text)
    }
    body += line("axis", zero, top, bottom)
    top = bottom + 24
    return body
  }

  private func line(_ kind: String, _ x: Double, _ top: Double, _ bottom: Double) -> String {
    "<line class=\"\(kind)\" x1=\"\(Self.number(x))\" y1=\"\(Self.number(top))\" x2=\"\(Self.number(x))\" "
      + "y2=\"\(Self.number(bottom))\"/>\n"
  }

  private func element(_ name: String, _ attributes: [(String, String)], _ text: String) -> String {
    "<\(name)\(attributes.map { " \($0)=\"\($1)\"" }.joined())>\(XMLText.escaped(text))</\(name)>\n"
  }

  private static func room(for texts: [String]) -> Double {
    Double(texts.map(TerminalText.columns).max() ?? 0) * columnWidth
  }

  /// To the tenth of a pixel.
  private static func number(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let rest = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
  }
}

/// Round numbers along an axis.
struct AxisTicks {
  /// The numbers, from small to great.
  let numbers: [Double]

  /// Makes from three to about seven ticks between two numbers, at multiples of 1, 2 or 5 and a power of ten.
  init(from lower: Double, to upper: Double) {
    let span = upper - lower
    guard span.isFinite, span > 0 else {
      numbers = [lower, upper].filter(\.isFinite)
      return
    }
    var power = 1.0
    while power * 10 <= span { power *= 10 }
    while power > span { power /= 10 }
    let step = [0.2, 0.5, 1, 2].map { $0 * power }.first { span / $0 <= 6 } ?? span
    let first = (lower / step).rounded(.up)
    let count = Int((span / step + 1e-9).rounded(.down)) + 1
    numbers = (0..<count).map { (first + Double($0)) * step }.filter { $0 <= upper + step / 1_000 }
  }
}

/// Texts as XML has them.
enum XMLText {
  /// Escapes what XML takes for its own, and shows pictures of what it can't hold at all, such as control characters.
  /// https://www.w3.org/TR/xml/#charsets
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in TerminalText.visible(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
