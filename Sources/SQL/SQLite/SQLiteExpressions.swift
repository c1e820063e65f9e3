public import Query

// SQLite converts an overflowing sum of integers to a real, and has no static types of expressions. If the types are known,
// its own operations are used and their results checked; otherwise, functions of this toolkit.
extension SQLiteDialect {
  /// Returns the name of the function for an operation, which the connection has to define.
  package static func name(of function: ExpressionFunction) -> String {
    switch function {
    case .add: "repokit_add"
    case .subtract: "repokit_subtract"
    case .multiply: "repokit_multiply"
    case .divide: "repokit_divide"
    case .remainder: "repokit_remainder"
    case .concatenate: "repokit_concatenate"
    default: "repokit_\(function.rawValue.lowercased())"
    }
  }

  /// Returns `?` with its number.
  public func repeatablePlaceholder(_ position: Int) -> String { "?\(position)" }

  /// Returns a cast, which rounds an integer to the nearest real.
  public func value(_ term: SQLTerm, as column: ColumnSchema) -> String {
    column.type == .real && term.kind == .integer ? "CAST(\(term.sql) AS REAL)" : term.sql
  }

  /// Returns SQLite's own operations on values whose types are known, and functions of this toolkit on all others.
  public func apply(_ function: ExpressionFunction, to arguments: [SQLTerm], as column: ColumnSchema) -> SQLTerm {
    let kinds = Set(arguments.map(\.kind))
    switch function {
    case .add, .subtract, .multiply, .divide, .negate, .abs:
      if kinds == [.integer] { return integerOperation(function, arguments, column) }
      if kinds.isSubset(of: [.integer, .real]) {
        // Operators apply from left to right: the integers before the first real are one operand.
        let integers = arguments.prefix { $0.kind == .integer }
        if integers.count < 2 { return realOperation(function, arguments, column) }
        let first = integerOperation(function, Array(integers), ExpressionType(.integer).column(""))
        return realOperation(function, [first] + arguments.dropFirst(integers.count), column)
      }
    case .remainder where kinds == [.integer]:
      return SQLTerm(arguments.map(\.sql).joined(separator: " % ").inParentheses, column)
    case .floor where kinds == [.integer], .ceiling where kinds == [.integer]:
      return arguments[0]
    case .concatenate where kinds == [.text]:
      return SQLTerm(arguments.map(\.sql).joined(separator: " || ").inParentheses, column)
    case .length where kinds == [.text]:
      // SQLite's own `length` stops at U+0000: https://www.sqlite.org/lang_corefunc.html#length
      let text = arguments[0].sql
      if !callsFunctions {
        // UTF-8 has no byte 0xFF: `instr` finds it after all characters of the text, and thus counts them.
        let end = "CAST(x'ff' AS TEXT)"
        return SQLTerm("(instr(\(text) || \(end), \(end)) - 1)", column)
      }
      return SQLTerm(
        "CASE WHEN instr(\(text), char(0)) THEN \(Self.name(of: .length))(\(text)) ELSE length(\(text)) END"
          .inParentheses,
        column)
    case .folded:
      return SQLTerm("\(Self.foldFunction)(\(arguments[0].sql))", column)
    case .coalesce:
      // A single value is passed with a null, since a plain column would keep its collation and its affinity.
      let values = arguments.map { value($0, as: column) } + (arguments.count == 1 ? ["NULL"] : [])
      return SQLTerm(Self.nested("coalesce", values), column)
    default: break
    }
    if !callsFunctions, let sql = checkedOperation(function, arguments) { return SQLTerm(sql, column) }
    return SQLTerm(call(function, arguments.map { $0.exact ?? $0.sql }), column)
  }

  private func call(_ function: ExpressionFunction, _ arguments: [String]) -> String {
    Self.nested(Self.name(of: function), arguments)
  }

  /// Returns a call, with calls for its first arguments if there are many: https://www.sqlite.org/limits.html#max_function_arg
  private static func nested(_ name: String, _ arguments: [String]) -> String {
    if arguments.count <= 100 { return "\(name)(\(arguments.joined(separator: ", ")))" }
    return nested(name, ["\(name)(\(arguments.prefix(100).joined(separator: ", ")))"] + arguments.dropFirst(100))
  }

