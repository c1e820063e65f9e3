package import Query

/// How a request for rows is carried out.
package struct Explanation: Sendable {
  /// The statement that the request becomes.
  package let sql: String
  /// The values for its placeholders, in their order.
  package let bindings: [Value]
  /// How SQLite goes about it.
  package let plan: QueryPlan
  /// The indexes that would make it cheaper; `nil` where none was found.
  package let advice: IndexAdvice?
}
