public import Query

// The errors of writes that violate a table's constraints. Every store throws these, with the same messages, which contain
// no values.
extension RepositoryError {
  /// Returns the error for a row with the same values in unique columns as another.
  ///
  /// - Parameters:
  ///   - table: the table's name.
  ///   - columns: the columns, which are unique individually or together.
  ///   - values: the values, of which only the kinds are in the message; empty if they are not known.
  ///   - query: the query that the rows have to match for a conflict; `nil` if it is not known, or if all rows take part.
  public static func conflict(
    in table: String, columns: [String], values: [Value] = [], where query: AnyQuery? = nil
  ) -> RepositoryError {
    let names = columns.joined(separator: " and ")
    let condition = query.map { " where \($0)" } ?? ""
    return RepositoryError(
      .conflict, "another row of \(table) has the same \(described(columns, values))",
      reason: "\(names) \(columns.count == 1 ? "is unique" : "are unique together")\(condition)"
    ).breaking(BrokenConstraint(.unique, columns))
  }

  /// Returns the error for a row with the same values in unique columns of a table as another, with the condition under which
  /// these are unique.
  package static func conflict(in table: TableSchema, columns: [String], values: [Value]) -> RepositoryError {
    .conflict(in: table.name, columns: columns, values: values, where: table.condition(ofUnique: columns))
  }

  /// Returns the error for a null in a column that is not nullable.
  public static func nullValue(of column: String, in table: String) -> RepositoryError {
    RepositoryError(
      .constraint, "\(column) of \(table) may not be null",
      reason: "the value is missing, or an expression has no result, such as a sum that overflows",
      suggestion: "write a value; in an expression, replace null with coalesce"
    ).breaking(BrokenConstraint(.notNull, [column]))
  }

  /// Returns the error for a row that does not match a check.
  ///
  /// - Parameters:
  ///   - name: the check's name.
  ///   - table: the table's name.
  ///   - query: the query of the check, if it is known.
  public static func brokenCheck(_ name: String, in table: String, query: AnyQuery? = nil) -> RepositoryError {
    RepositoryError(
      .constraint, "a row of \(table) breaks the rule \(name)", reason: query.map { "each row must match: \($0)" })
  }

  /// Returns the error for a row that refers to a row that does not exist.
  ///
  /// - Parameters:
  ///   - reference: the foreign key.
  ///   - table: the table of the row.
  ///   - values: the values of the referring columns, of which only the kinds are in the message.
  public static func foreignKeyViolation(
    _ reference: ReferenceRule, in table: String, values: [Value]
  ) -> RepositoryError {
    RepositoryError(
      .foreignKeyViolation,
      "\(described(reference.columns, values)) of \(table) \(refer(reference)) to a row of \(reference.table) that does not exist",
      suggestion: "save the row of \(reference.table) first"
    ).breaking(BrokenConstraint(.reference(reference), reference.columns))
  }

  /// The reason of an error about a deferred reference.
  package static let deferredReferenceReason =
    "a deferred reference is checked at the end of the transaction, or of a write outside any transaction"

  /// Returns the error for a deferred reference to a row that does not exist at the end of the transaction.
  ///
  /// - Parameters:
  ///   - reference: the foreign key.
  ///   - table: the table of the referring row.
  public static func foreignKeyViolationAtEnd(_ reference: ReferenceRule, in table: String) -> RepositoryError {
    RepositoryError(
      .foreignKeyViolation,
      "\(described(reference.columns)) of \(table) \(refer(reference)) to a row of \(reference.table) that does not exist",
      reason: deferredReferenceReason,
      suggestion: "save the row of \(reference.table), or change the row of \(table), in the same transaction")
  }

  /// Returns the error for a row that refers to a table of which the store has no repository, and so no rows.
  static func loneForeignKeyViolation(_ reference: ReferenceRule, in table: String) -> RepositoryError {
    RepositoryError(
      .foreignKeyViolation,
      "\(described(reference.columns)) of \(table) \(refer(reference)) to no row of \(reference.table)",
      reason: "a MemoryRepository has a store of its own, and that store has no rows of \(reference.table)",
      suggestion: "open the repositories of \(table) and \(reference.table) from one MemoryStore")
  }

  /// Returns the error for a deletion of a row that others refer to.
  ///
  /// - Parameters:
  ///   - reference: the foreign key of the other rows.
  ///   - table: the table of the referring rows.
  public static func restrictViolation(by reference: ReferenceRule, in table: String) -> RepositoryError {
    RepositoryError(
      .restrictViolation,
      "can't delete a row of \(reference.table), because \(described(reference.columns)) of \(table) "
        + "\(refer(reference)) to the row",
      suggestion: "delete the rows of \(table) first, or choose another deletion rule for the reference")
  }

