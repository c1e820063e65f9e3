/// Finds the tables that a request names besides its own; `nil` where there is none of a name.
package typealias TableLookup = (_ name: String) throws(QueryError) -> TableSchema?

/// Finds what a request names, and gives each expression a position in what the request sees of a row.
package struct ScopeResolver {
  package private(set) var scope: RowScope
  private let tables: TableLookup
  private var positions: [AnyExpression: Int] = [:]
  private var joins: [[Name]: Int] = [:]
  /// How many subqueries are around the one that is resolved.
  private let level: Int

  package init(_ table: TableSchema, _ tables: @escaping TableLookup) {
    self.init(table, tables, level: 0)
  }

  private init(_ table: TableSchema, _ tables: @escaping TableLookup, level: Int) {
    scope = RowScope(table)
    self.tables = tables
    self.level = level
  }

  /// The position of an expression.
  ///
  /// - Throws: ``QueryError`` for an unknown key, and for types that do not fit.
  package mutating func position(of expression: AnyExpression) throws(QueryError) -> Int {
    if let key = expression.plainKey { return try scope.table.position(of: key) }
    if let known = positions[expression] { return known }
    let resolved = try resolve(expression)
    if scope.stackDepth(resolved) > RowScope.maximumStackDepth { throw .tooDeepExpression }
    // A path to a column keeps all that is known of it.
    var column = resolved.type.column(expression.description)
    if case .joined(let join, let position) = resolved.form {
      column = scope.joins[join].table.columns[position].joined(expression.description)
    }
    let position = scope.table.columns.count + scope.computed.count
    scope.computed.append(RowScope.Computed(asked: expression, expression: resolved, column: column))
    positions[expression] = position
    return position
  }

  /// The value of an expression that is the same for every row; `nil` where it is not.
  package func constant(_ expression: AnyExpression) throws(QueryError) -> Value? {
    switch expression.form {
    case .value(let value):
      return try checked(value)
    case .function(let function, let arguments):
      var values: [Value] = []
      var leading: [Value] = []
      for (index, argument) in arguments.enumerated() {
        guard let value = try constant(argument) else { continue }
        if leading.count == index { leading.append(value) }
        values.append(value)
      }
      // What is made of null is null, whatever the row holds, and so is what begins with an operation that has no result.
      let beginsWithNull = function.isOperator && leading.count > 1 && function.value(of: leading, []).isNull
      let dividesByZero =
        (function == .divide || function == .remainder)
        && arguments.dropFirst().contains { if case .value(let value) = $0.form { value == 0 } else { false } }
      if function != .coalesce, beginsWithNull || dividesByZero || values.contains(where: \.isNull) {
        var resolver = self
        var types: [ExpressionType] = []
        for argument in arguments { types.append(try resolver.resolve(argument).type) }
        _ = try type(of: function, types, of: expression)
        return .null
      }
      if values.count < arguments.count { return nil }
      let types = values.map { ExpressionType(of: $0) }
      _ = try type(of: function, types, of: expression)
      return function.value(of: values, types)
    case .conditional(let query, let then, let otherwise):
      guard try constant(then)?.isNull == true, try constant(otherwise)?.isNull == true else { return nil }
      var resolver = self
      _ = try ResolvedQuery.normalized(query, with: &resolver)
      return .null
    default:
      return nil
    }
  }

  private func checked(_ value: Value) throws(QueryError) -> Value {
    if value.isNaN { throw .invalidValue(.notANumber) }
    return value
  }

  package mutating func resolve(_ expression: AnyExpression) throws(QueryError) -> ResolvedExpression {
    if let value = try constant(expression) {
      // Not every database has a text that holds it, and what is made of such a text.
      if case .text(let text) = value, text.utf8.contains(0) {
        throw QueryError(
          .invalidValue, "a text of an expression can't hold U+0000",
          suggestion: "compare the column with the text, without an operation")
      }
      return ResolvedExpression(form: .value(value), type: ExpressionType(of: value))
    }
    switch expression.form {
    case .key(let key):
      let position = try scope.table.position(of: key)
      return ResolvedExpression(form: .column(position), type: ExpressionType(scope.table.columns[position]))
    case .path(let steps):
      return try resolvePath(steps)
    case .value(let value):
      return ResolvedExpression(form: .value(value), type: ExpressionType(of: value))
    case .function(let function, let arguments):
      var resolved: [ResolvedExpression] = []
      for argument in arguments { resolved.append(try resolve(argument)) }
      let type = try type(of: function, resolved.map(\.type), of: expression)
      // Constants at the start are one.
      while function.isOperator, resolved.count > 2, case .value(let lhs) = resolved[0].form,
        case .value(let rhs) = resolved[1].form
      {
        let value = function.value(of: [lhs, rhs], [])
        let first = ResolvedExpression(form: .value(value), type: ExpressionType(of: value))
        if value.isNull { return first }
        resolved.replaceSubrange(0...1, with: [first])
      }
      return ResolvedExpression(form: .function(function, resolved), type: type)
    case .conditional(let query, let then, let otherwise):
      let predicate = try ResolvedQuery.normalized(query, with: &self).predicate
      let (then, otherwise) = (try resolve(then), try resolve(otherwise))
      guard let type = then.type.union(otherwise.type) else {
        throw QueryError(
          .kindMismatch, "the two results of \(expression) are \(then.type.plural) and \(otherwise.type.plural)",
          suggestion: "let both be of one type")
      }
      return ResolvedExpression(form: .conditional(predicate, then: then, else: otherwise), type: type)
    case .aggregate(let function, let aggregated, let rows):
      return try resolve(function, aggregated, rows)
    case .exists(let rows):
      return ResolvedExpression(
        form: .exists(try resolve(rows, aggregating: nil)), type: ExpressionType(.integer, isNullable: false))
    case .invalid(let error):
      throw error
    }
  }
}

