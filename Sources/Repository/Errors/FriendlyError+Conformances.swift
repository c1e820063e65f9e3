public import ErrorHandling
public import Query

// The errors of queries, which know nothing of handlers themselves.
extension QueryError: FriendlyError {}

extension FigureError: FriendlyError {}

extension ParseError: FriendlyError {}

extension ValueError: FriendlyError {}

extension InterchangeError: FriendlyError {
  /// Where it happened.
  public var reason: String? { path.isEmpty ? nil : "it stands at \(path)" }
}

extension ColumnFault: FriendlyError {
  /// What is wrong with the value, and which column it is.
  public var summary: String { "\(column.map { "\($0): " } ?? "")\(error.summary)" }
  /// What to do about it, where that is known.
  public var suggestion: String? { error.suggestion }
  /// What is wrong with the value.
  public var underlying: (any Error)? { error }
}

extension SchemaDrift: FriendlyError {
  /// That there are differences.
  public var summary: String { "the table differs from the schema" }
  /// The differences.
  public var reason: String? {
    differences.isEmpty ? nil : differences.map(\.summary).joined(separator: "; ")
  }
  /// How to mend the table.
  public var suggestion: String? { "add a migration, or make the schema like the table" }
}
