public import Query

// PostgreSQL ends a statement with an error if a result is not in the range of its type: each operation first tests whether
// there is a result. An argument that is more than a name is given a name in a subquery, so that the SQL does not grow by a
// factor with each level. https://www.postgresql.org/docs/15/functions-math.html
extension PostgresDialect {
  /// Returns numbers as literals, since the tests of an operation depend on them; for other values a placeholder with its type,
  /// which may not follow from its context.
  public func constant(_ value: Value, bind: () -> String) -> String {
    switch value {
    case .null: "NULL::text"
    case .integer(let integer): "\(Self.literal(integer))::int8"
    case .real(let real): Self.literal(real)
    case .text: "(\(bind())::text\(Self.collateByBytes))"
    case .blob: "\(bind())::bytea"
    }
  }

  /// Returns a cast of an integer, which rounds to the nearest real, and texts by their bytes.
  ///
  /// A null has the type of the column, or is a text if there is none.
  public func value(_ term: SQLTerm, as column: ColumnSchema) -> String {
    switch column.type {
    case let type where term.constant == .null: return "NULL::\(name(of: type))"
    case .real where term.kind == .integer: return "\(term.sql)::float8"
    case .text where !term.sql.hasSuffix(Self.collateByBytes): return term.sql + Self.collateByBytes
    default: return term.sql
    }
  }

  /// Returns a number of an operation on reals: two of the type `real` would be computed with its seven digits.
  func real(_ term: SQLTerm) -> String {
    term.kind == .real && term.constant == nil ? "\(term.sql)::float8" : value(term, as: ColumnSchema("", .real))
  }

  /// Returns an integer of an operation: two of the type `integer` or `smallint` would be computed in its range.
  func integer(_ term: SQLTerm) -> String {
    term.kind == .integer && term.constant == nil ? "\(term.sql)::int8" : term.sql
  }

  func text(_ term: SQLTerm) -> String { value(term, as: ColumnSchema("", .text)) }

  /// Returns PostgreSQL's own operations, guarded for those without a result.
  public func apply(_ function: ExpressionFunction, to arguments: [SQLTerm], as column: ColumnSchema) -> SQLTerm {
    let isReal = arguments.contains { $0.kind == .real }
    switch function {
    case .add, .subtract, .multiply, .divide, .remainder, .least, .greatest:
      var result = arguments[0]
      for argument in arguments.dropFirst() {
        let isReal = result.kind == .real || argument.kind == .real
        let values = isReal ? [real(result), real(argument)] : [integer(result), integer(argument)]
        let operation = named(values) { names in
          if function == .least || function == .greatest { return extreme(function, names[0], names[1]) }
          return isReal
            ? realOperation(function, Number(names[0], result.constant), Number(names[1], argument.constant))
            : integerOperation(function, Number(names[0], result.constant), Number(names[1], argument.constant))
        }
        result = SQLTerm(operation, ExpressionType(isReal ? .real : .integer).column(""))
      }
      return SQLTerm(result.sql, column)
    case .negate where isReal: return SQLTerm("(- \(arguments[0].sql))", column)
    case .negate: return SQLTerm(named([integer(arguments[0])]) { negated($0[0]) }, column)
    case .abs where isReal: return SQLTerm("abs(\(arguments[0].sql))", column)
    case .abs:
      return SQLTerm(
        named([integer(arguments[0])]) { "CASE WHEN \($0[0]) >= 0 THEN \($0[0]) ELSE \(negated($0[0])) END" }, column)
    case .floor, .ceiling:
      return isReal ? SQLTerm("\(function.rawValue)(\(arguments[0].sql))", column) : arguments[0]
    case .concatenate:
      return SQLTerm(arguments.map(text).joined(separator: " || ").inParentheses + Self.collateByBytes, column)
    case .length: return SQLTerm("length(\(arguments[0].sql))::int8", column)
    case .folded: return SQLTerm(named([text(arguments[0])]) { folded($0[0]) } + Self.collateByBytes, column)
    case .coalesce:
      return SQLTerm("coalesce(\(arguments.map { value($0, as: column) }.joined(separator: ", ")))", column)
    case .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth, .quarter, .week, .weekYear:
      return SQLTerm(
        named([text(arguments[0])]) { datePart(function, $0[0]) } + (column.type == .text ? Self.collateByBytes : ""),
        column)
    case .trim: return SQLTerm("btrim(\(text(arguments[0])), E' \\t\\n\\r')" + Self.collateByBytes, column)
    case .replace:
      return SQLTerm("replace(\(arguments.map(text).joined(separator: ", ")))" + Self.collateByBytes, column)
    case .position: return SQLTerm("strpos(\(arguments.map(text).joined(separator: ", ")))::int8", column)
    case .substring: return SQLTerm(substring(arguments), column)
    case .part: return SQLTerm(part(arguments), column)
    case .addDays, .addMonths:
      return SQLTerm(
        named([text(arguments[0]), integer(arguments[1])]) { shifted(function, $0[0], by: $0[1]) }
          + Self.collateByBytes, column)
    case .daysBetween, .secondsBetween:
      return SQLTerm(named(arguments.map(text)) { difference(function, $0[0], $0[1]) }, column)
    case .round: return SQLTerm(rounded(arguments), column)
    case .integer:
      return SQLTerm(
        named([text(arguments[0])]) {
          "CASE WHEN \($0[0]) ~ '^-?[0-9]{1,19}$' THEN CASE WHEN \($0[0])::numeric BETWEEN \(Int64.min)::numeric "
            + "AND \(Int64.max) THEN \($0[0])::int8 END END"
        }, column)
    case .number:
      return SQLTerm(
        named([text(arguments[0])]) {
          "CASE WHEN \($0[0]) ~ '^-?[0-9]{1,200}([.][0-9]{1,200})?$' THEN \($0[0])::float8 END"
        }, column)
    case .sign:
      let number = isReal ? real(arguments[0]) : integer(arguments[0])
      return SQLTerm(
        named([number]) {
          "CASE WHEN \($0[0]) > 0 THEN 1 WHEN \($0[0]) < 0 THEN -1 WHEN \($0[0]) = 0 THEN 0 END::int8"
        },
        column)
    case .squareRoot:
      return SQLTerm(
        named(["\(isReal ? real(arguments[0]) : integer(arguments[0]))::float8"]) {
          "CASE WHEN \($0[0]) >= 0 THEN sqrt(\($0[0])) END"
        }, column)
    }
  }

