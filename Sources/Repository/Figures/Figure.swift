public import Query

/// A figure of elements of one type, whose result has the Swift type that fits: `.count`, `.average(\.weight)`.
///
/// ```swift
/// let groups = try await pokedex.figures(.count, .max(\.weight), groupedBy: \.type)
/// ```
///
/// What each figure means is part of the contract, see <doc:Semantics>.
public struct Figure<Element: Storable, Output: Sendable> {
  /// Finds the key in the schema.
  private let erase: (Schema<Element>) -> AnyFigure

  private init(_ erase: @escaping (Schema<Element>) -> AnyFigure) {
    self.erase = erase
  }

  /// The same figure by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AnyFigure { erase(schema) }
}

extension Figure where Output == Int {
  /// How many elements there are.
  public static var count: Figure { Figure { _ in .count } }

  /// How many elements have the property; not those in which it is `nil`.
  public static func count(_ path: KeyPath<Element, some Any>) -> Figure { Figure { .count(key: $0.key(of: path)) } }
}

extension Figure where Output == Double? {
  /// The exact average, rounded to the nearest `Double`; `nil` where no element has the property.
  public static func average(_ path: KeyPath<Element, some NumberProperty>) -> Figure {
    Figure { .average(key: $0.key(of: path)) }
  }
}

extension Figure {
  /// The sum; 0 where no element has the property.
  public static func sum<Number: NumberProperty>(_ path: KeyPath<Element, Number>) -> Figure
  where Output == Number.Sum { Figure { .sum(key: $0.key(of: path)) } }

  /// The least value; `nil` where there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Figure
  where Output == Property? { Figure { .min(key: $0.key(of: path)) } }

  /// The least value, `nil` left out; `nil` where there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Figure
  where Output == Property? { Figure { .min(key: $0.key(of: path)) } }

  /// The greatest value; `nil` where there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Figure
  where Output == Property? { Figure { .max(key: $0.key(of: path)) } }

  /// The greatest value, `nil` left out; `nil` where there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Figure
  where Output == Property? { Figure { .max(key: $0.key(of: path)) } }
}
