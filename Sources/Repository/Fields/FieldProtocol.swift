/// What every ``Field`` is.
///
/// Swift prefers a member of a type itself to one of a protocol's extension. What shall give way to a closer operator
/// is therefore declared in an extension of this protocol; you don't conform types to it.
public protocol FieldProtocol<Property> {
  /// The type of the property.
  associatedtype Property

  /// The key under which queries find the property.
  var key: String { get }
}