  /// Returns the error for a cascade through too many levels.
  package static func cascadeTooDeep(from table: String) -> RepositoryError {
    RepositoryError(
      .tooBig, "a deletion from \(table) cascades through more than \(CascadeLimit.depth) levels of references",
      suggestion: "delete the rows at the end of the chain first")
  }

  /// Returns a text such as "name (a text) and region (a number)".
  private static func described(_ columns: [String], _ values: [Value] = []) -> String {
    if values.count != columns.count { return columns.joined(separator: " and ") }
    return zip(columns, values).map { "\($0) (\($1.kind.rawValue))" }.joined(separator: " and ")
  }
}

/// Returns the verb for the columns of a reference.
private func refer(_ reference: ReferenceRule) -> String { reference.columns.count == 1 ? "refers" : "refer" }

/// The limit of cascades.
package enum CascadeLimit {
  /// The maximum number of levels of references: SQLite's limit for triggers, which every store applies.
  /// https://www.sqlite.org/limits.html#max_trigger_depth
  package static let depth = 1_000
}

extension TableSchema {
  /// The maximum number of columns of a table: SQLite's limit, which every store applies.
  /// https://www.sqlite.org/limits.html#max_column
  package static let maximumColumnCount = 2_000

  /// Checks that a table to be created is one that every store could hold.
  ///
  /// - Parameter names: the names of the existing tables.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidSchema`` for a name that SQLite reserves
  ///   (https://www.sqlite.org/lang_createtable.html), a name that differs from an existing one only in ASCII case, which
  ///   SQLite treats as equal, too many columns, and delete rules that SQLite would misinterpret.
  package func checkIsCreatable(among names: [String]) throws(RepositoryError) {
    func invalid(_ reason: String, _ suggestion: String? = nil) -> RepositoryError {
      RepositoryError(.invalidSchema, "the schema of \(name) is not valid", reason: reason, suggestion: suggestion)
    }
    let folded = Name(name).folded
    if folded.starts(with: "sqlite_".utf8) {
      throw invalid("SQLite reserves names that begin with sqlite_", "choose another name")
    }
    if let other = names.first(where: { Name($0).folded == folded }), Name(other) != name {
      throw invalid(
        "the name differs from the table \(other) only in case", "choose another name, or use the name \(other)")
    }
    if columns.count > Self.maximumColumnCount {
      throw invalid(
        "the table has \(columns.count) columns, but the maximum is 2,000", "divide the table into several tables")
    }
    try checkCascades()
  }

  /// Checks that no delete rule would take rows of the table for the row that is deleted.
  ///
  /// SQLite implements such a rule by a statement in which `old` is that row, unless a table in the statement has the name:
  /// `fkActionTrigger` in https://www.sqlite.org/src/file/src/fkey.c.
  package func checkCascades() throws(RepositoryError) {
    guard Name(name).equalsFolded("old"), references.contains(where: { $0.onDelete != .restrict }) else {
      return
    }
    throw RepositoryError(
      .invalidSchema, "the schema of \(name) is not valid",
      reason:
        "SQLite's foreign key actions use the name OLD for the deleted row, which clashes with this table's name",
      suggestion: "choose another name, or let the references restrict deletions")
  }

  /// Checks that the references of a table to be created refer to keys.
  ///
  /// - Parameter target: returns a table by its name.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` if there is no such table, and with
  ///   ``RepositoryError/Code/invalidSchema`` if the columns are not its key.
  package func checkReferences(
    among names: [String], _ target: (String) throws(RepositoryError) -> TableSchema?
  ) throws(RepositoryError) {
    for reference in references {
      guard let target = try target(reference.table) else { throw .missingTable(reference.table, among: names) }
      let key = target.primaryKeyColumns
      let columns = positions(of: reference).map { self.columns[$0] }
      let names = reference.columns.joined(separator: " and ")
      if key.map({ Name($0.name) }) != reference.key.map(Name.init) {
        throw RepositoryError(
          .invalidSchema, "the schema of \(name) is not valid",
          reason: "\(names) refers to \(reference.key.joined(separator: " and ")) of \(target.name), "
            + "whose key is \(key.map(\.name).joined(separator: " and "))")
      }
      for (column, keyColumn) in zip(columns, key) where column.type != keyColumn.type {
        throw RepositoryError(
          .invalidSchema, "the schema of \(name) is not valid",
          reason:
            "\(column.name) has the type \(column.type), but refers to \(keyColumn.name) of \(target.name) with the "
            + "type \(keyColumn.type)")
      }
    }
  }
}
