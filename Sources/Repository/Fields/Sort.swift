public import Query

/// An order by properties of a model type: `.descending(\.weight) + .ascending(\.name)`.
///
/// A property that is kept as JSON has no order.
public struct Sort<Element: Storable>: Sendable {
  private struct Term {
    let path: any AnyKeyPath & Sendable
    let direction: SortTerm.Direction
    let nulls: NullPlacement
  }

  private let terms: [Term]

  /// From small to great.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - nulls: where `nil` stands; first, unless you say otherwise.
  public static func ascending(
    _ path: any KeyPath<Element, some ValueConvertible> & Sendable, nulls: NullPlacement = .first
  ) -> Sort {
    Sort(terms: [Term(path: path, direction: .ascending, nulls: nulls)])
  }

  /// From great to small.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - nulls: where `nil` stands; last, unless you say otherwise.
  public static func descending(
    _ path: any KeyPath<Element, some ValueConvertible> & Sendable, nulls: NullPlacement = .last
  ) -> Sort {
    Sort(terms: [Term(path: path, direction: .descending, nulls: nulls)])
  }

  /// Sorts by the left side, and where that does not decide, by the right.
  public static func + (lhs: Sort, rhs: Sort) -> Sort {
    Sort(terms: lhs.terms + rhs.terms)
  }

  /// The same as `+`, read as "before": `.descending(\.weight) > .ascending(\.name)`.
  ///
  /// Swift gives `>` no associativity: join three and more with `+`.
  public static func > (lhs: Sort, rhs: Sort) -> Sort { lhs + rhs }

  /// The order of the primary key.
  public static var primaryKey: Sort { Sort(terms: []) }

  /// The same order by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AnySort {
    AnySort(terms.map { SortTerm(key: schema.key(of: $0.path), direction: $0.direction, nulls: $0.nulls) })
  }
}
