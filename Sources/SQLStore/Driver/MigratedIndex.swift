package import SQL

/// An index that a migration builds.
package struct MigratedIndex: Sendable {
  package let columns: [String]
  package let table: String
  /// The name; `nil` for the default one.
  let name: String?
  package let isUnique: Bool

  /// Returns the name of the index, and the statement that creates it, which blocks other writes to the table.
  package func sql(by compiler: Compiler) -> (name: String, statement: String) {
    let name = name ?? compiler.indexName(of: columns, in: table)
    return (name, compiler.index(on: columns, of: table, name: name, isUnique: isUnique))
  }
}
