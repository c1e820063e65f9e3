/// In which order to give groups.
public enum FigureOrder: Hashable, Sendable {
  /// By the values of their keys, from small to great, nulls first.
  case group
  /// By one of the figures, from small to great; where that does not decide, as ``group``.
  case ascending(AnyFigure)
  /// By one of the figures, from great to small; where that does not decide, as ``group``.
  case descending(AnyFigure)
}
