/// An assignment: a column and what an update sets it to, a value or an expression of the row as it was before.
///
/// ```swift
/// try await pokedex.update(where: .equal(key: "type", value: "fire"), set: [Assignment("weight", 90.0)])
/// try await pokedex.update(where: .true, set: [Assignment("attack", .key("attack") + 1)])
/// ```
///
/// Its text form reads `attack = attack + 1`, see ``init(parsing:)``.
public struct Assignment: Hashable, Sendable {
  /// The content of an assignment.
  private enum Content: Hashable, Sendable {
    // Almost all assignments are of values, which need less memory than expressions.
    case value(Value)
    case expression(AnyExpression)
    case unstorable(ValueError)
  }

  /// The column's name.
  public let key: String
  private let content: Content

  /// Makes an assignment of a value.
  public init(_ key: String, _ value: some ValueConvertible) {
    self.key = key
    do throws(ValueError) {
      content = .value(try value.makeValue())
    } catch {
      content = .unstorable(error)
    }
  }

  /// Makes an assignment of an expression, which is evaluated on each row as it was before the update.
  public init(_ key: String, _ expression: AnyExpression) {
    self.key = key
    if case .value(let value) = expression.form { content = .value(value) } else { content = .expression(expression) }
  }

  /// Makes an assignment of a value that can't be stored; the update throws the error.
  package init(_ key: String, failing error: ValueError) {
    self.key = key
    content = .unstorable(error)
  }

  /// The value, if it is the same for every row; `nil` if it is computed from each row. A value that can't be stored is null
  /// here.
  public var value: Value? {
    switch content {
    case .value(let value): value
    case .expression: nil
    case .unstorable: .null
    }
  }

  /// The value or the expression that the column is set to, as an expression.
  public var expression: AnyExpression {
    switch content {
    case .value(let value): AnyExpression(.value(value))
    case .expression(let expression): expression
    case .unstorable: AnyExpression(.value(.null))
    }
  }

  fileprivate var needsOtherTables: Bool {
    if case .expression(let expression) = content { expression.needsOtherTables } else { false }
  }

  /// The reason why the value can't be stored, if it can't.
  package var error: ValueError? {
    if case .unstorable(let error) = content { error } else { nil }
  }
}

extension [Assignment] {
  /// Whether the new values depend on rows of other tables.
  package var needOtherTables: Bool { contains(where: \.needsOtherTables) }
}

/// Assignments whose keys were found in a table and whose values fit it.
public struct ResolvedAssignments: Sendable {
  /// The positions of the columns, in the order of the assignments.
  public let columns: [Int]
  /// The values, as the columns store them; null where they are computed from each row.
  public let values: [Value]
  /// The expressions that are evaluated for each row; `nil` if all values are known.
  package let computed: Computed?

  /// The expressions of assignments that are evaluated for each row.
  package struct Computed: Sendable {
    /// The scope in which the expressions are resolved.
    package let scope: RowScope
    /// The position in the scope of each assignment's value; `nil` for one whose value is known.
    package let positions: [Int?]
  }

  /// Checks assignments against a table.
  ///
  /// - Throws: ``QueryError``: with the code ``QueryError/Code/unknownKey``; with ``QueryError/Code/invalidAssignment`` if
  ///   nothing is set, a column is set twice or is part of the primary key, or the value of a unique column is computed from
  ///   each row; and with ``QueryError/Code/invalidValue`` or ``QueryError/Code/kindMismatch`` if a column can't hold its
  ///   value.
  public init(_ assignments: [Assignment], in table: TableSchema) throws(QueryError) {
    try self.init(assignments, in: table, keysMayChange: false)
  }

