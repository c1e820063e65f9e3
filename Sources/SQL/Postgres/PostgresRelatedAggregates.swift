public import Query

// Aggregates of the rows that refer to a row, within a statement. PostgreSQL's own sum of reals rounds with every row, in their
// order, so that reals are added exactly: each is a whole number of powers of two, which `numeric` holds.
// https://www.postgresql.org/docs/15/datatype-numeric.html
extension PostgresDialect {
  /// Returns sums of integers as integers, null beyond their range, and averages of integers with more digits than a real has.
  public func relatedAggregate(_ function: AnyAggregate.Function, of term: SQLTerm?, isReal: Bool) -> String {
    guard let term else { return "count(*)" }
    // A constant null has no type of its own.
    let name = term.type == .any ? "(\(term.sql))::int8" : valueTerm(term)
    switch function {
    case .sum:
      return "CASE WHEN coalesce(sum(\(name)), 0) BETWEEN \(Int64.min + 1) - 1 AND \(Int64.max) "
        + "THEN coalesce(sum(\(name)), 0)::int8 END"
    case .average: return "(sum(\(name))::numeric(1000, 400) / count(\(name)))::float8"
    case .count, .countDistinct, .min, .max: return aggregate(function, of: term, isReal: isReal)
    }
  }

  /// Returns the exact total, rounded once: of the digits of a `numeric`, PostgreSQL reads the nearest real.
  public func totalOfReals(_ function: AnyAggregate.Function) -> ((_ query: String) -> String)? {
    guard function == .sum || function == .average else { return nil }
    return { query in
      // Without the offsets, the planner would put a number's expression in each place of its name.
      let numbers = "SELECT v.x::float8 AS x FROM (\(query)) AS v OFFSET 0"
      let bits = "SELECT w.x, ('x' || encode(float8send(w.x), 'hex'))::bit(64)::int8 AS b FROM (\(numbers)) AS w"
      let parts = "SELECT y.x, y.b & \(Self.fraction) AS f, (y.b >> 52) & 2047 AS e FROM (\(bits)) AS y OFFSET 0"
      let sums = """
        SELECT sum(\(Self.exactReal)) FILTER (WHERE z.e < 2047) AS s, count(z.x) AS n, \
        bool_or(z.x = 'infinity') AS p, bool_or(z.x = '-infinity') AS m FROM (\(parts)) AS z
        """
      return """
        SELECT CASE WHEN o.p AND o.m THEN NULL WHEN o.p THEN 'infinity'::float8 WHEN o.m THEN '-infinity'::float8 \
        \(function == .sum ? Self.sum : Self.average) END FROM (\(sums)) AS o
        """
    }
  }

  /// The bits of a real's fraction; an implicit bit precedes them if the exponent is not 0 (IEEE 754, binary64).
  private static let fraction: Int64 = 1 << 52 - 1

  /// A real `z.x` of a fraction `z.f` and an exponent `z.e` as a `numeric`. A power of 1/2 is a power of 5 with a decimal
  /// point: 2⁻ⁿ = 5ⁿ · 10⁻ⁿ.
  private static let exactReal = """
    CASE WHEN z.x = 0 THEN 0 ELSE sign(z.x)::numeric * (z.f + CASE WHEN z.e > 0 THEN \(fraction + 1) ELSE 0 END) \
    * CASE WHEN z.e > 1075 THEN trunc(power(2::numeric, z.e - 1075)) \
    ELSE (trunc(power(5::numeric, 1075 - greatest(z.e, 1)))::text || 'e' || (greatest(z.e, 1) - 1075))::numeric END END
    """

  /// A sum `o.s`, which is infinite from the midpoint between the greatest real and the next power of two on.
  private static let sum = """
    WHEN o.s IS NULL THEN 0 WHEN abs(o.s) >= power(2::numeric, 1024) - power(2::numeric, 970) \
    THEN sign(o.s)::float8 * 'infinity'::float8 ELSE o.s::float8
    """

  /// A sum `o.s` divided by a number `o.n`, which is 0 up to half of the least real. With so many digits, a quotient is on the
  /// correct side of the midpoint between two reals, unless it is the midpoint itself, which has fewer digits.
  private static let average = """
    WHEN abs(o.s) < 2.4703282292062328e-324 * o.n THEN 0 ELSE ((o.s + 0e-1150) / o.n)::float8
    """
}
