import Query
import Repository
import SQL

/// Everything that shows a disagreement: a table, its rows and a request.
struct Scenario {
  var definition: TableDefinition
  var rows: [[Value]]
  var request: FetchRequest

  func disagreement(_ engines: Engines) -> Disagreement? {
    guard let arena = try? Arena(definition, rows: rows) else { return nil }
    return arena.disagreement(request, engines)
  }

  /// The scenario as somebody needs it who looks for the mistake: as SQL, as text and as Swift.
  func report(seed: UInt64, _ engines: Engines) -> String {
    guard let arena = try? Arena(definition, rows: rows), let found = arena.disagreement(request, engines) else {
      return "seed \(seed): the disagreement is gone"
    }
    let compiled = (try? request.resolved(in: arena.table)).map { Compiler(for: SQLiteDialect()).select($0) }
    let report = """
      seed \(seed)
      \(definition.sql.joined(separator: ";\n"));
      rows: \(rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " "))
      query: \(request.query)
      sort: \(request.sort) limit: \(request.limit.map(String.init) ?? "none") offset: \(request.offset) \
      after: \(request.after?.description ?? "none") before: \(request.before?.description ?? "none")
      Swift: \(SwiftSource.of(request))
      SQL: \(compiled?.sql ?? "none") with \(compiled?.bindings.map(\.description) ?? [])
      in memory: \(Self.text(found.memory))
      in SQLite: \(Self.text(found.sqlite))
      """
    // A NUL would end the report.
    return report.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
  }

  private static func text(_ answer: Engines.Answer) -> String {
    switch answer {
    case .success(let rows): rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " ")
    case .failure(let error): "\(error)"
    }
  }
}
