/// Counts as a row of small bars.
enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// A bar for each count, as high as its share of the greatest; none for 0, and the lowest for whatever is more than that.
  static func text(_ counts: [Int]) -> String {
    let greatest = counts.max() ?? 0
    return String(
      counts.map { count -> Character in
        if count <= 0 { return " " }
        let height = (Double(count) / Double(greatest) * Double(bars.count)).rounded(.up)
        return bars[max(0, min(bars.count, Int(height)) - 1)]
      })
  }
}
