import Query

extension RepositoryError {
  /// Says how a table differs from the schema with which it is opened; `nil` if it does not.
  ///
  /// What the table has beyond the schema, such as more rules, is no difference where that does no harm.
  package static func mismatch(present: TableSchema, expected: TableSchema) -> RepositoryError? {
    let differences =
      columns(present, expected) + keys(present, expected) + uniqueness(present, expected) + checks(present, expected)
      + references(present, expected)
    if differences.isEmpty { return nil }
    return RepositoryError(
      .schemaMismatch, "table \(expected.name) differs from its schema", reason: differences.joined(separator: "; "),
      suggestion: "change the schema, or the table")
  }

  private static func columns(_ present: TableSchema, _ expected: TableSchema) -> [String] {
    var differences: [String] = []
    for column in expected.columns {
      guard let found = present.columns.first(where: { $0.isCalled(column.name) }) else {
        differences.append("column \(column.name) is missing")
        continue
      }
      if found.loose == nil, found.type != column.type {
        differences.append("column \(column.name) holds \(found.type), not \(column.type)")
      }
      if column.isUnique, !found.isUnique, expected.primaryKeyColumns != [column] {
        differences.append("column \(column.name) is not unique")
      }
      if found.isNullable != column.isNullable {
        differences.append("column \(column.name) may \(found.isNullable ? "be null" : "not be null")")
      }
      if column.isGenerated, !found.isGenerated { differences.append("column \(column.name) is not generated") }
    }
    for column in present.columns where !expected.columns.contains(where: { $0.isCalled(column.name) }) {
      // A column that the schema does not know is left alone where that does no harm.
      if !column.isNullable { differences.append("column \(column.name) is not in the schema and may not be null") }
    }
    return differences
  }

  private static func keys(_ present: TableSchema, _ expected: TableSchema) -> [String] {
    let (foundKey, key) = (present.primaryKeyColumns.map(\.name), expected.primaryKeyColumns.map(\.name))
    if foundKey.elementsEqual(key, by: { $0.utf8.elementsEqual($1.utf8) }) { return [] }
    return [
      "the primary key is \(foundKey.isEmpty ? "missing" : foundKey.joined(separator: ", ")), "
        + "not \(key.joined(separator: ", "))"
    ]
  }

  private static func uniqueness(_ present: TableSchema, _ expected: TableSchema) -> [String] {
    let found = Set(present.uniqueSets.map { set in Set(set.map { present.columns[$0].name }) })
    return expected.uniqueSets.map { set in set.map { expected.columns[$0].name } }
      .filter { !found.contains(Set($0)) }
      .map { "\($0.joined(separator: " and ")) are not unique together" }
  }

  private static func checks(_ present: TableSchema, _ expected: TableSchema) -> [String] {
    expected.checks.filter { !present.checks.contains($0) }.map { "the rule \($0.name) is missing or another" }
  }

  private static func references(_ present: TableSchema, _ expected: TableSchema) -> [String] {
    expected.references.compactMap { reference in
      let names = reference.columns.joined(separator: " and ")
      let same = present.references.filter { $0.columns == reference.columns && $0.table == reference.table }
      if same.isEmpty { return "\(names) does not refer to \(reference.table)" }
      if same.contains(where: { $0.key == reference.key && $0.onDelete == reference.onDelete }) { return nil }
      return "\(names) refers to \(reference.table) otherwise, in its key or its rule for deletions"
    }
  }
}
