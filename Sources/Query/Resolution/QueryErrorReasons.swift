import ErrorDetails

// The errors that name a table or a column.

extension QueryError {
  /// Returns the error for a key that the table does not have.
  static func unknownKey(_ key: String, in table: TableSchema) -> QueryError {
    let names = table.columns.map(\.name)
    // Schemas name a property without a column by its key path. A computed property may have no name at run time.
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0369-add-customdebugdescription-conformance-to-anykeypath.md
    if key.hasPrefix("\\") {
      let isComputed = key.contains("<computed")
      let name = VisibleText.excerpt(of: Array(key.utf8)[...])
      return QueryError(
        .unknownKey, "\(isComputed ? "a computed property" : name) has no column in \(VisibleText.name(table.name))",
        reason: isComputed
          ? "the key path is \(name), but a query can only use stored columns" : "a query can only use stored columns",
        suggestion: "query the stored properties, or store the value in a column; the columns are "
          + VisibleText.names(names),
        about: .missingColumn(key, table: table.name))
    }
    return QueryError(
      .unknownKey, "no column \(VisibleText.excerpt(of: Array(key.utf8)[...])) in \(VisibleText.name(table.name))",
      suggestion: NearestName.nearest(to: key, in: names).map { "did you mean \(VisibleText.name($0))?" }
        ?? "the columns are \(VisibleText.names(names))", about: .missingColumn(key, table: table.name))
  }

  /// Returns the error for a path through a column that refers to no other table.
  package static func missingReference(of column: String, in table: TableSchema, reason: String) -> QueryError {
    let names = table.references.compactMap { table.step(of: $0) }
    return QueryError(
      .unknownRelation,
      "\(VisibleText.name(column)) of \(VisibleText.name(table.name)) does not refer to another table",
      reason: reason,
      suggestion: names.isEmpty
        ? nil : "columns of \(VisibleText.name(table.name)) with a reference: \(VisibleText.names(names))",
      about: .missingReference(column: column, table: table.name))
  }

  /// Returns the error for a key in a condition on groups whose values may differ within a group.
  static func noGroupKey(
    _ expression: AnyExpression, of groups: TableSchema, keyCount: Int
  ) -> QueryError {
    let keys = groups.columns.prefix(keyCount).map(\.name)
    let function = expression.plainKey.flatMap { name in
      AnyAggregate.Function.allCases.first { $0.rawValue == name.lowercased() }
    }
    return QueryError(
      .unknownKey, "the query does not group by \(VisibleText.excerpt(of: Array(expression.description.utf8)[...]))",
      reason: "rows of a group can differ in this value",
      suggestion: function.map { "write \($0 == .count ? "count()" : "\($0.rawValue)(…)")" }
        ?? "use an aggregate such as max(…), or a group key: "
        + (keys.isEmpty ? "nothing" : VisibleText.names(Array(keys))))
  }

  /// Returns the error for a value of the request that can't be stored.
  static func invalidValue(_ error: ValueError) -> QueryError {
    QueryError(.invalidValue, error.summary, suggestion: error.suggestion)
  }

  /// Returns the error for a column that is compared with a value of another kind.
  static func kindMismatch(_ column: ColumnSchema, with found: String, suggestion: String?) -> QueryError {
    let held =
      column.format?.plural
      ?? Value.Kind.allCases.filter(column.kinds.contains).map(\.plural).joined(separator: " and ")
    return QueryError(
      .kindMismatch, "can't compare \(VisibleText.name(column.name)), which stores \(held), with \(found)",
      suggestion: suggestion)
  }
}

extension ColumnSchema {
  /// Throws if the column's values can only be shown.
  func checkIsComparable() throws(QueryError) {
    guard nativeType == .shown else { return }
    let type = declaredType.map { "the type \($0)" } ?? "its type"
    throw QueryError(
      .kindMismatch, "queries can't compare, sort or group by \(VisibleText.name(name))",
      reason: "the database compares \(type) by rules of its own",
      suggestion: "test \(VisibleText.name(name)) for null, or compare the column in SQL")
  }
}

extension Value.Kind {
  package var plural: String {
    switch self {
    case .null: "nulls"
    case .number: "numbers"
    case .text: "text"
    case .blob: "blobs"
    }
  }
}
