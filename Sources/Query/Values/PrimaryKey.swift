/// What identifies one row: the values of one or several columns.
///
/// Every ``ValueConvertible`` type is one. A key of several columns is a struct of its own:
///
/// ```swift
/// struct Membership: PrimaryKey {
///   let team: UUID
///   let pokemon: Int
///   func keyValues() throws(ValueError) -> [Value] { [try team.makeValue(), try pokemon.makeValue()] }
/// }
/// ```
public protocol PrimaryKey: Hashable, Sendable {
  /// The values of the key's columns, in the order of the schema's primary key.
  ///
  /// - Throws: ``ValueError`` where a part of the key can't be stored.
  func keyValues() throws(ValueError) -> [Value]
}
