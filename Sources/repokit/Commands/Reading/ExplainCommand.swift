import PostgresInspection
import PostgresStore
import Query
import SQLiteInspection
import SQLiteStore

/// `repokit explain`: how a database finds rows.
struct ExplainCommand: Command {
  static let description = CommandDescription(
    name: "explain", summary: "Show how the database finds the rows of a query, and suggest an index.",
    examples: [
      .init(
        arguments: "explain pokedex.sqlite pokemon \"type1 = 'fire' and weight > 90\" --sort=-weight",
        meaning: "Show the SQL, the values, the plan, and an index that improves the plan."),
      .init(
        arguments: "explain pokedex.sqlite pokemon \"weight > 90\" --format json",
        meaning: "Print the same as JSON for other programs."),
    ],
    positionals: [.database, .table, .condition],
    options: [.sort, .limit, .offset, .dates, .parameter, .rowFormatForPrograms],
    notes: [
      .paragraph(
        "explain plans the query without running it. explain suggests an index only if SQLite, planning "
          + "in a copy without rows, uses the index to do less work. Each index takes disk space and slows down "
          + "writes; add an index only for frequent queries."),
      .paragraph("On a server, explain prints PostgreSQL's own plan, without suggestions."),
      .queries, .parameters,
    ])

  private let rows: RowArguments
  private let shown: RequestArguments
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    shown = try RequestArguments(arguments, rows.parameters)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try rows.database.open(.readOnly)
    let schema = try rows.queriedTable(in: store, console)
    let reader = rows.reader(in: schema, of: store)
    let request = try shown.request(try rows.query(reader), in: schema, reader).rows
    let text = try Failure.translating {
      switch store {
      case let store as SQLiteStore:
        ExplanationText(try store.explanation(of: request, in: schema), of: request, in: rows)
      case let store as PostgresStore:
        ExplanationText(try store.explanation(of: request, inTable: rows.table), of: request)
      default: throw Failure("this kind of database has no plans to explain")
      }
    }
    if let format {
      try console.printRows(text.rows, under: ExplanationText.headings, as: format)
    } else {
      try console.print(text.description(console.style))
    }
  }
}

/// The execution of a request, in words.
struct ExplanationText {
  private let parts: [(name: String, texts: [String])]

  init(_ explanation: Explanation, of request: FetchRequest, in rows: RowArguments) {
    let indexes = explanation.plan.indexes
    var parts: [(String, [String])] = [
      ("query", [Self.query(request)]), ("sql", [explanation.sql]),
      ("values", explanation.bindings.map { TruncatedText.literal($0) }),
      ("plan", PlanText(explanation.plan).lines),
      ("indexes", indexes.isEmpty ? [Self.noIndex(explanation.plan)] : indexes),
    ]
    if let advice = explanation.advice {
      parts.append(("advice", advice.indexes.map(\.sql)))
      parts.append(("new plan", PlanText(advice.plan).lines))
      parts.append(("to create", advice.indexes.compactMap { Self.command(adding: $0, to: rows.database.text) }))
    } else {
      parts.append(("advice", ["no index improves the plan"]))
    }
    self.parts = parts
  }

  init(_ explanation: PostgresExplanation, of request: FetchRequest) {
    parts = [
      ("query", [Self.query(request)]), ("sql", [explanation.sql]),
      ("values", explanation.bindings.map { $0.map { TruncatedText.literal($0) }.joined(separator: ", ") }),
      ("plan", explanation.plan),
    ]
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

  private static func command(adding index: HypotheticalIndex, to database: String) -> String? {
    // Of texts that are told to be compared by their bytes, SQLite's own shell makes an index.
    if index.columns.contains(where: \.isToldBinary) { return ShellWord.line(["sqlite3", database, index.sql]) }
    var options = index.isCalledAsUsual ? [] : ["--name", index.name]
    let keys = index.columns.map { IndexKey($0.name, isDescending: $0.isDescending).text }
    let arguments = [database, index.table] + keys
    if arguments.contains(where: { $0.hasPrefix("-") }) { options.append("--") }
    return ShellWord.line(["repokit", "index", "add"] + options + arguments)
  }

  private static func noIndex(_ plan: QueryPlan) -> String {
    plan.steps.contains { $0.action.path == .primaryKey } ? "only the primary key" : "none"
  }
}

extension TruncatedText {
  /// A value as a query has it, cut where it is long.
  fileprivate static func literal(_ value: Value) -> String {
    of(value.description, columns: 200)
  }
}

/// A plan in words, a line for each step.
struct PlanText {
  let lines: [String]

  init(_ plan: QueryPlan) {
    lines = plan.steps.compactMap { step in
      Self.text(step).map { String(repeating: "  ", count: step.depth) + $0 }
    }
  }

  private static func text(_ step: QueryPlan.Step) -> String? {
    switch step.action {
    case .scan("temp.json_each", .virtualTable), .search("temp.json_each", .virtualTable, _):
      "reads the list of values"
    case .scan(let name, let path): "reads all rows of \(name)\(order(path))"
    case .search(let name, let path, let conditions): "looks up rows of \(name)\(access(path))\(suffix(conditions))"
    case .sort(.order): "sorts the rows in a temporary tree"
    case .sort(.restOfOrder): "sorts rows that agree in the first sort keys in a temporary tree"
    case .sort(.group): "groups the rows in a temporary tree"
    case .sort(.distinct): "removes duplicates with a temporary tree"
    case .multipleIndexes: "looks up each side of an or, and combines the rows"
    case .other: isStructure(step.detail) ? nil : subquery(step.detail) ?? step.detail
    }
  }

  private static func subquery(_ detail: String) -> String? {
    if detail.hasPrefix("CORRELATED SCALAR SUBQUERY ") { return "for each of these rows" }
    return detail.hasPrefix("SCALAR SUBQUERY ") ? "once" : nil
  }

  /// Whether a line only numbers the steps below it.
  private static func isStructure(_ detail: String) -> Bool {
    ["INDEX ", "LIST SUBQUERY "].contains { detail.hasPrefix($0) && detail.dropFirst($0.count).allSatisfy(\.isNumber) }
  }

  private static func order(_ path: AccessPath) -> String {
    switch path {
    case .rows, .primaryKey: ""
    case .index(let name, let isCovering):
      isCovering ? " from the index \(name) alone" : " in the order of the index \(name)"
    case .automaticIndex: " with a temporary index"
    case .virtualTable: ", a virtual table"
    }
  }

  private static func access(_ path: AccessPath) -> String {
    switch path {
    case .rows: ""
    case .primaryKey: " by primary key"
    case .index(let name, let isCovering): isCovering ? " in the index \(name) alone" : " by the index \(name)"
    case .automaticIndex: " with a temporary index"
    case .virtualTable: " through the virtual table"
    }
  }

  private static func suffix(_ conditions: String) -> String { conditions.isEmpty ? "" : " (\(conditions))" }
}