// MARK: - Types

extension ScopeResolver {
  /// The type of what a function makes.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/kindMismatch`` for what it can't be made of.
  private func type(
    of function: ExpressionFunction, _ types: [ExpressionType], of expression: AnyExpression
  ) throws(QueryError) -> ExpressionType {
    func fail(_ wanted: String, _ found: ExpressionType) -> QueryError {
      QueryError(
        .kindMismatch, "`\(function.rawValue)` takes \(wanted), and in \(expression) it is given \(found.plural)")
    }
    let isNullable = types.contains(where: \.isNullable)
    switch function {
    case .add, .subtract, .multiply, .divide, .remainder, .negate, .abs, .floor, .ceiling:
      if let other = types.first(where: { !$0.mayBeNumber }) { throw fail("numbers", other) }
      if function == .remainder, let other = types.first(where: { $0.kind == .real }) { throw fail("integers", other) }
      let kinds = Set(types.map(\.kind))
      if kinds.contains(.null) { return ExpressionType(.null) }
      if kinds == [.integer] {
        return ExpressionType(.integer, isNullable: function == .floor || function == .ceiling ? isNullable : true)
      }
      if function == .remainder { return ExpressionType(.integer) }
      if kinds == [.real], types.count == 1 {
        return ExpressionType(.real, isNullable: isNullable)
      }
      // Whatever is beside the real becomes one.
      return ExpressionType(kinds.contains(.real) ? .real : .number)
    case .concatenate, .length, .folded:
      if let other = types.first(where: { !$0.mayBeText }) { throw fail("texts", other) }
      let isText = types.allSatisfy { $0.kind == .text }
      return ExpressionType(function == .length ? .integer : .text, isNullable: isText ? isNullable : true)
    case .coalesce:
      var union = ExpressionType(.null)
      for type in types {
        guard let both = union.union(type) else { throw fail("values of one kind", type) }
        union = both
      }
      return ExpressionType(union.kind, isNullable: types.allSatisfy(\.isNullable), format: union.format)
    case .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth:
      if let other = types.first(where: { !$0.mayBeText }) { throw fail("dates", other) }
      let isDate = types.allSatisfy { $0.format == .date }
      return ExpressionType(
        function == .date || function == .yearMonth ? .text : .integer, isNullable: isDate ? isNullable : true)
    }
  }
}

// MARK: - Relations

extension ScopeResolver {
  private mutating func resolvePath(_ steps: [String]) throws(QueryError) -> ResolvedExpression {
    var table = scope.table
    var source: Int?
    var path: [Name] = []
    for step in steps.dropLast() {
      path.append(Name(step))
      if let known = joins[path] {
        source = known
        table = scope.joins[known].table
        continue
      }
      let reference = try table.reference(named: step)
      guard let target = try tables(reference.table) else { throw .missingRelated(reference.table, from: table) }
      // A database joins so many tables at most: https://www.sqlite.org/limits.html#max_join
      if scope.joins.count == RowScope.maximumJoinCount {
        throw QueryError(
          .tooComplex, "the query follows more than \(RowScope.maximumJoinCount) paths", suggestion: "split the query")
      }
      let join = RowScope.Join(
        source: source, columns: table.positions(of: reference), table: target, key: try target.key(of: reference))
      source = scope.joins.count
      joins[path] = source
      scope.joins.append(join)
      table = target
    }
    let column = try table.position(of: steps[steps.count - 1])
    guard let source else { return try resolve(.key(steps[0])) }
    var type = ExpressionType(table.columns[column])
    type.isNullable = true
    return ResolvedExpression(form: .joined(join: source, column: column), type: type)
  }

  private func resolve(
    _ function: AnyAggregate.Function, _ aggregated: AnyExpression?, _ rows: RelatedRows
  ) throws(QueryError) -> ResolvedExpression {
    let related = try resolve(rows, aggregating: aggregated)
    guard let position = related.aggregated else {
      return ResolvedExpression(
        form: .aggregate(function, related), type: ExpressionType(.integer, isNullable: false))
    }
    let type = ExpressionType(related.scope.column(position))
    switch function {
    case .count:
      return ResolvedExpression(form: .aggregate(function, related), type: ExpressionType(.integer, isNullable: false))
    case .min, .max:
      return ResolvedExpression(
        form: .aggregate(function, related), type: ExpressionType(type.kind, format: type.format))
    case .sum, .average:
      if !type.mayBeNumber {
        throw QueryError(
          .kindMismatch, "\(related.scope.name(position)) holds \(type.plural) and has no \(function.rawValue)",
          suggestion: "count, min and max take values of every kind")
      }
      let kind: ExpressionType.Kind =
        function == .average || type.kind == .real ? .real : type.kind == .integer ? .integer : .number
      return ResolvedExpression(form: .aggregate(function, related), type: ExpressionType(kind))
    }
  }

