import Query

/// Values under names, to be drawn as bars.
struct BarChart {
  /// A bar and what stands beside it.
  struct Bar {
    let label: String
    /// The value as it is written.
    let text: String
    /// How long the bar is, as a share of the longest: negative where the value is. `nil` for what is no number.
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
        label: entry.label, text: Excerpt.of(entry.value, columns: 24),
        length: number.map { number in
          if number.isInfinite { return number > 0 ? 1 : -1 }
          return longest == 0 ? 0 : number / longest
        }, isEndless: number?.isInfinite ?? false)
    }
  }

  /// How far the bars reach to the left and to the right of zero, as shares of the longest.
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