  /// Checks assignments against a table, and allows those to the primary key if `keysMayChange`, as for changes by hand, which
  /// apply to rows and not to elements.
  ///
  /// - Parameter tables: the lookup of the other tables that expressions lead to.
  package init(
    _ assignments: [Assignment], in table: TableSchema, keysMayChange: Bool = false,
    with tables: @escaping TableLookup = { _ in nil }
  ) throws(QueryError) {
    if assignments.isEmpty { throw QueryError(.invalidAssignment, "the update sets no column") }
    var columns: [Int] = []
    var values: [Value] = []
    var computed: (resolver: ScopeResolver, positions: [Int?])?
    for (index, assignment) in assignments.enumerated() {
      let position = try table.position(of: assignment.key)
      let column = table.columns[position]
      if !keysMayChange, table.primaryKey.contains(position) {
        throw QueryError(
          .invalidAssignment,
          "can't set \(VisibleText.name(column.name)), a part of the primary key of \(VisibleText.name(table.name))",
          suggestion: "insert an element with the new key, and delete the element with the old key")
      }
      if columns.contains(position) {
        throw QueryError(.invalidAssignment, "\(VisibleText.name(column.name)) is given twice")
      }
      if let error = assignment.error {
        throw QueryError(
          .invalidValue, "\(VisibleText.name(column.name)): \(error.summary)", suggestion: error.suggestion)
      }
      columns.append(position)
      if let value = assignment.value {
        values.append(try column.stored(value))
        continue
      }
      var (resolver, positions) = computed ?? (ScopeResolver(table, tables), assignments.map { _ in nil })
      if let value = try resolver.constant(assignment.expression) {
        values.append(try column.stored(value))
      } else {
        try table.checkMayBeComputed(position)
        let source = try resolver.position(of: assignment.expression)
        try column.checkHolds(
          resolver.scope.column(source), of: assignment.expression, isOwn: source < table.columns.count)
        positions[index] = source
        values.append(.null)
        computed = (resolver, positions)
      }
    }
    self.columns = columns
    self.values = values
    self.computed = computed.map { Computed(scope: $0.resolver.scope, positions: $0.positions) }
  }

  /// Makes assignments of values that are known to fit their columns.
  package init(columns: [Int], values: [Value]) {
    (self.columns, self.values, computed) = (columns, values, nil)
  }
}

extension ColumnSchema {
  /// Whether each number is stored as a real.
  var keepsReals: Bool { declaredType == nil && type == .real }

  /// Throws for an expression whose values the column can't hold.
  ///
  /// - Parameter isOwn: whether the expression is a column of the same table.
  fileprivate func checkHolds(
    _ values: ColumnSchema, of expression: AnyExpression, isOwn: Bool
  ) throws(QueryError) {
    let type = ExpressionType(values)
    func mismatch(_ found: String, suggestion: String?) -> QueryError {
      QueryError(
        .kindMismatch,
        "\(VisibleText.name(name)) stores \(format?.plural ?? ExpressionType(self).plural) and can't store "
          + "\(found), the result of \(expression)",
        suggestion: suggestion)
    }
    if type.kind == .null { return }
    if let nativeType, !isOwn || values.nativeType != nativeType {
      throw QueryError(
        .kindMismatch,
        "\(VisibleText.name(name)) has a database-specific type and can't store the result of \(expression)",
        suggestion: "set \(VisibleText.name(name)) to a value, or to another column of the same type")
    }
    let kinds: Set<ExpressionType.Kind> =
      switch self.type {
      case _ where declaredType != nil && self.type != .text:
        [.integer, .real, .number, .text, .blob, .textOrBlob, .any]
      case .integer: [.integer]
      case .real: [.integer, .real, .number]
      case .text: declaredType == nil ? [.text] : [.text, .blob, .textOrBlob, .any]
      case .blob: [.blob]
      case .any: [.integer, .real, .number, .text, .blob, .textOrBlob, .any]
      }
    if !kinds.contains(type.kind) {
      throw mismatch(
        type.plural,
        suggestion: self.type == .integer && type.kind == .real
          ? "use integer division: n * 3 / 2, not n * 1.5" : nil)
    }
    if format != nil, type.format != format { throw mismatch("text", suggestion: formatSuggestion) }
  }
}

extension TableSchema {
  /// Throws if the value of a unique column, or of one on which a partial unique constraint depends, is computed from each row.
  ///
  /// Whether a computed value is the same as the old one of another row depends on the order in which a database updates rows.
  fileprivate func checkMayBeComputed(_ position: Int) throws(QueryError) {
    let name = columns[position].name
    let isInKey =
      columns[position].isUnique || primaryKey.contains(position)
      || uniqueSets.contains(where: { $0.contains(position) })
      || partialUnique.contains { $0.columns.contains(named: name) }
    guard isInKey || partialUnique.contains(where: { $0.conditionReads(name) }) else { return }
    throw QueryError(
      .invalidAssignment,
      "can't compute \(VisibleText.name(name)) for each row, because "
        + (isInKey ? "the column is unique" : "a partial unique constraint depends on the column"),
      reason: "two rows could be equal during the update, depending on the order of the rows",
      suggestion: "find the rows, and save each row with its new value")
  }
}