  /// Returns an operation on values that its SQL contains several times.
  func named(_ values: [String], _ operation: ([String]) -> String) -> String {
    if !values.contains(where: { $0.contains(" ") }) { return operation(values).inParentheses }
    if !hasSubqueries { return operation(values.map(\.inParentheses)).inParentheses }
    let names = ["a", "b", "c"].prefix(values.count)
    let list = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    // Without the offset, the planner would substitute each value for its name again.
    return "(SELECT \(operation(names.map { "o.\($0)" })) FROM (SELECT \(list) OFFSET 0) AS o)"
  }

  /// Returns the least or the greatest of two numbers; PostgreSQL's own functions ignore nulls.
  private func extreme(_ function: ExpressionFunction, _ a: String, _ b: String) -> String {
    "CASE WHEN \(a) IS NULL OR \(b) IS NULL THEN NULL WHEN \(a) \(function == .least ? "<=" : ">=") \(b) THEN \(a) ELSE \(b) END"
  }

  // MARK: Integers

  private func negated(_ a: String) -> String { "CASE WHEN \(a) > \(Self.least) THEN - \(a) END" }

  /// The smallest integer, whose digits without the sign are out of range.
  private static let least = "(\(Int64.min + 1) - 1)"

  private static func literal(_ integer: Int64) -> String {
    integer == .min ? least : integer < 0 ? "(\(integer))" : "\(integer)"
  }

  /// A number of an operation. Constant expressions are computed here: the planner would compute them in any branch of a
  /// `CASE`, whether it is taken or not. https://www.postgresql.org/docs/15/functions-conditional.html
  private struct Number {
    let sql: String
    let integer: Int64?
    let real: Double?

    init(_ sql: String, _ constant: Value?) {
      self.sql = sql
      switch constant {
      case .integer(let value)?: (integer, real) = (value, Double(value))
      case .real(let value)?: (integer, real) = (nil, value)
      default: (integer, real) = (nil, nil)
      }
    }
  }

