package import Query
package import Repository
import SQL

extension SQLiteStore {
  /// Explains how a request for rows of a table is carried out, and which indexes would make it cheaper. The request is not
  /// carried out.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table, and where the request is refused.
  package func explanation(
    of request: FetchRequest, inTable name: String
  ) throws(RepositoryError) -> Explanation {
    let request = try schema(ofTable: name).resolve(request)
    let statement = Self.compiler.select(request)
    return try runBlocking(.read) { connection throws(RepositoryError) in
      Explanation(
        sql: statement.sql, bindings: statement.bindings, plan: try connection.plan(of: statement),
        advice: Self.advice(for: statement, of: request, with: connection))
    }
  }

  /// Advice is an extra: where SQLite can't copy a definition, as one that uses another program's functions, there is none.
  private static func advice(
    for statement: CompiledStatement, of request: ResolvedRequest, with connection: Connection
  ) -> IndexAdvice? {
    guard let copy = try? connection.copyForPlanning() else { return nil }
    return (try? IndexAdviser(copy, statement).best(of: IndexCandidates(for: request))) ?? nil
  }
}
