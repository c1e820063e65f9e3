#if canImport(ObjectiveC)
  public import Foundation

  extension AnyQuery {
    /// The query as a predicate over objects, whose properties are found by key-value coding.
    ///
    /// ```swift
    /// let found = pokemon.filtered(using: try query.predicate)  // an NSArray of objects
    /// ```
    ///
    /// The properties hold numbers, strings, data or `nil`, not dates: to a query, these are texts. The predicate means what
    /// the query means, null and the order of texts included. Comparisons of numbers, equality, `in` and
    /// their joins are predicates that Core Data sends to its database. Texts that are searched or put in order, and keys
    /// that are compared with keys, are blocks: `NSPredicate` would compare texts by other rules. They work on objects in
    /// memory alone.
    ///
    /// The project's own tests run on Linux, where there is no `NSPredicate` of this kind: they don't cover it.
    ///
    /// An object without a key of the query raises an exception, which Swift can't catch, and so may one that holds another
    /// kind of value: for a query from elsewhere, ask ``resolved(in:)`` first.
    ///
    /// - Throws: ``InterchangeError`` for a value that can't be stored, and for a query that is nested too deep or too
    ///   large.
    public var predicate: NSPredicate {
      get throws(InterchangeError) {
        try folded(
          condition: { $0.predicate }, not: { NSCompoundPredicate(notPredicateWithSubpredicate: $0) },
          join: { members, matchingAll in NSCompoundPredicate(type: matchingAll ? .and : .or, subpredicates: members) })
      }
    }
  }
#endif
