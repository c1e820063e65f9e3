public import Query

/// How a request for rows is carried out.
public struct Explanation: Sendable {
  /// The statement that the request becomes.
  public let sql: String
  /// The values for its placeholders, in their order.
  public let bindings: [Value]
  /// How SQLite goes about it.
  public let plan: QueryPlan
  /// The indexes that would make it cheaper; `nil` where none was found.
  public let advice: IndexAdvice?
}