  /// Returns an operation on integers. An overflow becomes a real, and remains one in the expressions around it, so one check at
  /// the end is enough. https://www.sqlite.org/datatype3.html#operators
  private func integerOperation(
    _ function: ExpressionFunction, _ arguments: [SQLTerm], _ column: ColumnSchema
  ) -> SQLTerm {
    let values = arguments.map { $0.unchecked ?? $0.sql }
    let result: String
    switch function {
    case .negate: result = "(0 - \(values[0]))"
    // SQLite's own `abs` ends the statement with an error at the smallest integer.
    case .abs where callsFunctions: return SQLTerm(call(.abs, [arguments[0].exact ?? arguments[0].sql]), column)
    case .abs:
      let (value, negated) = (arguments[0].sql, integerOperation(.negate, arguments, column).sql)
      return SQLTerm("CASE WHEN \(value) < 0 THEN \(negated) ELSE \(value) END".inParentheses, column)
    default: result = values.joined(separator: " \(function.rawValue) ").inParentheses
    }
    // Division by a constant other than 0 and -1 can't overflow.
    let isSmaller = arguments.dropFirst().allSatisfy {
      $0.constant.map { $0 != .integer(0) && $0 != .integer(-1) } ?? false
    }
    if function == .divide, isSmaller, arguments[0].unchecked == nil { return SQLTerm(result, column) }
    var term = SQLTerm("CASE WHEN typeof(\(result)) = 'integer' THEN \(result) END".inParentheses, column)
    term.unchecked = result
    term.exact = call(function, arguments.map { $0.exact ?? $0.sql })
    term.checking = { condition in "(\(condition(result)) AND typeof(\(result)) = 'integer')" }
    return term
  }

  /// Returns an operation on reals. SQLite converts NaN to null. A finite result was computed from finite numbers and is
  /// correct; an infinite one is checked by functions of this toolkit. The divisor has to be correct itself: the quotient by
  /// an infinity is finite.
  private func realOperation(
    _ function: ExpressionFunction, _ arguments: [SQLTerm], _ column: ColumnSchema
  ) -> SQLTerm {
    if !callsFunctions { return portableRealOperation(function, arguments, column) }
    // Operands are calls of functions where possible: `sql` contains each operand several times, so that the text would grow by
    // a factor with each level.
    let terms = arguments.map { $0.kind == .integer ? "CAST(\($0.exact ?? $0.sql) AS REAL)" : $0.exact ?? $0.sql }
    let values = zip(arguments, terms).map { function == .divide ? $1 : $0.kind == .real ? $0.unchecked ?? $1 : $1 }
    // SQLite's unary minus subtracts from 0, and so loses the sign of a zero.
    if function == .negate { return SQLTerm("(\(terms[0]) * -1.0)", column) }
    // `abs(-0.0)` is -0.0 in SQLite; adding 0.0 makes it 0.0.
    if function == .abs { return SQLTerm("(abs(\(terms[0])) + 0.0)", column) }
    let result = values.joined(separator: " \(function.rawValue) ").inParentheses
    var term = SQLTerm(
      "CASE WHEN \(result) - \(result) = 0 THEN \(result) ELSE \(call(function, terms)) END".inParentheses, column)
    let exact = call(function, terms)
    term.unchecked = result
    term.exact = exact
    // A result within these bounds is finite, and thus correct; beyond them, the exact operation decides.
    term.checking = { condition in
      "(\(condition(result)) AND (\(result) BETWEEN -1.7e308 AND 1.7e308 OR \(condition(exact))))"
    }
    return term
  }

  /// Returns an operation on reals without a function: an infinity that was computed from finite numbers is null.
  private func portableRealOperation(
    _ function: ExpressionFunction, _ arguments: [SQLTerm], _ column: ColumnSchema
  ) -> SQLTerm {
    let values = arguments.map { $0.kind == .integer ? "CAST(\($0.sql) AS REAL)" : $0.sql }
    if function == .negate { return SQLTerm("(\(values[0]) * -1.0)", column) }
    if function == .abs { return SQLTerm("(abs(\(values[0])) + 0.0)", column) }
    let result = values.dropFirst().reduce(values[0]) { lhs, rhs in
      let result = "\(lhs) \(function.rawValue) \(rhs)".inParentheses
      return
        "CASE WHEN \(result) - \(result) = 0 THEN \(result) WHEN \(lhs) - \(lhs) = 0 AND \(rhs) - \(rhs) = 0 THEN NULL ELSE \(result) END"
        .inParentheses
    }
    return SQLTerm(result, column)
  }

