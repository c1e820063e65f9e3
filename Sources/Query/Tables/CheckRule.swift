/// A rule that each row of a table has to match.
///
/// The query may name all columns of its table. It is two-valued, as every query is: a row for which it is false is refused,
/// also where that is because of a null.
public struct CheckRule: Hashable, Sendable {
  /// The rule's name, by which errors tell it.
  public let name: String
  /// What a row has to match.
  public let query: AnyQuery

  /// Describes a rule.
  public init(_ name: String, _ query: AnyQuery) {
    self.name = name
    self.query = query
  }
}
