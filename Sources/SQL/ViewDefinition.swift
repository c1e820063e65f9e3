package import Query

extension Compiler {
  /// Creates a view of the rows of a projection.
  ///
  /// ```swift
  /// compiler.createView("heavy", columns: ["name"], of: request, in: .any)
  /// // CREATE VIEW "heavy" ("name") AS SELECT "name" FROM "pokemon" WHERE "weight" > 90
  /// ```
  ///
  /// Other programs read a view, too, so it is made of the database's own functions where these mean the same.
  ///
  /// - Parameters:
  ///   - columns: what to call the columns.
  ///   - order: the order of the rows, of which a view needs none unless it has a limit.
  package func createView(
    _ name: String, columns: [String], of projection: ResolvedProjection, in order: ResultOrder
  ) -> String {
    let select = Compiler(for: dialect.ofViews).writing(projection, in: order, isDefinition: true).statement.sql
    let columns = columns.map(dialect.quoted).joined(separator: ", ")
    return "CREATE VIEW \(dialect.quoted(name)) (\(columns)) AS \(select)"
  }

  /// Drops a view.
  package func drop(view name: String) -> String { "DROP VIEW \(dialect.quoted(name))" }
}
