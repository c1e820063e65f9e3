/// The figures of one group of rows.
public struct FigureRow: Hashable, Sendable {
  /// The values that the rows of the group share, in the order of ``FigureRequest/groupKeys``.
  public let keys: [Value]
  /// The figures, in the order of ``FigureRequest/figures``.
  public let figures: [Value]

  /// Makes a row, for repositories of your own.
  public init(keys: [Value], figures: [Value]) {
    self.keys = keys
    self.figures = figures
  }
}