  private func resolve(_ rows: RelatedRows, aggregating: AnyExpression?) throws(QueryError) -> RelatedScope {
    if level == AnyExpression.maximumPathLength {
      throw QueryError(.tooComplex, "relations are nested deeper than \(AnyExpression.maximumPathLength) levels")
    }
    guard let table = try tables(rows.table), Name(table.name) == rows.table else {
      throw .missingRelated(rows.table, from: scope.table)
    }
    let reference = try table.reference(to: scope.table, by: rows.columns)
    var inner = ScopeResolver(table, tables, level: level + 1)
    let aggregated = try aggregating.map { expression throws(QueryError) in try inner.position(of: expression) }
    let predicate = try ResolvedQuery.normalized(rows.query, with: &inner).predicate
    return RelatedScope(
      inner.scope, columns: table.positions(of: reference), key: try scope.table.key(of: reference),
      predicate: predicate, aggregated: aggregated)
  }
}

extension TableSchema {
  /// The reference of one column.
  fileprivate func reference(named name: String) throws(QueryError) -> ReferenceRule {
    let found = references.filter { $0.columns.count == 1 && Name($0.columns[0]) == name }
    if let reference = found.first { return reference }
    let names = references.filter { $0.columns.count == 1 }.map { $0.columns[0] }
    if columns.contains(named: name) {
      throw QueryError(
        .unknownRelation, "\(name) of \(self.name) refers to no other table",
        reason: "a path leads through columns that refer to rows",
        suggestion: names.isEmpty ? nil : "columns of \(self.name) that do: \(names.joined(separator: ", "))")
    }
    throw QueryError(
      .unknownRelation,
      "no column \(VisibleText.excerpt(of: Array(name.utf8)[...])) of \(self.name) refers to another table",
      suggestion: NearestName.nearest(to: name, in: names).map { "did you mean \($0)?" }
        ?? (names.isEmpty
          ? "a key that holds a dot stands in double quotes" : "those that do: \(names.joined(separator: ", "))"))
  }

  /// The reference of this table's rows to those of another one.
  fileprivate func reference(to other: TableSchema, by columns: [String]) throws(QueryError) -> ReferenceRule {
    // Databases that know no case of names may spell them in another one in a reference.
    let fitting = references.filter { Name($0.table).folded == Name(other.name).folded }
    let named = columns.isEmpty ? fitting : fitting.filter { $0.columns.map(Name.init) == columns.map(Name.init) }
    if named.count == 1 { return named[0] }
    let all = fitting.map { $0.columns.joined(separator: " and ") }
    if fitting.isEmpty {
      throw QueryError(
        .unknownRelation, "rows of \(name) don't refer to \(other.name)",
        suggestion: "declare a reference, a foreign key, of \(name) to \(other.name)")
    }
    if named.isEmpty {
      throw QueryError(
        .unknownRelation, "rows of \(name) don't refer to \(other.name) by \(columns.joined(separator: " and "))",
        suggestion: "they do by \(all.joined(separator: ", or by "))")
    }
    throw QueryError(
      .unknownRelation, "rows of \(name) refer to \(other.name) in \(named.count) ways",
      suggestion: "say by which: by \(all.joined(separator: ", or by "))")
  }

  /// The positions of the columns that a reference leads to.
  fileprivate func key(of reference: ReferenceRule) throws(QueryError) -> [Int] {
    var positions: [Int] = []
    for name in reference.key {
      let folded = columns.firstIndex { Name($0.name).folded == Name(name).folded }
      if let known = columns.firstIndex(named: name) ?? folded {
        positions.append(known)
      } else {
        positions.append(try position(of: name))
      }
    }
    let isUnique =
      Set(positions) == Set(primaryKey) || uniqueSets.contains { Set($0) == Set(positions) }
      || positions.count == 1 && columns[positions[0]].isUnique
    if isUnique { return positions }
    throw QueryError(
      .unknownRelation, "\(reference.key.joined(separator: " and ")) of \(name) may be the same in several rows",
      reason: "a path leads to one row or none")
  }
}

extension QueryError {
  fileprivate static func missingRelated(_ name: String, from table: TableSchema) -> QueryError {
    QueryError(
      .unknownRelation, "there is no table \(VisibleText.excerpt(of: Array(name.utf8)[...])) beside \(table.name)",
      suggestion: "relations lead to tables of the same store")
  }
}

extension ColumnSchema {
  /// The column as a path leads to it, perhaps to no row.
  package func joined(_ name: String) -> ColumnSchema {
    ColumnSchema(
      name, type, isNullable: true, declaredType: declaredType, collation: collation, format: format
    ).kept(as: storage)
  }
}
