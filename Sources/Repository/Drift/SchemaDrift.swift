/// The differences because of which a table could not be opened: the underlying error of one with the code
/// ``RepositoryError/Code/schemaMismatch``.
public struct SchemaDrift: Error, Hashable {
  /// The differences, those that can be tolerated left out.
  public let differences: [SchemaDifference]

  /// Makes an error, for stores of your own.
  public init(differences: [SchemaDifference]) { self.differences = differences }
}
