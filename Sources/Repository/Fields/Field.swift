/// One property of a model type within a query closure; comparing it makes a query.
///
/// ```swift
/// $0.weight > 90 && .fire != $0.type  // with values of the property's type, on either side
/// $0.secondType == nil && $0.height < 1.5  // a property that may be nil: with nil, and with what it may hold
/// $0.type == $0.secondType && $0.attack > $0.weight  // with properties of its type, optional or not; any two numbers
/// $0.id.in(1...100) && !$0.name.hasPrefix("M")
/// ```
///
/// What can't be equal does not compile: a text and a number, two enums, a property that is never `nil` and `nil`. Nor
/// does a question about a property of a type that is only kept as JSON.
///
/// The operators are members of this type, so that plain Swift expressions keep their meaning and are type-checked as
/// fast as without them.
public struct Field<Property>: FieldProtocol, Sendable {
  /// The key under which queries find the property.
  public let key: String
}
