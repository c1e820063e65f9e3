import ErrorDetails

/// A function that finds another table of a request by its name; `nil` if there is no such table.
package typealias TableLookup = (_ name: String) throws(QueryError) -> TableSchema?

/// A resolver of the keys, paths and expressions of a request, which gives each of them a position in the scope of a row.
package struct ScopeResolver {
  package internal(set) var scope: RowScope
  let tables: TableLookup
  private var positions: [AnyExpression: Int] = [:]
  /// The position behind the column that was asked for last.
  private var expectedPosition = 0
  /// The positions of the joins, by the paths that lead through them.
  var joins: [[Name]: Int] = [:]
  /// The number of subqueries around the one that is being resolved.
  let level: Int
  /// The number of columns that are keys of groups, if the table's rows are groups.
  private var groupKeyCount: Int?

  package init(_ table: TableSchema, _ tables: @escaping TableLookup) {
    self.init(table, tables, level: 0)
  }

  /// Makes the resolver of a condition on groups.
  ///
  /// - Parameters:
  ///   - table: the groups as rows: their keys, followed by their aggregates.
  ///   - positions: the columns of keys and aggregates.
  init(groups table: TableSchema, keyCount: Int, _ positions: [AnyExpression: Int]) {
    self.init(table) { _ in nil }
    (groupKeyCount, self.positions) = (keyCount, positions)
  }

  init(_ table: TableSchema, _ tables: @escaping TableLookup, level: Int) {
    scope = RowScope(table)
    self.tables = tables
    self.level = level
  }

  /// Returns the position of an expression.
  ///
  /// - Throws: ``QueryError`` for an unknown key, and for types that do not fit.
  package mutating func position(of expression: AnyExpression) throws(QueryError) -> Int {
    if let key = expression.plainKey { return try position(of: key) }
    if let known = positions[expression] { return known }
    let resolved = try resolve(expression)
    if scope.stackDepth(resolved) > RowScope.maximumStackDepth { throw .tooDeepExpression }
    // A path to a column keeps the column's properties.
    var column = resolved.type.column(expression.description)
    if case .joined(let join, let position) = resolved.form {
      column = scope.joins[join].table.columns[position].joined(expression.description)
    }
    let position = scope.table.columns.count + scope.computed.count
    scope.computed.append(RowScope.Computed(requested: expression, expression: resolved, column: column))
    positions[expression] = position
    return position
  }

  /// Returns the position of a column.
  private mutating func position(of key: String) throws(QueryError) -> Int {
    guard let groupKeyCount else {
      // The columns of whole rows are asked for in their order.
      guard let position = scope.table.columns.firstIndex(named: key, near: expectedPosition) else {
        throw .unknownKey(key, in: scope.table)
      }
      expectedPosition = position + 1
      return position
    }
    if let position = positions[.key(key)] { return position }
    throw .noGroupKey(.key(key), of: scope.table, keyCount: groupKeyCount)
  }

  /// Returns the value of an expression that is the same for every row; `nil` if the expression is not constant.
  package func constant(_ expression: AnyExpression) throws(QueryError) -> Value? {
    try typedConstant(expression)?.value
  }

  /// Returns the value of a constant expression with its type: a null that an operation makes has the type of the operation.
  private func typedConstant(
    _ expression: AnyExpression
  ) throws(QueryError) -> (value: Value, type: ExpressionType)? {
    switch expression.form {
    case .value(let value):
      return (try checked(value), ExpressionType(of: value))
    case .function(let function, let arguments):
      var constants: [(value: Value, type: ExpressionType)] = []
      var leading: [Value] = []
      for (index, argument) in arguments.enumerated() {
        guard let constant = try typedConstant(argument) else { continue }
        if leading.count == index { leading.append(constant.value) }
        constants.append(constant)
      }
      // A function of null is null, whatever the row holds, and so is a chain of operations whose leading constants have no
      // result.
      let beginsWithNull = function.isOperator && leading.count > 1 && function.value(of: leading, []).isNull
      let dividesByZero =
        (function == .divide || function == .remainder)
        && arguments.dropFirst().contains { if case .value(let value) = $0.form { value == 0 } else { false } }
      if function != .coalesce, beginsWithNull || dividesByZero || constants.contains(where: \.value.isNull) {
        var resolver = self
        var types: [ExpressionType] = []
        for argument in arguments { types.append(try resolver.resolve(argument).type) }
        return (.null, try resultType(of: function, arguments: types, in: expression).ofNull)
      }
      if constants.count < arguments.count { return nil }
      let types = constants.map(\.type)
      let type = try resultType(of: function, arguments: types, in: expression)
      let value = function.value(of: constants.map(\.value), types)
      return (value, value.isNull ? type.ofNull : ExpressionType(of: value))
    case .conditional(let query, let then, let otherwise):
      guard let lhs = try typedConstant(then), let rhs = try typedConstant(otherwise), lhs.value.isNull,
        rhs.value.isNull
      else { return nil }
      var resolver = self
      return (.null, try resolver.resolveConditional(query, then, otherwise, as: expression).type.ofNull)
    case .aggregate(let function, let aggregated?, let rows)
    where (function == .min || function == .max) && aggregated.isNull:
      _ = try resolve(function, aggregated, rows)
      return (.null, ExpressionType(.null))
    default:
      return nil
    }
  }

  private func checked(_ value: Value) throws(QueryError) -> Value {
    if value.isNaN { throw .invalidValue(.notANumber) }
    return value
  }

  /// Finds the keys of an expression in the scope, and determines its type: a constant is computed, a key becomes the position of
  /// its column, a path leads through joins, and each operand of a function is resolved in turn. The expression gets no position of
  /// its own in the scope.
  ///
  /// - Throws: ``QueryError`` for an unknown key, for types that do not fit, and for a value that not every row of a group has.
  package mutating func resolve(_ expression: AnyExpression) throws(QueryError) -> ResolvedExpression {
    if let constant = try resolveConstant(expression) { return constant }
    if let column = try resolveGroupColumn(expression) { return column }
    switch expression.form {
    case .key(let key):
      let position = try position(of: key)
      return ResolvedExpression(form: .column(position), type: ExpressionType(scope.table.columns[position]))
    case .path(let steps):
      return try resolvePath(steps)
    case .value(let value):
      return ResolvedExpression(form: .value(value), type: ExpressionType(of: value))
    case .function(let function, let arguments):
      return try resolve(function, of: arguments, as: expression)
    case .conditional(let query, let then, let otherwise):
      return try resolveConditional(query, then, otherwise, as: expression)
    case .aggregate(let function, let aggregated, let rows):
      return try resolve(function, aggregated, rows)
    case .exists(let rows):
      return ResolvedExpression(
        form: .exists(try resolve(rows, aggregating: nil)), type: ExpressionType(.integer, isNullable: false))
    case .group(let aggregate):
      throw QueryError(
        .invalidAggregate, "\(aggregate) is an aggregate, and aggregates require groups",
        suggestion: "use \(aggregate) in a condition on groups")
    case .invalid(let error):
      throw error
    }
  }

  /// Returns the value of a constant expression; `nil` for any other expression.
  private func resolveConstant(_ expression: AnyExpression) throws(QueryError) -> ResolvedExpression? {
    guard let (value, type) = try typedConstant(expression) else { return nil }
    // Not every database can hold a text with U+0000, or a text computed from it.
    if case .text(let text) = value, text.utf8.contains(0) {
      throw QueryError(
        .invalidValue, "text in an expression can't contain U+0000",
        suggestion: "compare the column with the text, without an operation")
    }
    return ResolvedExpression(form: .value(value), type: type)
  }

  /// Returns the column of an expression that is a key or an aggregate of groups; `nil` if the rows are no groups, or if the
  /// expression is made of keys and aggregates.
  private func resolveGroupColumn(_ expression: AnyExpression) throws(QueryError) -> ResolvedExpression? {
    guard let groupKeyCount else { return nil }
    if let position = positions[expression], position < scope.table.columns.count {
      return ResolvedExpression(form: .column(position), type: ExpressionType(scope.table.columns[position]))
    }
    switch expression.form {
    case .path, .aggregate, .exists: throw .noGroupKey(expression, of: scope.table, keyCount: groupKeyCount)
    default: return nil
    }
  }

  /// Returns a choice between two resolved expressions, whose types have to fit.
  private mutating func resolveConditional(
    _ query: AnyQuery, _ then: AnyExpression, _ otherwise: AnyExpression, as expression: AnyExpression
  ) throws(QueryError) -> ResolvedExpression {
    let predicate = try ResolvedQuery.normalized(query, with: &self).predicate
    let results = try formatted([try resolve(then), try resolve(otherwise)], of: expression)
    let (then, otherwise) = (results[0], results[1])
    guard let type = then.type.union(otherwise.type) else {
      throw QueryError(
        .kindMismatch,
        "the two results of \(expression) have different types: \(then.type.plural) and \(otherwise.type.plural)",
        suggestion: "give both results the same type")
    }
    return ResolvedExpression(form: .conditional(predicate, then: then, else: otherwise), type: type)
  }

  /// Returns a function of resolved arguments, of which leading constants are folded into one.
  private mutating func resolve(
    _ function: ExpressionFunction, of arguments: [AnyExpression], as expression: AnyExpression
  ) throws(QueryError) -> ResolvedExpression {
    var resolved: [ResolvedExpression] = []
    for argument in arguments {
      resolved.append(try resolve(argument))
      if let key = argument.plainKey { try scope.column(try position(of: .key(key))).checkIsComparable() }
    }
    if function.isOfDates { resolved = resolved.map(readingDates) }
    if function == .coalesce { resolved = try formatted(resolved, of: expression) }
    let type = try resultType(of: function, arguments: resolved.map(\.type), in: expression)
    while function.isOperator, resolved.count > 2, case .value(let lhs) = resolved[0].form,
      case .value(let rhs) = resolved[1].form
    {
      let value = function.value(of: [lhs, rhs], [])
      if value.isNull { return ResolvedExpression(form: .value(.null), type: type.ofNull) }
      resolved.replaceSubrange(
        0...1, with: [ResolvedExpression(form: .value(value), type: ExpressionType(of: value))])
    }
    return ResolvedExpression(form: .function(function, resolved), type: type)
  }

  /// Returns the possible results of an expression. If one of them is a UUID, a date or a decimal, constants are, too.
  private func formatted(
    _ results: [ResolvedExpression], of expression: AnyExpression
  ) throws(QueryError) -> [ResolvedExpression] {
    guard let format = results.lazy.compactMap(\.type.format).first else { return results }
    let column = ColumnSchema("", .text, isNullable: true, format: format)
    return try results.map { result throws(QueryError) in
      guard case .value(let value) = result.form, !value.isNull else { return result }
      let formatted = column.formatted(value)
      guard column.isInFormat(formatted) else {
        throw QueryError(
          .kindMismatch, "\(expression) mixes \(format.plural) with \(column.described(value))",
          suggestion: column.formatSuggestion)
      }
      return ResolvedExpression(
        form: .value(formatted), type: ExpressionType(.text, isNullable: false, format: format))
    }
  }

  /// Returns a column that holds dates as numbers as their texts, and anything else unchanged.
  private func readingDates(_ expression: ResolvedExpression) -> ResolvedExpression {
    guard case .column(let position) = expression.form, position < scope.table.columns.count,
      let form = scope.table.columns[position].dateForm
    else { return expression }
    return ResolvedExpression(form: .converted(expression, .date(form)), type: ExpressionType(.text))
  }
}

extension AnyExpression {
  /// Whether this is null as it is written out, or what is made of that alone, so that it has no type.
  fileprivate var isNull: Bool {
    switch form {
    case .value(let value): value.isNull
    case .function(let function, let arguments):
      (function.isArithmetic || function == .coalesce) && arguments.allSatisfy(\.isNull)
    case .conditional(_, let then, let otherwise): then.isNull && otherwise.isNull
    case .aggregate(let function, let aggregated?, _): (function == .min || function == .max) && aggregated.isNull
    default: false
    }
  }
}
