/// A check constraint: a query that each row of a table has to match.
///
/// The query may name all columns of its table. It is two-valued, as every query is: a row for which it is false because of a
/// null is refused, which a check in SQL would accept.
public struct CheckRule: Hashable, Sendable, Named {
  private let id: Name
  /// The query that each row has to match.
  public let query: AnyQuery

  /// Makes a check constraint.
  public init(_ name: String, _ query: AnyQuery) {
    id = Name(name)
    self.query = query
  }

  /// The constraint's name, by which errors refer to it.
  public var name: String { id.text }
}

/// A foreign key: the values of some columns are the key of a row, in another table or in the same one.
///
/// A row with a null in one of the columns refers to no row, and satisfies the constraint.
public struct ReferenceRule: Hashable, Sendable {
  /// The names of the referring columns.
  public let columns: [String]
  /// The name of the referenced table.
  public let table: String
  /// The names of the referenced columns, in the same order: the primary key of the referenced table.
  public let key: [String]
  /// The rule for the referring rows when the referenced row is deleted.
  public let onDelete: DeleteRule
  /// Whether the reference is deferred: whether the referenced row exists is checked at the end of the transaction, or of a
  /// write outside any transaction, and not after each row.
  public let isDeferred: Bool

  /// Makes a foreign key.
  ///
  /// - Parameters:
  ///   - columns: the names of the referring columns.
  ///   - table: the name of the referenced table.
  ///   - key: the names of the referenced table's primary key.
  ///   - onDelete: the rule for the referring rows when the referenced row is deleted.
  ///   - isDeferred: whether rows may refer to a missing row until the transaction ends. That includes the rows that a
  ///     deletion leaves behind under the rule ``DeleteRule/restrict``.
  public init(
    _ columns: [String], to table: String, key: [String], onDelete: DeleteRule = .restrict, isDeferred: Bool = false
  ) {
    self.columns = columns
    self.table = table
    self.key = key
    self.onDelete = onDelete
    self.isDeferred = isDeferred
  }

  /// Returns whether both are the same foreign key; names are compared by their bytes.
  public static func == (lhs: ReferenceRule, rhs: ReferenceRule) -> Bool {
    lhs.columns.map(Name.init) == rhs.columns.map(Name.init) && lhs.refers(toSameAs: rhs)
      && lhs.onDelete == rhs.onDelete && lhs.isDeferred == rhs.isDeferred
  }

  /// Returns whether both refer to the same columns of the same table.
  package func refers(toSameAs other: ReferenceRule) -> Bool {
    Name(table) == other.table && key.map(Name.init) == other.key.map(Name.init)
  }
}

/// The rule for the rows that refer to a row when that row is deleted.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  /// The row can't be deleted while rows refer to it that are not deleted by the same operation, or, of a deferred reference,
  /// within the same transaction.
  case restrict
  /// The referring rows are deleted too; for the rows that refer to these, their own rule holds.
  case cascade
  /// The columns of the reference become null in the referring rows.
  case setNull
}

extension TableSchema {
  /// Returns the same table with additional constraints.
  ///
  /// - Parameters:
  ///   - unique: names of columns that are unique together.
  ///   - partialUnique: the columns that are unique only among the rows that match a condition.
  ///   - checks: the conditions that each row has to match.
  ///   - references: the foreign keys.
  /// - Throws: ``QueryError`` as ``init(_:columns:primaryKey:unique:partialUnique:checks:references:)`` does.
  package func adding(
    unique: [[String]] = [], partialUnique: [PartialUniqueRule] = [], checks: [CheckRule] = [],
    references: [ReferenceRule] = []
  ) throws(QueryError) -> TableSchema {
    try TableSchema(
      name, columns: columns, primaryKey: primaryKeyColumns.map(\.name),
      unique: uniqueSets.map { set in set.map { columns[$0].name } } + unique,
      partialUnique: self.partialUnique + partialUnique, checks: self.checks + checks,
      references: self.references + references
    ).keeping(distribution)
  }

  /// Returns the positions of the columns of a reference.
  package func positions(of reference: ReferenceRule) -> [Int] {
    reference.columns.compactMap { name in columns.firstIndex(named: name) }
  }

  /// Returns the checks with resolved queries.
  package func resolvedChecks() -> [(rule: CheckRule, query: ResolvedQuery)] {
    // A check that can't be resolved has been refused when the table was described.
    checks.compactMap { check in (try? check.query.resolved(in: self)).map { (check, $0) } }
  }

  /// Whether the store generates the key of a row that is inserted without a key.
  package var hasGeneratedKey: Bool { columns.contains(where: \.isGenerated) }

  /// Throws for constraints that are not valid for the table.
  func validateRules() throws(QueryError) {
    for (position, column) in columns.enumerated() where column.isGenerated {
      if primaryKey != [position] || column.type != .integer {
        throw .invalidSchema(
          name, "\(column.name) is generated, but is not an integer primary key",
          suggestion: "only an integer primary key of one column can be generated")
      }
    }
    var names: Set<[UInt8]> = []
    for check in checks {
      if check.name.isEmpty { throw .invalidSchema(name, "a check has no name") }
      if !names.insert(Name(check.name).folded).inserted {
        throw .invalidSchema(name, "two checks have the name \(check.name)")
      }
      try validate(check.query, of: "the check \(check.name)")
    }
    for (position, rule) in partialUnique.enumerated() {
      try validate(rule)
      if partialUnique[..<position].contains(rule) {
        throw .invalidSchema(
          name, "two partial unique constraints of \(rule.columns.joined(separator: " and ")) are the same")
      }
    }
    for reference in references { try validate(reference) }
  }

