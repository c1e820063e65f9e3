import Query
import Repository
import SQLiteStore

/// A mistake, and the law that finds it in the stores that make it.
struct LawFlaw: Sendable, CustomStringConvertible {
  let description: String
  let law: String
  let stores: Set<LawSubject.Store>
  let engines: Engines

  /// One of the mistakes that the comparison of both stores is known to find.
  private static func mutation(_ description: String, _ store: LawSubject.Store, _ laws: String...) -> [LawFlaw] {
    Mutation.all.filter { $0.description == description }.flatMap { mutation in
      laws.map { LawFlaw(description: description, law: $0, stores: [store], engines: mutation.engines) }
    }
  }

  /// A mistake that both stores make alike, so that their comparison would not find it.
  private static func request(
    _ description: String, _ law: String, _ change: @escaping @Sendable (FetchRequest) -> FetchRequest
  ) -> [LawFlaw] {
    var engines = Engines()
    engines.memory = { arena, request throws(RepositoryError) in
      try arena.memory.blocking.findAll(change(request)).map(\.values)
    }
    engines.sqlite = { arena, request throws(RepositoryError) in
      try arena.sqlite.blocking.findAll(change(request)).map(\.values)
    }
    engines.memoryCount = { arena, query throws(RepositoryError) in
      try arena.memory.blocking.count(change(FetchRequest(query)).query)
    }
    engines.sqliteCount = { arena, query throws(RepositoryError) in
      try arena.sqlite.blocking.count(change(FetchRequest(query)).query)
    }
    return [LawFlaw(description: description, law: law, stores: [.memory, .sqlite], engines: engines)]
  }

  private static func query(
    _ description: String, _ law: String, _ change: @escaping @Sendable (AnyQuery) -> AnyQuery?
  ) -> [LawFlaw] {
    request(description, law) { request in
      var request = request
      request.query = request.query.changing(change)
      return request
    }
  }

  /// A mistake in what both stores have found.
  private static func answer(
    _ description: String, _ law: String,
    _ change: @escaping @Sendable (Arena, FetchRequest, [[Value]]) -> [[Value]]
  ) -> [LawFlaw] {
    var engines = Engines()
    let right = engines
    engines.memory = { arena, request throws(RepositoryError) in
      change(arena, request, try right.memory(arena, request))
    }
    engines.sqlite = { arena, request throws(RepositoryError) in
      change(arena, request, try right.sqlite(arena, request))
    }
    return [LawFlaw(description: description, law: law, stores: [.memory, .sqlite], engines: engines)]
  }

  static let all: [LawFlaw] = logic + conditions + order + pages

  private static let logic: [LawFlaw] =
    mutation("the compiler drops OR … IS NULL", .sqlite, "a query and its negation count every row once")
    + query("a negation forgets nulls", "a query and its negation count every row once") { query in
      guard case .not(let inner) = query.form, case .condition(.comparison(let comparison)) = inner.form else {
        return nil
      }
      return query && .isNotNull(key: comparison.key.plainKey ?? "")
    }
    + answer("the last row is left out", "as many rows are counted as found") { _, _, rows in rows.dropLast() }
    + query("two negations are one", "not not q is q") { query in
      guard case .not(let inner) = query.form, case .not = inner.form else { return nil }
      return inner
    }
    + query("a negation goes past an and", "not (p and q) is not p or not q") { query in
      guard case .not(let inner) = query.form, case .and(let lhs, let rhs) = inner.form else { return nil }
      return !lhs && !rhs
    }
    + query("a negation goes past an or", "not (p or q) is not p and not q") { query in
      guard case .not(let inner) = query.form, case .or(let lhs, let rhs) = inner.form else { return nil }
      return !lhs || !rhs
    }

  private static let conditions: [LawFlaw] =
    mutation(
      "the evaluator leaves the upper bound out", .memory, "between is two comparisons",
      "not between is the opposite of two comparisons")
    + query("a range leaves its end out", "between is two comparisons") { query in
      guard case .condition(.between(let between)) = query.form, case .value(let upper) = between.upper else {
        return nil
      }
      return query && .notEqual(key: between.key.plainKey ?? "", value: upper)
    }
    + mutation(
      "the evaluator overlooks null in a list", .memory, "in is an or of equalities",
      "not in is the opposite of an or of equalities")
    + query("a list leaves its last value out", "in is an or of equalities") { query in
      guard case .condition(.membership(let list)) = query.form else { return nil }
      return .in(key: list.key.plainKey ?? "", values: list.values.dropLast())
    }

  private static let order: [LawFlaw] =
    mutation(
      "the compiler leaves the primary key out of the order", .sqlite,
      "rows stand in one order, whichever was saved first")
    + answer("rows stand as they were saved", "rows stand in one order, whichever was saved first") {
      arena, request, rows in
      rows.sorted { lhs, rhs in
        let places = [lhs, rhs].map { arena.rows.firstIndex(of: $0) ?? 0 }
        return places[0] < places[1]
      }
    }
    + answer("a sort leaves nulls out", "a sort only changes the order") { arena, request, rows in
      guard let key = request.sort.terms.first?.key.plainKey, let column = try? arena.table.position(of: key) else {
        return rows
      }
      return rows.filter { !$0[column].isNull }
    }
    + mutation(
      "the evaluator places nulls the wrong way", .memory,
      "rows are in the order of the first key that tells them apart")
    + mutation(
      "the compiler places nulls the wrong way", .sqlite,
      "rows are in the order of the first key that tells them apart")

  private static let pages: [LawFlaw] =
    mutation("the evaluator ignores the offset", .memory, "pages by offset, joined, are the whole")
    + request("an offset counts one row less", "pages by offset, joined, are the whole") { request in
      var request = request
      request.offset = max(0, request.offset - 1)
      return request
    }
    + mutation(
      "the evaluator includes the row of the cursor", .memory, "pages after a cursor, joined, are the whole")
    + request("a cursor leaves a row out", "pages after a cursor, joined, are the whole") { request in
      var request = request
      if request.after != nil { request.offset += 1 }
      return request
    }
    + answer("a page before a place stands in reverse", "pages before a cursor, joined, are the whole") {
      _, request, rows in request.before == nil ? rows : rows.reversed()
    }
    + request(
      "where there are two cursors, one is overlooked",
      "between two cursors stands what stands between their rows"
    ) { request in
      var request = request
      if request.after != nil { request.before = nil }
      return request
    }
}

extension AnyQuery {
  /// The query with each of its parts changed, the innermost first.
  fileprivate func changing(_ change: (AnyQuery) -> AnyQuery?) -> AnyQuery {
    let query: AnyQuery =
      switch form {
      case .condition: self
      case .not(let inner): !inner.changing(change)
      case .and(let lhs, let rhs): lhs.changing(change) && rhs.changing(change)
      case .or(let lhs, let rhs): lhs.changing(change) || rhs.changing(change)
      }
    return change(query) ?? query
  }
}
