public import Query

/// A property type that is a number, optional or not: such properties compare with each other whatever their types, and
/// have a sum and an average.
///
/// `Bool` is none, although it is stored as one.
public protocol NumberProperty: ValueConvertible {
  /// The type of a sum: `Int` for integers of any width, `Double` for reals.
  associatedtype Sum: ValueConvertible = Int
}

extension Int: NumberProperty {}
extension Int8: NumberProperty {}
extension Int16: NumberProperty {}
extension Int32: NumberProperty {}
extension Int64: NumberProperty {}
extension UInt: NumberProperty {}
extension UInt8: NumberProperty {}
extension UInt16: NumberProperty {}
extension UInt32: NumberProperty {}
extension UInt64: NumberProperty {}
extension Double: NumberProperty {
  /// A real.
  public typealias Sum = Double
}
extension Float: NumberProperty {
  /// A real of twice the precision.
  public typealias Sum = Double
}
extension Optional: NumberProperty where Wrapped: NumberProperty {
  /// What the wrapped type's is: a sum leaves `nil` out.
  public typealias Sum = Wrapped.Sum
}
