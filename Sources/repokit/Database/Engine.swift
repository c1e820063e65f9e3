/// What evaluates a query. Both give the same rows in the same order.
enum Engine: String, CaseIterable {
  /// The database itself.
  case sqlite
  /// The toolkit's own evaluator, over all rows of the table.
  case memory
}
