public import Query

// PostgreSQL ends a statement with an error where a result is no number of the type: each operation asks before whether there
// is one. An argument that is more than a name is given one in a subquery, so that no text grows with each level.
// https://www.postgresql.org/docs/15/functions-math.html
extension PostgresDialect {
  /// The placeholder with its type, which nothing beside it may tell.
  public func constant(_ value: Value, _ placeholder: String) -> String {
    switch value {
    case .null: placeholder
    case .integer: "\(placeholder)::int8"
    case .real: "\(placeholder)::float8"
    case .text: "\(placeholder)::text"
    case .blob: "\(placeholder)::bytea"
    }
  }

  /// A cast, which rounds an integer to the nearest real.
  public func real(_ term: SQLTerm) -> String { term.kind == .integer ? "\(term.sql)::float8" : term.sql }

  /// PostgreSQL's own operations, where they have a result.
  public func apply(_ function: ExpressionFunction, to arguments: [SQLTerm], as column: ColumnSchema) -> SQLTerm {
    if arguments.contains(where: { $0.kind == .null }), function != .coalesce { return SQLTerm("NULL", column) }
    let isReal = arguments.contains { $0.kind == .real }
    switch function {
    case .add, .subtract, .multiply, .divide, .remainder:
      var result = arguments[0]
      for argument in arguments.dropFirst() {
        let isReal = result.kind == .real || argument.kind == .real
        let values = isReal ? [real(result), real(argument)] : [result.sql, argument.sql]
        let operation =
          isReal
          ? named(values) { realOperation(function, $0[0], $0[1]) }
          : named(values) { integerOperation(function, $0[0], $0[1], argument.constant) }
        result = SQLTerm(operation, ExpressionType(isReal ? .real : .integer).column(""))
      }
      return SQLTerm(result.sql, column)
    case .negate where isReal: return SQLTerm("(- \(arguments[0].sql))", column)
    case .negate: return SQLTerm(named([arguments[0].sql]) { negated($0[0]) }, column)
    case .abs where isReal: return SQLTerm("abs(\(arguments[0].sql))", column)
    case .abs:
      return SQLTerm(
        named([arguments[0].sql]) { "CASE WHEN \($0[0]) >= 0 THEN \($0[0]) ELSE \(negated($0[0])) END" }, column)
    case .floor, .ceiling:
      return isReal ? SQLTerm("\(function.rawValue)(\(arguments[0].sql))", column) : arguments[0]
    case .concatenate:
      return SQLTerm(arguments.map(\.sql).joined(separator: " || ").inParentheses, column)
    case .length: return SQLTerm("length(\(arguments[0].sql))::int8", column)
    case .folded: return SQLTerm(named([arguments[0].sql]) { folded($0[0]) }, column)
    case .coalesce:
      let values = column.type == .real ? arguments.map(real) : arguments.map(\.sql)
      return SQLTerm("coalesce(\(values.joined(separator: ", ")))", column)
    case .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth:
      return SQLTerm(named([arguments[0].sql]) { datePart(function, $0[0]) }, column)
    }
  }

  /// An operation on values that are written several times.
  private func named(_ values: [String], _ operation: ([String]) -> String) -> String {
    if !values.contains(where: { $0.contains(" ") }) { return operation(values).inParentheses }
    let names = ["a", "b"].prefix(values.count)
    let list = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    // Without the offset, the planner would put each value in the place of its name again.
    return "(SELECT \(operation(names.map { "o.\($0)" })) FROM (SELECT \(list) OFFSET 0) AS o)"
  }

  // MARK: Integers

  private func negated(_ a: String) -> String { "CASE WHEN \(a) > \(Int64.min + 1) - 1 THEN - \(a) END" }

  private func integerOperation(_ function: ExpressionFunction, _ a: String, _ b: String, _ constant: Value?) -> String
  {
    let known: Int64? = if case .integer(let integer)? = constant { integer } else { nil }
    let (least, greatest) = ("(\(Int64.min + 1) - 1)", "\(Int64.max)")
    switch function {
    case .add:
      return "CASE WHEN \(b) >= 0 THEN CASE WHEN \(a) <= \(greatest) - \(b) THEN \(a) + \(b) END "
        + "WHEN \(a) >= \(least) - \(b) THEN \(a) + \(b) END"
    case .subtract:
      return "CASE WHEN \(b) >= 0 THEN CASE WHEN \(a) >= \(least) + \(b) THEN \(a) - \(b) END "
        + "WHEN \(a) <= \(greatest) + \(b) THEN \(a) - \(b) END"
    case .multiply:
      return "CASE WHEN \(a)::numeric * \(b)::numeric BETWEEN \(least) AND \(greatest) THEN \(a) * \(b) END"
    case .divide:
      if let known, known != 0, known != -1 { return "\(a) / \(b)" }
      return "CASE \(b) WHEN 0 THEN NULL WHEN -1 THEN \(negated(a)) ELSE \(a) / \(b) END"
    default:
      if let known, known != 0, known != -1 { return "\(a) % \(b)" }
      return "CASE \(b) WHEN 0 THEN NULL WHEN -1 THEN \(a) - \(a) ELSE \(a) % \(b) END"
    }
  }

