/// How many Unicode scalars texts have.
package struct TextLengths: Hashable, Sendable {
  /// Of the shortest.
  package let min: Int
  /// Of the longest.
  package let max: Int
  /// Of all on average.
  package let mean: Double
}
