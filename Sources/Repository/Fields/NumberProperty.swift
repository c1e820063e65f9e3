public import Query

/// A property type that is a number, optional or not: such properties compare with each other whatever their types.
///
/// `Bool` is none, although it is stored as one.
public protocol NumberProperty: ValueConvertible {}

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
extension Double: NumberProperty {}
extension Float: NumberProperty {}
extension Optional: NumberProperty where Wrapped: NumberProperty {}
