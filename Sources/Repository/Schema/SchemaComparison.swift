import Query

extension TableSchema {
  /// Returns the differences of a table from this schema, column by column.
  ///
  /// Defaults are not compared: elements are saved with all their values.
  ///
  /// - Parameters:
  ///   - present: the existing table.
  ///   - columnsWithDefault: the columns of the table, as texts, that get a value if a row is added without them.
  package func differences(from present: TableSchema, columnsWithDefault: Set<Value> = []) -> [SchemaDifference] {
    columns.indices.flatMap { differences(of: columns[$0], at: $0, from: present) }
      + present.columns.indices.compactMap {
        unknown(present.columns[$0], at: $0, columnsWithDefault: columnsWithDefault)
      }
      + keyDifferences(from: present)
      + ruleDifferences(from: present)
  }

  private func differences(
    of column: ColumnSchema, at position: Int, from present: TableSchema
  ) -> [SchemaDifference] {
    guard let index = present.columns.firstIndex(named: column.name, near: position) else {
      return [SchemaDifference(.missingColumn, name, expected: column, "column \(column.name) is missing")]
    }
    let found = present.columns[index]
    var differences: [SchemaDifference] = []
    func add(_ kind: SchemaDifference.Kind, _ summary: String, isTolerable: Bool = false) {
      differences.append(
        SchemaDifference(
          kind, name, expected: column, present: found, "column \(column.name) \(summary)", isTolerable: isTolerable))
    }
    let isNumeric = column.format == .decimal && found.nativeType?.holding(.decimal).isNumeric == true
    if found.declaredType == nil, found.type != column.type, !isNumeric {
      add(.type, "stores \(found.type), not \(column.type)")
    }
    if column.isUnique, !found.isUnique, primaryKeyColumns != [column] { add(.missingUniqueness, "is not unique") }
    if found.isNullable != column.isNullable {
      add(.nullability, "may \(found.isNullable ? "be null" : "not be null")")
    }
    if column.isGenerated, !found.isGenerated { add(.generation, "is not generated") }
    // The index of the primary key also serves lookups by its first column.
    if column.isIndexed, !found.isIndexed, !column.isUnique, primaryKeyColumns.first != column {
      add(.missingIndex, "has no index", isTolerable: true)
    }
    return differences
  }

  /// Returns the difference of an unknown column; it is tolerable if rows can be added without the column.
  private func unknown(
    _ column: ColumnSchema, at position: Int, columnsWithDefault: Set<Value>
  ) -> SchemaDifference? {
    if columns.firstIndex(named: column.name, near: position) != nil { return nil }
    let isTolerable = column.isNullable || columnsWithDefault.contains(.text(column.name))
    return SchemaDifference(
      .unknownColumn, name, present: column,
      "column \(column.name) is not in the schema\(isTolerable ? "" : " and may not be null")", isTolerable: isTolerable
    )
  }

  private func keyDifferences(from present: TableSchema) -> [SchemaDifference] {
    let (found, key) = (present.primaryKeyColumns.map(\.name), primaryKeyColumns.map(\.name))
    if found.map(Name.init) == key.map(Name.init) { return [] }
    return [
      SchemaDifference(
        .primaryKey, name,
        "the primary key is \(found.isEmpty ? "missing" : found.joined(separator: ", ")), "
          + (key.isEmpty ? "but the schema has none" : "not \(key.joined(separator: ", "))"))
    ]
  }
}

// Additional constraints of the table are not a difference.
extension TableSchema {
  private func ruleDifferences(from present: TableSchema) -> [SchemaDifference] {
    let sets = Set(present.uniqueSets.map { set in Set(set.map { Value.text(present.columns[$0].name) }) })
    let uniqueness = uniqueSets.map { set in set.map { columns[$0].name } }
      .filter { !sets.contains(Set($0.map(Value.text))) }
      .map { names in
        SchemaDifference(
          .missingUniqueness, name, columns: names, "\(names.joined(separator: " and ")) are not unique together")
      }
    let partial = partialUnique.filter { !present.partialUnique.contains($0) }
      .map { rule in
        let subject = "\(rule.columns.joined(separator: " and ")) \(rule.columns.count == 1 ? "is" : "are")"
        // The constraint of all rows remains in force, and only a copy of the table removes the constraint.
        return present.isUnique(rule.columns)
          ? SchemaDifference(.missingUniqueness, name, "\(subject) unique in all rows, not only where \(rule.query)")
          : SchemaDifference(.missingUniqueness, name, rule: rule, "\(subject) not unique where \(rule.query)")
      }
    let checks = checks.filter { !present.checks.contains($0) }
      .map { SchemaDifference(.check, name, "the rule \($0.name) is missing or different") }
    return uniqueness + partial + checks + references.compactMap { difference(of: $0, from: present) }
  }

  private func difference(of reference: ReferenceRule, from present: TableSchema) -> SchemaDifference? {
    let names = reference.columns.joined(separator: " and ")
    let same = present.references.filter {
      $0.columns.map(Name.init) == reference.columns.map(Name.init) && Name($0.table) == reference.table
    }
    if same.isEmpty { return SchemaDifference(.reference, name, "\(names) does not refer to \(reference.table)") }
    if same.contains(reference) { return nil }
    let isOtherwiseSame = same.contains { $0.refers(toSameAs: reference) && $0.onDelete == reference.onDelete }
    if isOtherwiseSame {
      return SchemaDifference(
        .reference, name,
        "the reference of \(names) to \(reference.table) is \(reference.isDeferred ? "not " : "")deferred")
    }
    return SchemaDifference(
      .reference, name, "\(names) refers to \(reference.table) with another key or deletion rule")
  }
}
