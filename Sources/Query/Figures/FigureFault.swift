/// Why a sum or an average can't be given.
///
/// It travels as a text, which no sum is, so that a database's function can return it and the error is made in one place.
package enum FigureFault: String, Sendable {
  /// A sum of integers that is no `Int64`.
  case overflow
  /// Both infinities were added.
  case notANumber

  /// The fault in the place of the figure.
  package var value: Value { .text(rawValue) }
}
