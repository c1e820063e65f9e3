package import PostgresStore
package import Query
package import Repository
import SQL
import SQLInspection
import SQLStore

/// PostgreSQL's plan for a request.
package struct PostgresExplanation: Sendable {
  /// The statement for the request.
  package let sql: String
  /// The values for its placeholders, in their order; several for an array.
  package let bindings: [[Value]]
  /// The plan in PostgreSQL's words, a line each.
  package let plan: [String]
}

extension PostgresStore {
  /// Explains how a request for rows of a table is carried out. The request is not carried out.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table, and where the request is refused.
  package func explanation(
    of request: FetchRequest, inTable name: String
  ) throws(RepositoryError) -> PostgresExplanation {
    let table = try queriedTable(name).schema
    return try runBlocking(.read) { connection throws(RepositoryError) in
      let request = try connection.resolve(request, in: table)
      let statement = connection.compiler.select(request)
      var bindings = statement.bindings.map { [$0] }
      for list in statement.lists { bindings[list.position] = list.values }
      var plan: [String] = []
      try connection.query(
        CompiledStatement(sql: "EXPLAIN \(statement.sql)", bindings: statement.bindings, lists: statement.lists)
      ) { row in plan.append(row.text(0)) }
      return PostgresExplanation(sql: statement.sql, bindings: bindings, plan: plan)
    }
  }
}
