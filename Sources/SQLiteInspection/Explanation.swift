package import Query
package import Repository
import SQL
import SQLStore
package import SQLiteStore

/// The way in which a request for rows is carried out.
package struct Explanation: Sendable {
  /// The statement for the request.
  package let sql: String
  /// The values for its placeholders, in their order.
  package let bindings: [Value]
  /// SQLite's plan for it.
  package let plan: QueryPlan
  /// The indexes that would make it cheaper; `nil` where none was found.
  package let advice: IndexAdvice?
}

extension SQLiteStore {
  /// Explains how a request for rows of a table is carried out, and which indexes would make it cheaper. The request is not
  /// carried out.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table, and where the request is refused.
  package func explanation(
    of request: FetchRequest, inTable name: String
  ) throws(RepositoryError) -> Explanation {
    try explanation(of: request, in: try schema(ofTable: name))
  }

  /// Explains a request for rows of a table, of whose columns more may be known than the database says.
  package func explanation(
    of request: FetchRequest, in table: TableSchema
  ) throws(RepositoryError) -> Explanation {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let request = try connection.resolve(request, in: table)
      let statement = SQLiteDriver.compiler.select(request)
      return Explanation(
        sql: statement.sql, bindings: statement.bindings,
        plan: try PlanSource(connection: connection).plan(of: statement),
        advice: Self.advice(for: statement, of: request, with: connection))
    }
  }

  /// Advice is optional: where SQLite can't copy a definition, as one that uses another program's functions, there is none.
  private static func advice(
    for statement: CompiledStatement, of request: ResolvedRequest, with connection: Connection
  ) -> IndexAdvice? {
    guard let copy = try? PlanSource(connection: connection).copyForPlanning() else { return nil }
    return (try? IndexAdviser(copy, statement).best(of: IndexCandidates(for: request))) ?? nil
  }
}
