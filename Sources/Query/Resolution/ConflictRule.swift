/// What an insert does with a row for which there is one already.
///
/// ```swift
/// try await users.insert(user, onConflict: .update(by: \User.email))
/// try await users.insert(imported, onConflict: .ignore)
/// ```
public struct ConflictRule: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case ignore
    case update([Name])
  }

  private let form: Form

  /// A row that has the key of another one, or the values of another one in columns that are unique, is left out.
  public static let ignore = ConflictRule(form: .ignore)

  /// A row that has the same values in some columns as another one takes its place, but for the key, which that one keeps.
  ///
  /// What else is unique is a conflict as ever.
  ///
  /// - Parameter keys: the names of columns that are unique, one alone or together.
  public static func update(by keys: [String]) -> ConflictRule { ConflictRule(form: .update(keys.map(Name.init))) }

  /// The names of the columns by which rows are updated; `nil` where they are left out.
  package var columnNames: [String]? { names?.map(\.text) }

  /// Whether rows are left out rather than updated.
  package var ignoresConflicts: Bool { form == .ignore }
}

/// A rule for conflicts whose columns were found in a table.
package enum ResolvedConflictRule: Hashable, Sendable {
  case ignore
  /// The positions of columns that are unique together, in the order of the rule that says so.
  case update([Int])

  /// Checks a rule against a table.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/unknownKey``, or ``QueryError/Code/invalidConflictRule`` where the
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
      let names = names.map(\.text).joined(separator: " and ")
      throw QueryError(
        .invalidConflictRule, "\(names.isEmpty ? "no column" : names) of \(table.name) is not unique",
        reason: "several rows could have the same values, of which one is to be updated",
        suggestion: "declare it in the schema, with .unique")
    }
    self = .update(found)
  }
}

extension ResolvedConflictRule {
  /// The same rule for a table whose columns stand at other positions.
  package func mapped(_ position: (Int) -> Int) -> ResolvedConflictRule {
    if case .update(let columns) = self { .update(columns.map(position)) } else { self }
  }
}

extension ConflictRule {
  fileprivate var names: [Name]? {
    if case .update(let names) = form { names } else { nil }
  }
}
