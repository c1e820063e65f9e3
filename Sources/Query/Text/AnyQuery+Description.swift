extension AnyQuery: CustomStringConvertible {
  /// The text form of the query, which ``init(parsing:)`` reads back as an equal one.
  ///
  /// ```swift
  /// let query = AnyQuery.greaterThan(key: "weight", value: 90) || !.isNull(key: "base attack")
  /// query.description  // weight > 90 or not "base attack" is null
  /// ```
  ///
  /// It holds no more parentheses than it needs. Three kinds of queries, which can't be asked either, are described but
  /// not read back: in place of a value that can't be stored it says why not, such as `<NaN is no value that can be
  /// stored or compared with>`; a NaN is written `<NaN>`; and more than ``ResolvedQuery/maximumConditionCount``
  /// conditions are not written out, because a query that is joined with itself again and again would fill any memory.
  public var description: String { QueryPrinter.print(self) }
}
