import Query
import SQLiteStore

/// How a request is carried out, in words.
struct ExplanationText {
  private let explanation: Explanation
  private let parts: [(name: String, texts: [String])]

  init(_ explanation: Explanation, of request: FetchRequest, in rows: RowArguments) {
    self.explanation = explanation
    let indexes = explanation.plan.indexes
    var parts: [(String, [String])] = [
      ("query", [Self.query(request)]), ("sql", [explanation.sql]),
      ("values", explanation.bindings.map { Excerpt.literal($0) }),
      ("plan", PlanText(explanation.plan).lines),
      ("indexes", indexes.isEmpty ? [Self.noIndex(explanation.plan)] : indexes),
    ]
    if let advice = explanation.advice {
      parts.append(("advice", advice.indexes.map(\.sql)))
      parts.append(("plan then", PlanText(advice.plan).lines))
      let commands = advice.indexes.filter(\.isPlain).compactMap { Self.command(adding: $0, to: rows.database.path) }
      if commands.count == advice.indexes.count { parts.append(("to add it", commands)) }
    } else {
      parts.append(("advice", ["no index was found that would make a better plan"]))
    }
    self.parts = parts
  }

  static let headings = [ColumnHeading("part"), ColumnHeading("text")]

  /// A row for each line.
  var rows: [[Value]] {
    parts.flatMap { part in part.texts.map { [.text(part.name), .text($0)] } }
  }

  /// The parts with their names at the left.
  func description(_ style: TextStyle) -> String {
    let width = parts.map(\.name.count).max() ?? 0
    return parts.filter { !$0.texts.isEmpty }.map { part in
      part.texts.enumerated().map { position, text in
        let name = position == 0 ? part.name : ""
        let padding = String(repeating: " ", count: width - name.count + 2)
        return style.dim(name) + padding + TerminalText.visible(text) + "\n"
      }.joined()
    }.joined()
  }

  /// The request as `query` takes it.
  private static func query(_ request: FetchRequest) -> String {
    var text = request.query.description
    if !request.sort.terms.isEmpty {
      let sort = request.sort.description
      text += " --sort \(ShellWord.quoted(sort) ?? sort)"
    }
    if let limit = request.limit { text += " --limit \(limit)" }
    if request.offset > 0 { text += " --offset \(request.offset)" }
    return text
  }

  private static func command(adding index: IndexDefinition, to database: String) -> String? {
    var options = index.isCalledAsUsual ? [] : ["--name", index.name]
    let arguments = [database, index.table] + index.columns.map(\.name)
    if arguments.contains(where: { $0.hasPrefix("-") }) { options.append("--") }
    return ShellWord.line(["repokit", "index", "add"] + options + arguments)
  }

  private static func noIndex(_ plan: QueryPlan) -> String {
    plan.steps.contains { $0.action.path == .primaryKey } ? "none but the primary key" : "none"
  }
}

extension Excerpt {
  /// A value as a query has it, cut where it is long.
  fileprivate static func literal(_ value: Value) -> String {
    of(value.description, columns: 200)
  }
}
