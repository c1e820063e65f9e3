package import Query

extension TableSchema {
  /// How a table differs from this schema, column by column.
  ///
  /// Defaults are not compared: elements are saved with all their values.
  ///
  /// - Parameters:
  ///   - present: the table as it is.
  ///   - omissible: the columns of the table, as texts, that have a value of their own where a row is added without them.
  package func differences(from present: TableSchema, omissible: Set<Value> = []) -> [SchemaDifference] {
    columns.flatMap { differences(of: $0, from: present) }
      + present.columns.compactMap { unknown($0, omissible: omissible) } + keyDifferences(from: present)
      + ruleDifferences(from: present)
  }

  private func differences(of column: ColumnSchema, from present: TableSchema) -> [SchemaDifference] {
    guard let found = present.columns.first(where: { $0.isCalled(column.name) }) else {
      return [SchemaDifference(.missingColumn, name, expected: column, "column \(column.name) is missing")]
    }
    var differences: [SchemaDifference] = []
    func add(_ kind: SchemaDifference.Kind, _ summary: String, isTolerable: Bool = false) {
      differences.append(
        SchemaDifference(
          kind, name, expected: column, present: found, "column \(column.name) \(summary)", isTolerable: isTolerable))
    }
    if found.loose == nil, found.type != column.type { add(.type, "holds \(found.type), not \(column.type)") }
    if column.isUnique, !found.isUnique, primaryKeyColumns != [column] { add(.missingUniqueness, "is not unique") }
    if found.isNullable != column.isNullable {
      add(.nullability, "may \(found.isNullable ? "be null" : "not be null")")
    }
    if column.isGenerated, !found.isGenerated { add(.generation, "is not generated") }
    // The first column of a key is looked up by the key.
    if column.isIndexed, !found.isIndexed, !column.isUnique, primaryKeyColumns.first != column {
      add(.missingIndex, "has no index", isTolerable: true)
    }
    return differences
  }

  /// A column that the schema does not know is left alone where rows can be added without it.
  private func unknown(_ column: ColumnSchema, omissible: Set<Value>) -> SchemaDifference? {
    if columns.contains(where: { $0.isCalled(column.name) }) { return nil }
    let isTolerable = column.isNullable || omissible.contains(.text(column.name))
    return SchemaDifference(
      .unknownColumn, name, present: column,
      "column \(column.name) is not in the schema\(isTolerable ? "" : " and may not be null")", isTolerable: isTolerable
    )
  }

  private func keyDifferences(from present: TableSchema) -> [SchemaDifference] {
    let (found, key) = (present.primaryKeyColumns.map(\.name), primaryKeyColumns.map(\.name))
    if found.elementsEqual(key, by: { $0.utf8.elementsEqual($1.utf8) }) { return [] }
    return [
      SchemaDifference(
        .primaryKey, name,
        "the primary key is \(found.isEmpty ? "missing" : found.joined(separator: ", ")), "
          + "not \(key.joined(separator: ", "))")
    ]
  }
}

// More rules than the schema has are no difference.
extension TableSchema {
  private func ruleDifferences(from present: TableSchema) -> [SchemaDifference] {
    let sets = Set(present.uniqueSets.map { set in Set(set.map { Value.text(present.columns[$0].name) }) })
    let uniqueness = uniqueSets.map { set in set.map { columns[$0].name } }
      .filter { !sets.contains(Set($0.map(Value.text))) }
      .map { names in
        SchemaDifference(
          .missingUniqueness, name, columns: names, "\(names.joined(separator: " and ")) are not unique together")
      }
    let checks = checks.filter { !present.checks.contains($0) }
      .map { SchemaDifference(.check, name, "the rule \($0.name) is missing or another") }
    return uniqueness + checks + references.compactMap { difference(of: $0, from: present) }
  }

  private func difference(of reference: ReferenceRule, from present: TableSchema) -> SchemaDifference? {
    let names = reference.columns.joined(separator: " and ")
    let same = present.references.filter { $0.columns == reference.columns && $0.table == reference.table }
    if same.isEmpty { return SchemaDifference(.reference, name, "\(names) does not refer to \(reference.table)") }
    if same.contains(where: { $0.key == reference.key && $0.onDelete == reference.onDelete }) { return nil }
    return SchemaDifference(
      .reference, name, "\(names) refers to \(reference.table) otherwise, in its key or its rule for deletions")
  }
}

extension RepositoryError {
  /// Says how a table differs from the schema with which it is opened; `nil` if it does not, or not so that it matters.
  ///
  /// - Parameter suggestion: what to do about the differences that matter.
  package static func mismatch(
    _ differences: [SchemaDifference], in table: String,
    suggestion: ([SchemaDifference]) -> String = { _ in "change the schema, or the table" }
  ) -> RepositoryError? {
    let differences = differences.filter { !$0.isTolerable }
    if differences.isEmpty { return nil }
    return RepositoryError(
      .schemaMismatch, "table \(table) differs from its schema",
      reason: differences.map(\.summary).joined(separator: "; "), suggestion: suggestion(differences),
      underlying: SchemaDrift(differences: differences))
  }
}
