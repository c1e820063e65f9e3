package import Query

/// The index of a partial unique constraint.
package struct PartialUniqueIndex: Sendable {
  /// The constraint.
  package let rule: PartialUniqueRule
  /// The index's name.
  package let name: String
  /// The columns and the condition as the statement has them, by which the index of a stored table is recognised.
  package let definition: String
  /// The statements that create the index.
  package let statements: [String]
}

// Partial unique constraints, which are indexes in each database: https://www.sqlite.org/partialindex.html,
// https://www.postgresql.org/docs/current/indexes-partial.html
extension Compiler {
  /// Returns the indexes of a table's partial unique constraints, in the order of their declaration.
  package func partialUniqueIndexes(of table: TableSchema) -> [PartialUniqueIndex] {
    table.resolvedPartialUnique().map { rule, columns, query in
      var writer = StatementWriter(dialect.portable, query.scope, isDefinition: true)
      writer.write(query.predicate)
      let terms = columns.map { dialect.quoted(table.columns[$0].name) }.joined(separator: ", ")
      let definition = "(\(terms)) WHERE \(writer.statement.sql)"
      let name = partialUniqueIndexName(of: rule.columns, in: table.name, definition)
      let create = "CREATE UNIQUE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) \(definition)"
      let comment = dialect.comment(definition, onIndex: name)
      return PartialUniqueIndex(
        rule: rule, name: name, definition: definition, statements: [create] + (comment.map { [$0] } ?? []))
    }
  }

  /// Returns whether a name is that of the index of a partial unique constraint, whatever name its table had when the index was
  /// created.
  package func isPartialUniqueIndex(_ name: String) -> Bool {
    guard let mark = name.ranges(of: Self.partialUniqueMark).last else { return false }
    return UInt64(name[mark.upperBound...], radix: 36) != nil
  }

  /// Returns the name of the index of a partial unique constraint. It ends with a hash of the definition: constraints of the
  /// same columns under other conditions have other names, and a name says nothing about the order of the constraints.
  private func partialUniqueIndexName(of columns: [String], in table: String, _ definition: String) -> String {
    var hash = FNVHash()
    hash.add(definition)
    let end = Self.partialUniqueMark + String(hash.value, radix: 36)
    let start = Self.fullIndexName(of: columns, in: table)
    guard let limit = dialect.maximumNameLength else { return "\(start)\(end)" }
    return shortened(start, to: limit - end.utf8.count) + end
  }

  /// The mark before the hash, with blanks, so that this is never the name of the index of a column.
  private static let partialUniqueMark = " partial key "
}