  /// Returns an operation on values whose types are only known per row, without a function; `nil` if that is not possible.
  private func checkedOperation(_ function: ExpressionFunction, _ arguments: [SQLTerm]) -> String? {
    let values = arguments.map(\.sql)
    func are(_ types: String, _ values: String...) -> String {
      values.map { "typeof(\($0)) IN (\(types))" }.joined(separator: " AND ")
    }
    func joined(_ make: (String, String) -> String) -> String {
      values.dropFirst().reduce(values[0]) { make($0, $1).inParentheses }
    }
    switch function {
    case .add, .subtract, .multiply, .divide:
      let integer = ExpressionType(.integer).column("")
      let real = ExpressionType(.real).column("")
      return joined { lhs, rhs in
        let integers = integerOperation(function, [SQLTerm(lhs, integer), SQLTerm(rhs, integer)], integer).sql
        let reals = [lhs, rhs].map { SQLTerm("CAST(\($0) AS REAL)", real) }
        return "CASE WHEN \(are("'integer'", lhs, rhs)) THEN \(integers) WHEN \(are("'integer', 'real'", lhs, rhs)) "
          + "THEN \(portableRealOperation(function, reals, real).sql) END"
      }
    case .concatenate: return joined { "CASE WHEN \(are("'text'", $0, $1)) THEN \($0) || \($1) END" }
    case .trim, .replace, .position, .substring: return portableText(function, values)
    case .length:
      let text = SQLTerm(values[0], ExpressionType(.text).column(""))
      let length = apply(.length, to: [text], as: ExpressionType(.integer).column("")).sql
      return "CASE WHEN \(are("'text'", values[0])) THEN \(length) END".inParentheses
    default: return nil
    }
  }

  /// Returns a function of texts by SQLite's own, which count characters as this toolkit does.
  /// https://www.sqlite.org/lang_corefunc.html
  private func portableText(_ function: ExpressionFunction, _ values: [String]) -> String? {
    let texts = function == .substring ? values.prefix(1) : values[...]
    let result: String
    switch function {
    case .trim: result = "trim(\(values[0]), char(32, 9, 10, 13))"
    case .replace: result = "replace(\(values.joined(separator: ", ")))"
    case .position: result = "instr(\(values[0]), \(values[1]))"
    default:
      let isInRange = values.dropFirst().enumerated().map {
        "typeof(\($1)) = 'integer' AND \($1) >= \($0 == 0 ? 1 : 0)"
      }
      result =
        "CASE WHEN \(isInRange.joined(separator: " AND ")) THEN substr(\(values.joined(separator: ", "))) END"
    }
    let areTexts = texts.map { "typeof(\($0)) = 'text'" }.joined(separator: " AND ")
    return "CASE WHEN \(areTexts) THEN \(result) END".inParentheses
  }

  /// Returns the functions of this toolkit that a statement calls, by their names in the text form. In quotes, whether of a
  /// literal or of a name, there is no call.
  package static func ownFunctions(in sql: String) -> [String] {
    var names: [String] = []
    var quote: Unicode.Scalar?
    var calls = String.UnicodeScalarView()
    for scalar in sql.unicodeScalars {
      // A quote within quotes is doubled, which ends and begins them.
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
      } else {
        calls.append(scalar)
      }
    }
    for part in String(calls).split(separator: "repokit_", omittingEmptySubsequences: false).dropFirst() {
      let name = String(part.prefix { $0.isLetter || $0 == "_" })
      guard part.dropFirst(name.count).first == "(" else { continue }
      let known = [
        foldFunction: "ignoring case", realSumFunction: "sum", numberFunction: "sum", likeFunction: "like",
        ValueConversion.jsonFunction: "paths into JSON",
        ValueConversion.dateFunction: "dates stored as numbers",
      ]["repokit_" + name]
      if !names.contains(known ?? name) { names.append(known ?? name) }
    }
    return names
  }

  /// Returns the contract's own aggregates; a sum without a value, which the functions return as a text, becomes null.
  public func relatedAggregate(_ function: AnyAggregate.Function, of term: SQLTerm?, isReal: Bool) -> String {
    let aggregate = aggregate(function, of: term, isReal: isReal)
    guard function == .sum || function == .average else { return aggregate }
    return "\(Self.numberFunction)(\(aggregate))"
  }

  /// The name of the function that returns a number unchanged and null for any other value, which the connection has to define.
  package static let numberFunction = "repokit_total"
}