  private func integerOperation(_ function: ExpressionFunction, _ lhs: Number, _ rhs: Number) -> String {
    let (a, b) = (lhs.sql, rhs.sql)
    func inRange(_ name: String, _ least: Int64, _ greatest: Int64, _ operation: String) -> String {
      "CASE WHEN \(name) BETWEEN \(Self.literal(least)) AND \(Self.literal(greatest)) THEN \(operation) END"
    }
    switch (function, lhs.integer, rhs.integer) {
    case (.add, nil, let c?): return inRange(a, c < 0 ? .min - c : .min, c < 0 ? .max : .max - c, "\(a) + \(b)")
    case (.add, _?, nil): return integerOperation(.add, rhs, lhs)
    case (.subtract, nil, let c?): return inRange(a, c > 0 ? .min + c : .min, c > 0 ? .max : .max + c, "\(a) - \(b)")
    case (.subtract, let c?, nil): return inRange(b, c >= 0 ? c - .max : .min, c >= 0 ? .max : c - .min, "\(a) - \(b)")
    case (.multiply, nil, let c?):
      if c == 0 || c == 1 { return "\(a) * \(b)" }
      let bounds = [Int128(Int64.min) / Int128(c), Int128(Int64.max) / Int128(c)].map { Int64(clamping: $0) }.sorted()
      return inRange(a, bounds[0], bounds[1], "\(a) * \(b)")
    case (.multiply, _?, nil): return integerOperation(.multiply, rhs, lhs)
    case (.add, _, _):
      return "CASE WHEN \(b) >= 0 THEN CASE WHEN \(a) <= \(Int64.max) - \(b) THEN \(a) + \(b) END "
        + "WHEN \(a) >= \(Self.least) - \(b) THEN \(a) + \(b) END"
    case (.subtract, _, _):
      return "CASE WHEN \(b) >= 0 THEN CASE WHEN \(a) >= \(Self.least) + \(b) THEN \(a) - \(b) END "
        + "WHEN \(a) <= \(Int64.max) + \(b) THEN \(a) - \(b) END"
    case (.multiply, _, _):
      return "CASE WHEN \(a)::numeric * \(b)::numeric BETWEEN \(Self.least) AND \(Int64.max) THEN \(a) * \(b) END"
    case (.divide, _, .some(0)), (.remainder, _, .some(0)): return "NULL::int8"
    case (.divide, _, .some(-1)): return negated(a)
    case (.divide, _, _?): return "\(a) / \(b)"
    case (.divide, let c?, nil):
      return "CASE \(b) WHEN 0 THEN NULL WHEN -1 THEN \(c == .min ? "NULL" : Self.literal(-c)) ELSE \(a) / \(b) END"
    case (.divide, nil, nil): return "CASE \(b) WHEN 0 THEN NULL WHEN -1 THEN \(negated(a)) ELSE \(a) / \(b) END"
    case (_, _, .some(-1)): return "\(a) - \(a)"
    case (_, _, _?): return "\(a) % \(b)"
    default: return "CASE \(b) WHEN 0 THEN NULL WHEN -1 THEN \(a) - \(a) ELSE \(a) % \(b) END"
    }
  }

  // MARK: Reals

  /// Numbers for which no operation comes near the limits of the type.
  private static let usual = "BETWEEN 1e-150 AND 1e150"

  private static func literal(_ real: Double) -> String {
    real.isFinite ? "'\(real)'::float8" : "'\(real < 0 ? "-" : "")infinity'::float8"
  }

  private static func power(_ exponent: Int) -> String {
    literal(Double(sign: .plus, exponent: exponent, significand: 1))
  }

  /// Returns the largest finite number, scaled by an exact power of two, which changes no digit.
  private static func greatest(dividedByPower power: Int) -> String {
    literal(
      Double.greatestFiniteMagnitude * Double(sign: .plus, exponent: -power / 2, significand: 1)
        * Double(sign: .plus, exponent: -power - -power / 2, significand: 1))
  }

  private func realOperation(_ function: ExpressionFunction, _ lhs: Number, _ rhs: Number) -> String {
    let (a, b) = (lhs.sql, rhs.sql)
    let operation = "\(a) \(function.rawValue) \(b)"
    if lhs.real == nil, let c = rhs.real { return realOperation(function, a, with: c, operation, isOnTheRight: false) }
    if let c = lhs.real, rhs.real == nil { return realOperation(function, b, with: c, operation, isOnTheRight: true) }
    let isInfinite = "abs(\(a)) = 'infinity' OR abs(\(b)) = 'infinity'"
    switch function {
    case .add, .subtract:
      let halves = "abs(\(a) / 2 \(function.rawValue) \(b) / 2)"
      return "CASE WHEN abs(\(a)) < 1e290 OR abs(\(b)) < 1e290 THEN \(operation) "
        + "WHEN \(isInfinite) THEN nullif(\(operation), 'NaN') "
        + "WHEN \(halves) <= \(Self.greatest(dividedByPower: 1)) THEN \(operation) END"
    case .multiply:
      return """
        CASE WHEN \(a) IS NULL OR \(b) IS NULL THEN NULL \
        WHEN abs(\(a)) \(Self.usual) AND abs(\(b)) \(Self.usual) THEN \(operation) \
        WHEN \(isInfinite) OR \(a) = 0 OR \(b) = 0 THEN nullif(\(operation), 'NaN') \
        WHEN abs(\(a)) >= 1 AND abs(\(b)) >= 1 THEN CASE WHEN \
        abs((\(a) * \(Self.power(-537))) * (\(b) * \(Self.power(-537)))) <= \(Self.greatest(dividedByPower: 1074)) \
        THEN \(operation) END \
        WHEN abs(\(a)) >= 1 OR abs(\(b)) >= 1 THEN \(operation) \
        WHEN abs(\(a)) < 1e-170 AND abs(\(b)) < 1e-170 THEN 0 \
        WHEN abs((\(a) * \(Self.power(500))) * (\(b) * \(Self.power(500)))) <= \(Self.power(-75)) THEN 0 \
        ELSE \(operation) END
        """
    default:
      return """
        CASE WHEN \(a) IS NULL OR \(b) IS NULL OR \(b) = 0 THEN NULL \
        WHEN abs(\(a)) \(Self.usual) AND abs(\(b)) \(Self.usual) THEN \(operation) \
        WHEN \(isInfinite) OR \(a) = 0 THEN nullif(\(operation), 'NaN') \
        WHEN abs(\(b)) < 1 THEN CASE WHEN abs(\(a)) <= abs(\(b)) THEN \(operation) \
        WHEN abs(\(a)) >= 1 THEN CASE WHEN \
        abs((\(a) * \(Self.power(-537))) / (\(b) * \(Self.power(537)))) <= \(Self.greatest(dividedByPower: 1074)) \
        THEN \(operation) END \
        WHEN abs(\(a) / (\(b) * \(Self.power(600)))) <= \(Self.greatest(dividedByPower: 600)) THEN \(operation) END \
        WHEN abs(\(a)) >= 1 THEN \(operation) \
        WHEN abs(\(a)) < 1e-250 AND abs(\(b)) > 1e150 THEN 0 \
        WHEN abs((\(a) * \(Self.power(500))) / (\(b) * \(Self.power(-500)))) <= \(Self.power(-75)) THEN 0 \
        ELSE \(operation) END
        """
    }
  }

