package import Query

extension Compiler {
  /// Returns a statement that creates a view of the rows of a projection.
  ///
  /// ```swift
  /// compiler.createView("heavy", columns: ["name"], of: request, in: .any)
  /// // CREATE VIEW "heavy" ("name") AS SELECT "name" FROM "pokemon" WHERE "weight" > 90
  /// ```
  ///
  /// Other programs also read a view, so it uses the database's own functions if these are equivalent.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns.
  ///   - order: the order of the rows, which a view only needs if it has a limit.
  package func createView(
    _ name: String, columns: [String], of projection: ResolvedProjection, in order: ResultOrder
  ) -> String {
    let select = Compiler(for: dialect.ofViews).writing(projection, in: order, isDefinition: true).statement.sql
    let columns = columns.map(dialect.quoted).joined(separator: ", ")
    return "CREATE VIEW \(dialect.quoted(name)) (\(columns)) AS \(select)"
  }

  /// Returns a statement that drops a view.
  package func drop(view name: String) -> String { "DROP VIEW \(dialect.quoted(name))" }
}
