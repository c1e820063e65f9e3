/// A place in a query's text at which a parameter stands.
package struct ParameterUse: Hashable, Sendable {
  /// The parameter's name, without its colon.
  package let name: String
  /// The key with which its value is compared.
  package let key: String
  /// Whether nothing but a text makes sense there.
  package let isText: Bool
}
