import ErrorDetails

extension ScopeResolver {
  /// Returns the first argument with a type.
  private func argument(
    of type: ExpressionType, among types: [ExpressionType], in expression: AnyExpression
  ) -> AnyExpression? {
    guard case .function(_, let arguments) = expression.form, let index = types.firstIndex(of: type),
      index < arguments.count
    else { return nil }
    return arguments[index]
  }

  /// Returns the column of an expression; `nil` if the expression is computed.
  private func column(of expression: AnyExpression) -> ColumnSchema? {
    switch expression.form {
    case .key, .path: break
    default: return nil
    }
    var resolver = self
    return (try? resolver.position(of: expression)).map { resolver.scope.column($0) }
  }

  /// Returns the type of a function's result.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/kindMismatch`` for arguments of the wrong kind.
  func resultType(
    of function: ExpressionFunction, arguments types: [ExpressionType], in expression: AnyExpression
  ) throws(QueryError) -> ExpressionType {
    func fail(_ wanted: String, _ found: ExpressionType) -> QueryError {
      let argument = argument(of: found, among: types, in: expression)
      let column = argument.flatMap(column)
      return QueryError(
        .kindMismatch, "`\(function.rawValue)` needs \(wanted), but \(argument ?? expression) is \(found.singular)",
        reason: column.flatMap { column in
          column.declaredType.map {
            "\(VisibleText.name(column.name)) is declared \($0), so the column stores \(found.plural)"
          }
        },
        suggestion: found.format == .decimal
          ? "queries don't compute with decimals; compute the value in the program, or with the database's own SQL"
          : function == .add && found.mayBeText
            ? "`||` joins text"
            : column.map { "use another column, or store \(wanted) in \(VisibleText.name($0.name))" })
    }
    let isNullable = types.contains(where: \.isNullable)
    switch function {
    case .add, .subtract, .multiply, .divide, .remainder, .negate, .abs, .floor, .ceiling, .round, .sign, .squareRoot,
      .least, .greatest:
      if let other = types.first(where: { !$0.mayBeNumber }) { throw fail("numbers", other) }
      if function == .remainder, let other = types.first(where: { $0.kind == .real }) { throw fail("integers", other) }
      // A null that is written out has no type, and takes that of the other operand.
      let kinds = Set(types.map(\.kind)).subtracting([.null])
      if kinds.isEmpty { return ExpressionType(.null) }
      if function == .squareRoot { return ExpressionType(.real) }
      if function == .round {
        if types.count > 1, types[1].kind == .real { throw fail("an integer as the number of digits", types[1]) }
        return ExpressionType(types[0].kind == .null ? .real : types[0].kind)
      }
      if function == .sign {
        return ExpressionType(.integer, isNullable: kinds.isSubset(of: [.integer, .real]) ? isNullable : true)
      }
      if kinds == [.integer] {
        return ExpressionType(.integer, isNullable: function == .floor || function == .ceiling ? isNullable : true)
      }
      if function == .remainder { return ExpressionType(.integer) }
      if kinds == [.real], types.count == 1 {
        return ExpressionType(.real, isNullable: isNullable)
      }
      // Operands next to a real are converted to reals.
      return ExpressionType(kinds.contains(.real) ? .real : .number)
    case .integer, .number:
      if let other = types.first(where: { !$0.mayBeText || $0.format == .decimal }) { throw fail("text", other) }
      return ExpressionType(function == .integer ? .integer : .real)
    case .concatenate, .length, .folded, .trim, .replace, .position:
      if let other = types.first(where: { !$0.mayBeText || $0.format == .decimal }) { throw fail("text", other) }
      let isText = types.allSatisfy { $0.kind == .text }
      let isInteger = function == .length || function == .position
      return ExpressionType(isInteger ? .integer : .text, isNullable: isText ? isNullable : true)
    case .substring, .part, .addDays, .addMonths:
      let textCount = function == .part ? 2 : 1
      if let other = types.prefix(textCount).first(where: { !$0.mayBeText || $0.format == .decimal }) {
        throw fail(function == .addDays || function == .addMonths ? "a date" : "text", other)
      }
      let numbers = types.dropFirst(textCount)
      if let other = numbers.first(where: { !$0.mayBeNumber || $0.kind == .real }) { throw fail("integers", other) }
      let isDate = (function == .addDays || function == .addMonths) && types[0].format == .date
      return ExpressionType(.text, isNullable: true, format: isDate ? .date : nil)
    case .daysBetween, .secondsBetween:
      if let other = types.first(where: { !$0.mayBeText || $0.format == .decimal }) { throw fail("dates", other) }
      return ExpressionType(.integer, isNullable: true)
    case .coalesce:
      var union = ExpressionType(.null)
      for type in types {
        guard let both = union.union(type) else { throw fail("values of one kind", type) }
        union = both
      }
      return ExpressionType(union.kind, isNullable: types.allSatisfy(\.isNullable), format: union.format)
    case .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth, .quarter, .week, .weekYear:
      if let other = types.first(where: { !$0.mayBeText }) { throw fail("dates", other) }
      let isDate = types.allSatisfy { $0.format == .date }
      return ExpressionType(
        function == .date || function == .yearMonth ? .text : .integer, isNullable: isDate ? isNullable : true)
    }
  }
}
