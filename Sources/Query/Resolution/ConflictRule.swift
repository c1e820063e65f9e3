/// The action of an insert for a row that conflicts with one that exists.
///
/// ```swift
/// try await users.insert(user, onConflict: .update(by: ["email"]))
/// try await users.insert(imported, onConflict: .ignore)
/// ```
public struct ConflictRule: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case ignore
    case update([Name])
  }

  private let form: Form

  /// A rule that leaves out a row whose key, or whose values in unique columns, another row has.
  public static let ignore = ConflictRule(form: .ignore)

  /// Returns a rule by which a row replaces the existing row with the same values in some columns, whose primary key is kept.
  ///
  /// A conflict in other unique columns is an error as usual.
  ///
  /// - Parameter keys: the names of columns that are unique, individually or together.
  public static func update(by keys: [String]) -> ConflictRule { ConflictRule(form: .update(keys.map(Name.init))) }

  /// The names of the columns by which rows are updated; `nil` if conflicting rows are left out.
  package var columnNames: [String]? { names?.map(\.text) }

  /// Whether rows are left out rather than updated.
  package var ignoresConflicts: Bool { form == .ignore }
}

/// A rule for conflicts whose columns were found in a table.
package enum ResolvedConflictRule: Hashable, Sendable {
  case ignore
  /// An update by the positions of columns that are unique together, in the order of the constraint.
  case update([Int])

  /// Checks a rule against a table.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/unknownKey``, or ``QueryError/Code/invalidConflictRule`` if the
  ///   columns are not unique together.
  package init(_ rule: ConflictRule, in table: TableSchema) throws(QueryError) {
    guard let names = rule.names else {
      self = .ignore
      return
    }
    var positions: [Int] = []
    for name in names { positions.append(try table.position(of: name.text)) }
    let single = table.columns.indices.filter { table.columns[$0].isUnique }.map { [$0] }
    let unique = [table.primaryKey] + single + table.uniqueSets
    guard !positions.isEmpty, let found = unique.first(where: { Set($0) == Set(positions) }) else {
      let isPartial = table.partialUnique.contains { Set($0.columns.map(Name.init)) == Set(names) }
      let isOne = names.count < 2
      let names = names.map(\.text).joined(separator: " and ")
      if isPartial {
        throw QueryError(
          .invalidConflictRule, "\(names) of \(table.name) \(isOne ? "is" : "are") unique only under a condition",
          reason: "rows that don't match the condition could have the same values, so the row to update is unclear",
          suggestion: "find the row, and save the row with its key; or declare the columns unique without a condition")
      }
      throw QueryError(
        .invalidConflictRule,
        "\(names.isEmpty ? "no column" : names) of \(table.name) \(isOne ? "is not unique" : "are not unique together")",
        reason: "several rows could have the same values, so the row to update is unclear",
        suggestion: "declare the columns unique in the schema, with .unique")
    }
    self = .update(found)
  }
}

extension ResolvedConflictRule {
  /// Returns the same rule for a table whose columns have other positions.
  package func mapped(_ position: (Int) -> Int) -> ResolvedConflictRule {
    if case .update(let columns) = self { .update(columns.map(position)) } else { self }
  }
}

extension ConflictRule {
  fileprivate var names: [Name]? {
    if case .update(let names) = form { names } else { nil }
  }
}
