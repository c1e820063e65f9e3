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
