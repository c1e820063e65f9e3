extension AnyQuery {
  /// Matches every row.
  public static let `true` = AnyQuery(.condition(.constant(true)))

  /// Matches no row.
  public static let `false` = AnyQuery(.condition(.constant(false)))

  /// What both queries match.
  public static func && (lhs: AnyQuery, rhs: AnyQuery) -> AnyQuery { AnyQuery(.and(lhs, rhs)) }

  /// What either query matches, or both.
  public static func || (lhs: AnyQuery, rhs: AnyQuery) -> AnyQuery { AnyQuery(.or(lhs, rhs)) }

  /// What a query does not match, rows with nulls included: of any rows, `q` and `!q` together match all.
  public static prefix func ! (query: AnyQuery) -> AnyQuery { AnyQuery(.not(query)) }

  /// What all queries match, joined from the left with `&&`; every row where there is no query.
  public static func all(of queries: some Sequence<AnyQuery>) -> AnyQuery { join(queries, with: &&) ?? .true }

  /// What any of the queries matches, joined from the left with `||`; no row where there is no query.
  public static func any(of queries: some Sequence<AnyQuery>) -> AnyQuery { join(queries, with: ||) ?? .false }

  private static func join(
    _ queries: some Sequence<AnyQuery>, with join: (AnyQuery, AnyQuery) -> AnyQuery
  ) -> AnyQuery? {
    queries.reduce(nil) { joined, query in joined.map { join($0, query) } ?? query }
  }
}
