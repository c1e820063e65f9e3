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
    var names: Set<Name> = []
    return table.resolvedPartialUnique().map { rule, columns, query in
      // Constraints of the same columns under different conditions have numbers.
      let usual = Self.fullIndexName(of: rule.columns, in: table.name) + Self.partialUniqueSuffix
      var (name, number) = (usual, 1)
      while !names.insert(Name(name)).inserted {
        number += 1
        name = "\(usual) \(number)"
      }
      name = shortened(name)
      var writer = StatementWriter(dialect.portable, query.scope, isDefinition: true)
      writer.write(query.predicate)
      let terms = columns.map { dialect.quoted(table.columns[$0].name) }.joined(separator: ", ")
      let definition = "(\(terms)) WHERE \(writer.statement.sql)"
      let create = "CREATE UNIQUE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) \(definition)"
      let comment = dialect.comment(definition, onIndex: name)
      return PartialUniqueIndex(
        rule: rule, name: name, definition: definition, statements: [create] + (comment.map { [$0] } ?? []))
    }
  }

  /// Returns whether a name is one that the index of a partial unique constraint of a table has.
  package func isPartialUniqueIndex(_ name: String, of table: TableSchema) -> Bool {
    let prefix = Self.fullIndexName(of: [], in: table.name) + "."
    return name.utf8.starts(with: prefix.utf8) && name.contains(Self.partialUniqueSuffix)
      || partialUniqueIndexes(of: table).contains { Name($0.name) == name }
  }

  /// The end of the name, with a blank, so that this is never the name of the index of a column.
  private static let partialUniqueSuffix = ".partial key"
}
