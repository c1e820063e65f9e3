import Foundation

/// How a time grows with the number of rows.
enum Curve: String, CaseIterable, Comparable {
  case constant, logarithmic, linear, linearithmic, quadratic

  static func < (lhs: Curve, rhs: Curve) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }

  /// The slowest growth that explains some times: a constant that misses them by a tenth on average at most, another that
  /// misses them by a quarter, or one that misses them by little more than the one that misses them least.
  ///
  /// A logarithm of the number of rows is the depth of a B-tree; a time with one may also hold a share that is constant.
  init(_ points: [(size: Int, seconds: Double)]) {
    let errors = Self.allCases.map { (curve: $0, error: $0.error(over: points)) }
    let least = errors.map(\.error).min() ?? 0
    self = errors.first { $0.error <= max($0.curve == .constant ? 0.1 : 0.25, 1.25 * least) }?.curve ?? .quadratic
  }

  private func steps(_ size: Int) -> Double {
    let size = Double(size)
    return switch self {
    case .constant: 0
    case .logarithmic: log2(size)
    case .linear: size
    case .linearithmic: size * log2(size)
    case .quadratic: size * size
    }
  }

  /// By what share the best `a + b · steps` with neither below zero misses the times, the root of the mean square.
  private func error(over points: [(size: Int, seconds: Double)]) -> Double {
    // Least squares of 1 = a/t + b·steps/t: shares of each time count alike, however small it is.
    let rows = points.map { (constant: 1 / $0.seconds, step: steps($0.size) / $0.seconds) }
    func sum(_ term: ((constant: Double, step: Double)) -> Double) -> Double { rows.map(term).reduce(0, +) }
    let (cc, cs, ss) = (sum { $0.constant * $0.constant }, sum { $0.constant * $0.step }, sum { $0.step * $0.step })
    let (c, s) = (sum(\.constant), sum(\.step))
    func error(_ a: Double, _ b: Double) -> Double {
      (sum { pow(a * $0.constant + b * $0.step - 1, 2) } / Double(rows.count)).squareRoot()
    }
    var candidates: [(Double, Double)] = [(c / cc, 0)]
    if ss > 0 {
      candidates.append((0, s / ss))
      let determinant = cc * ss - cs * cs
      if determinant > 0 {
        let both = ((c * ss - s * cs) / determinant, (s * cc - c * cs) / determinant)
        if both.0 >= 0, both.1 >= 0 { candidates.append(both) }
      }
    }
    return candidates.map(error).min() ?? .infinity
  }
}
