/// A partial unique constraint: no two of the rows that match a query have the same values in some columns.
///
/// ```swift
/// let rule = PartialUniqueRule(["email"], where: .isNull(key: "deleted_at"))
/// let users = try TableSchema("user", columns: columns, primaryKey: ["id"], partialUnique: [rule])
/// ```
///
/// A row that does not match the query takes no part, and may have the same values as any other row; a comparison with null is
/// false, as in every query. As in every unique constraint, rows with a null among the values are never the same.
public struct PartialUniqueRule: Hashable, Sendable {
  private let names: [Name]
  /// The query that tells which rows take part.
  public let query: AnyQuery

  /// Makes a partial unique constraint.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns that are unique together.
  ///   - query: the query that tells which rows take part, with the same limits as that of a ``CheckRule``.
  public init(_ columns: [String], where query: AnyQuery) {
    names = columns.map(Name.init)
    self.query = query
  }

  /// The names of the columns that are unique together.
  public var columns: [String] { names.map(\.text) }

  /// Returns whether the constraint names a column, as one that is unique or in its query.
  package func depends(on column: String) -> Bool { columns.contains(named: column) || conditionReads(column) }

  /// Returns whether the query names a column.
  func conditionReads(_ column: String) -> Bool {
    var isRead = false
    query.forEachPart { part, table in
      if table == nil, case .key(let key) = part.form, Name(key) == column { isRead = true }
    }
    return isRead
  }
}

extension TableSchema {
  /// Returns the partial unique constraints with the positions of their columns and resolved queries, in order.
  package func resolvedPartialUnique() -> [(rule: PartialUniqueRule, columns: [Int], query: ResolvedQuery)] {
    partialUnique.compactMap { rule in
      // A query that can't be resolved has been refused when the table was described.
      (try? rule.query.resolved(in: self)).map { query in
        (rule, rule.columns.compactMap { columns.firstIndex(named: $0) }, query)
      }
    }
  }

  /// Returns the condition under which columns are unique; `nil` if they are unique in all rows, and if several constraints
  /// of the same columns have different conditions.
  package func condition(ofUnique names: [String]) -> AnyQuery? {
    let rules = partialUnique.filter { Set($0.columns.map(Name.init)) == Set(names.map(Name.init)) }
    return rules.count == 1 ? rules[0].query : nil
  }

  /// Returns whether columns are unique together in all rows.
  package func isUnique(_ names: [String]) -> Bool {
    let positions = Set(names.compactMap { columns.firstIndex(named: $0) })
    return Set(primaryKey) == positions || uniqueSets.contains { Set($0) == positions }
      || positions.count == 1 && positions.contains { columns[$0].isUnique }
  }

  /// Throws for a partial unique constraint of columns that are unique anyway, or with a condition that not every database can
  /// evaluate.
  func validate(_ rule: PartialUniqueRule) throws(QueryError) {
    let names = rule.columns.joined(separator: " and ")
    if rule.columns.isEmpty { throw .invalidSchema(name, "a partial unique constraint has no columns") }
    var positions: Set<Int> = []
    for column in rule.columns {
      guard let position = columns.firstIndex(named: column) else {
        throw .invalidSchema(name, "the partial unique constraint of \(names) names \(column), which is not a column")
      }
      if !positions.insert(position).inserted {
        throw .invalidSchema(name, "the partial unique constraint of \(names) names \(column) twice")
      }
    }
    if isUnique(rule.columns) {
      throw .invalidSchema(
        name, "\(names) \(positions.count == 1 ? "is" : "are") unique in all rows already",
        suggestion: "declare the columns unique either in all rows or under the condition")
    }
    let resolved = try validate(rule.query, of: "the condition of the partial unique constraint of \(names)")
    switch resolved.predicate {
    case .all(let members) where members.isEmpty, .any(let members) where members.isEmpty:
      throw .invalidSchema(
        name, "the condition of the partial unique constraint of \(names) is the same for every row",
        suggestion: "declare the columns unique without a condition")
    default: break
    }
    // Rows whose references become null one after another would take part one after another, in each database's own order.
    for reference in references where reference.onDelete == .setNull {
      guard let column = reference.columns.first(where: { rule.conditionReads($0) }) else { continue }
      throw .invalidSchema(
        name,
        "the condition of the partial unique constraint of \(names) reads \(column), which becomes null when a row of "
          + "\(reference.table) is deleted", suggestion: "choose another deletion rule for the reference")
    }
  }
}
