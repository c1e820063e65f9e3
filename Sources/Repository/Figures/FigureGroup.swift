/// The figures of a group of elements.
public struct FigureGroup<Key: Sendable, Figures: Sendable>: Sendable {
  /// What the elements of the group share: the property by which they are grouped, or a tuple where there are several.
  public let key: Key
  /// The figures: one alone, or a tuple in the order in which they were asked for.
  public let figures: Figures
}
