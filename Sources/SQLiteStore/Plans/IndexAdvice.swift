/// Indexes that would make a request cheaper, and the plan that SQLite makes where it has them.
public struct IndexAdvice: Hashable, Sendable {
  /// The indexes; several where they only help together.
  public let indexes: [IndexDefinition]
  /// The plan with them, which uses all of them.
  public let plan: QueryPlan
}