  /// Returns the query of a rule, found in the table.
  ///
  /// - Parameter rule: the rule in words, such as "the check weight".
  /// - Throws: ``QueryError`` for a query that the databases can't evaluate for each row by themselves.
  @discardableResult
  func validate(_ query: AnyQuery, of rule: String) throws(QueryError) -> ResolvedQuery {
    let resolved: ResolvedQuery
    do {
      resolved = try query.resolved(in: self)
    } catch {
      throw .invalidSchema(name, "\(rule) is invalid: \(error.summary)", suggestion: error.suggestion)
    }
    let expressions = resolved.scope.computed.map(\.expression)
    if let other = expressions.lazy.compactMap(\.unportable).first {
      throw .invalidSchema(
        name, "\(rule) uses \(other), which other programs can't evaluate",
        suggestion: "check the columns themselves, or check elements before saving")
    }
    // A check can't name intermediate results, so that its SQL grows by a factor with each level.
    if expressions.reduce(0, { $0 + $1.definitionSize }) > ResolvedExpression.maximumDefinitionSize {
      throw .invalidSchema(
        name, "\(rule) has more parts than databases accept",
        suggestion: "store a part of the expression in a column, or check elements before saving")
    }
    // For `like` and case folding, a database would call functions of this toolkit, so that no other program could write to the
    // table.
    if resolved.predicate.needsFunctions || expressions.contains(where: \.hasConditionThatNeedsFunctions) {
      throw .invalidSchema(
        name, "\(rule) uses `like` or ignores case, which other programs can't evaluate",
        suggestion: "use `contains`, `starts with` or `ends with` with case, or check elements before saving")
    }
    return resolved
  }

  private func validate(_ reference: ReferenceRule) throws(QueryError) {
    let names = reference.columns.joined(separator: " and ")
    if reference.columns.isEmpty { throw .invalidSchema(name, "a reference has no columns") }
    if Set(reference.columns.map { Name($0).folded }).count < reference.columns.count {
      throw .invalidSchema(name, "the reference of \(names) names a column twice")
    }
    if reference.columns.count != reference.key.count {
      throw .invalidSchema(
        name, "\(names) can't refer to \(reference.table), whose key has \(reference.key.count) columns")
    }
    for column in reference.columns {
      guard let column = columns.first(named: column) else {
        throw .invalidSchema(name, "a reference names \(column), which is not a column")
      }
      if reference.onDelete == .setNull, !column.isNullable {
        throw .invalidSchema(
          name,
          "\(column.name) becomes null when a row of \(reference.table) is deleted, but \(column.name) may not be null",
          suggestion: "make the property optional, or choose another deletion rule")
      }
    }
  }
}

extension ResolvedExpression {
  /// The maximum size of the expressions of a check.
  fileprivate static let maximumDefinitionSize = 5_000

  /// A part of the expression that databases lack, at least for values of these types.
  fileprivate var unportable: String? {
    switch form {
    case .column, .value, .joined, .aggregate, .exists: return nil
    case .converted: return "a path into JSON"
    case .conditional: return operands.lazy.compactMap(\.unportable).first
    case .function(let function, let arguments):
      if let inner = operands.lazy.compactMap(\.unportable).first { return inner }
      let kinds = Set(arguments.map(\.type.kind)).subtracting([.null])
      let isPortable =
        switch function {
        case .add, .subtract, .multiply, .divide, .negate, .abs: kinds.isSubset(of: [.integer, .real])
        case .remainder, .floor, .ceiling: kinds.isSubset(of: [.integer])
        case .concatenate, .length: kinds.isSubset(of: [.text])
        case .coalesce: true
        case .trim, .replace, .substring, .position: kinds.isSubset(of: [.text, .integer])
        default: false
        }
      return isPortable ? nil : "`\(function.rawValue)`"
    }
  }

  /// The approximate number of column names in the expression's SQL.
  fileprivate var definitionSize: Int {
    switch form {
    case .column, .value, .joined, .converted, .aggregate, .exists: return 1
    case .conditional: return operands.reduce(0) { $0 + $1.definitionSize }
    case .function(let function, let arguments):
      guard function.isArithmetic else { return arguments.reduce(0) { $0 + $1.definitionSize } }
      let factor = type.kind == .real ? 12 : 4
      // Operators are applied pairwise, from left to right.
      return arguments.dropFirst().reduce(factor * arguments[0].definitionSize) { size, argument in
        min(factor * (size + argument.definitionSize), Self.maximumDefinitionSize + 1)
      }
    }
  }
}

extension ResolvedExpression {
  fileprivate var hasConditionThatNeedsFunctions: Bool {
    if case .conditional(let predicate, _, _) = form, predicate.needsFunctions { return true }
    return operands.contains(where: \.hasConditionThatNeedsFunctions)
  }
}

extension NormalizedPredicate {
  /// Whether a database needs functions of this toolkit to check the predicate.
  fileprivate var needsFunctions: Bool {
    switch self {
    case .condition(.text(let match), _, _): match.operation == .like || match.isIgnoringCase
    case .condition: false
    case .all(let clauses), .any(let clauses): clauses.contains { $0.needsFunctions }
    }
  }
}

extension QueryError {
  /// Returns the error for a description of a table that contradicts itself.
  static func invalidSchema(_ table: String, _ reason: String, suggestion: String? = nil) -> QueryError {
    QueryError(
      .invalidSchema, "the schema of \(table.isEmpty ? "a table" : table) is not valid", reason: reason,
      suggestion: suggestion)
  }
}