  /// Returns an operation on a name and a constant: the numbers without a result, or with the result zero, are determined here.
  ///
  /// - Parameter isOnTheRight: whether the name is on the right.
  private func realOperation(
    _ function: ExpressionFunction, _ name: String, with c: Double, _ operation: String,
    isOnTheRight: Bool
  ) -> String {
    let divides = isOnTheRight && function == .divide
    func result(_ x: Double) -> Double {
      switch function {
      case .add, .subtract: x + Swift.abs(c)
      case .multiply: x * Swift.abs(c)
      default: divides ? Swift.abs(c) / x : x / Swift.abs(c)
      }
    }
    if function == .divide, !divides, c == 0 { return "NULL::float8" }
    let zero = function == .divide && divides ? "WHEN \(name) = 0 THEN NULL " : ""
    let infinite = "WHEN abs(\(name)) = 'infinity' THEN nullif(\(operation), 'NaN') "
    if !c.isFinite || c == 0 {
      return "CASE WHEN \(name) IS NULL THEN NULL \(zero)ELSE nullif(\(operation), 'NaN') END"
    }
    switch function {
    case .add, .subtract:
      if Swift.abs(c) < 1e290 { return operation }
      // The signs determine whether the result is larger.
      let half = Self.literal(c / 2)
      let halves =
        isOnTheRight ? "\(half) \(function.rawValue) \(name) / 2" : "\(name) / 2 \(function.rawValue) \(half)"
      return "CASE WHEN abs(\(name)) < 1e290 THEN \(operation) \(infinite)"
        + "WHEN abs(\(halves)) <= \(Self.greatest(dividedByPower: 1)) THEN \(operation) END"
    default:
      // The result grows with x, unless x is the divisor: then it shrinks.
      let tooGreat = Self.bound(grows: !divides) { result($0) == .infinity }
      let tooSmall = Self.bound(grows: divides) { result($0) == 0 }
      let greater = divides ? "<=" : ">="
      let smaller = divides ? ">=" : "<="
      var cases = "CASE \(zero)\(infinite)"
      if let tooGreat { cases += "WHEN abs(\(name)) \(greater) \(Self.literal(tooGreat)) THEN NULL " }
      if let tooSmall {
        let mayBeZero = divides ? "" : "\(name) <> 0 AND "
        cases += "WHEN \(mayBeZero)abs(\(name)) \(smaller) \(Self.literal(tooSmall)) THEN 0 "
      }
      return cases + "ELSE \(operation) END"
    }
  }

  /// Returns the positive number at which a monotonic test begins to be true; `nil` if it is never true.
  ///
  /// - Parameter grows: whether the test is true for larger numbers, rather than for smaller ones.
  private static func bound(grows: Bool, _ test: (Double) -> Bool) -> Double? {
    // The bits of positive numbers have the numbers' order.
    var (fails, holds) = (UInt64(1), Double.greatestFiniteMagnitude.bitPattern)
    if !grows { swap(&fails, &holds) }
    if !test(Double(bitPattern: holds)) { return nil }
    if test(Double(bitPattern: fails)) { return Double(bitPattern: fails) }
    while max(fails, holds) - min(fails, holds) > 1 {
      let middle = min(fails, holds) + (max(fails, holds) - min(fails, holds)) / 2
      if test(Double(bitPattern: middle)) { holds = middle } else { fails = middle }
    }
    return Double(bitPattern: holds)
  }
}
