public import Query

/// In which order to give groups of elements of one type.
public struct GroupOrder<Element: Storable> {
  private let erase: (Schema<Element>) -> FigureOrder

  /// By the values that the groups share, from small to great, `nil` first.
  public static var group: GroupOrder { GroupOrder { _ in .group } }

  /// By a figure that is asked for, from small to great; where that does not decide, as ``group``.
  public static func ascending(_ figure: Figure<Element, some Any>) -> GroupOrder {
    GroupOrder { .ascending(figure.erased(by: $0)) }
  }

  /// By a figure that is asked for, from great to small; where that does not decide, as ``group``.
  public static func descending(_ figure: Figure<Element, some Any>) -> GroupOrder {
    GroupOrder { .descending(figure.erased(by: $0)) }
  }

  private init(_ erase: @escaping (Schema<Element>) -> FigureOrder) {
    self.erase = erase
  }

  /// The same order by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> FigureOrder { erase(schema) }
}
