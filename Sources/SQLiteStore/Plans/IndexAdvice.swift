/// Indexes that would make a request cheaper, and the plan that SQLite makes where it has them.
package struct IndexAdvice: Hashable, Sendable {
  /// The indexes; several where they only help together.
  package let indexes: [IndexDefinition]
  /// The plan with them, which uses all of them.
  package let plan: QueryPlan
}