  // MARK: Reals

  /// Numbers of which no operation gets near to the limits of the type.
  private static let usual = "BETWEEN 1e-150 AND 1e150"
  /// The greatest finite number, and what it is of smaller scales: by exact powers of two, which change no digit.
  private static func greatest(dividedByPower power: Int) -> String {
    "\(Double.greatestFiniteMagnitude * Double(sign: .plus, exponent: -power, significand: 1))::float8"
  }
  private static func power(_ exponent: Int) -> String {
    "\(Double(sign: .plus, exponent: exponent, significand: 1))::float8"
  }

  private func realOperation(_ function: ExpressionFunction, _ a: String, _ b: String) -> String {
    let isInfinite = "abs(\(a)) = 'infinity' OR abs(\(b)) = 'infinity'"
    let operation = "\(a) \(function.rawValue) \(b)"
    switch function {
    case .add, .subtract:
      let halves = "abs(\(a) / 2 \(function.rawValue) \(b) / 2)"
      return "CASE WHEN abs(\(a)) < 1e307 AND abs(\(b)) < 1e307 THEN \(operation) "
        + "WHEN \(isInfinite) THEN nullif(\(operation), 'NaN') "
        + "WHEN \(halves) <= \(Self.greatest(dividedByPower: 1)) THEN \(operation) END"
    case .multiply:
      return """
        CASE WHEN abs(\(a)) \(Self.usual) AND abs(\(b)) \(Self.usual) THEN \(operation) \
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
        CASE WHEN \(b) = 0 THEN NULL \
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

  // MARK: Texts

  private func datePart(_ function: ExpressionFunction, _ text: String) -> String {
    let part: String
    var pattern = "^\(PostgresConversion.day)([T ]\(PostgresConversion.minute)(:[0-5][0-9]([.][0-9]+)?)?Z?)?$"
    func number(_ start: Int, _ count: Int) -> String { "substr(\(text), \(start), \(count))::int8" }
    switch function {
    case .year: part = number(1, 4)
    case .month: part = number(6, 2)
    case .day: part = number(9, 2)
    case .hour: part = number(12, 2)
    case .minute: part = number(15, 2)
    case .second: part = "CASE WHEN substr(\(text), 17, 1) = ':' THEN \(number(18, 2)) ELSE 0 END"
    case .weekday:
      // There is no year 0000 there; days of the week come again after 400 years.
      part =
        "extract(isodow FROM make_date(\(number(1, 4))::int + 400, \(number(6, 2))::int, \(number(9, 2))::int))::int8"
    case .date: part = "left(\(text), 10)"
    default: part = "left(\(text), 7)"
    }
    if [.hour, .minute, .second].contains(function) {
      pattern = "^\(PostgresConversion.day)[T ]\(PostgresConversion.minute)(:[0-5][0-9]([.][0-9]+)?)?Z?$"
    }
    return "CASE WHEN \(text) ~ '\(pattern)' THEN \(part) END"
  }

  // MARK: Related rows

  /// Sums of integers as integers, null where that is none; averages by more digits than a real has.
  public func relatedAggregate(_ function: AnyAggregate.Function, of term: SQLTerm?, isReal: Bool) -> String {
    guard let term else { return "count(*)" }
    switch function {
    case .sum:
      return "CASE WHEN coalesce(sum(\(term.sql)), 0) BETWEEN \(Int64.min + 1) - 1 AND \(Int64.max) "
        + "THEN coalesce(sum(\(term.sql)), 0)::int8 END"
    case .average: return "(sum(\(term.sql))::numeric(1000, 400) / count(\(term.sql)))::float8"
    case .count, .min, .max: return aggregate(function, of: term, isReal: isReal)
    }
  }

  /// A sum of reals is added up outside of the database, since its own depends on the order of rows.
  public func refusal(of function: AnyAggregate.Function, ofRelated column: ColumnSchema?) -> String? {
    guard function == .sum || function == .average, let column, column.type != .integer else { return nil }
    return "PostgreSQL's own \(function.rawValue) of reals depends on the order of rows"
  }
}
