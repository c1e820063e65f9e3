import Query

/// Completes the text of a query, or of an expression.
struct QueryCompletion {
  private let text: String
  private let isExpression: Bool
  private let names: DatabaseNames
  private let place: QueryContinuation
  /// The table whose columns are completed.
  private let table: TableSchema?

  /// - Parameters:
  ///   - text: the query up to the cursor.
  ///   - table: the table that is queried.
  ///   - isExpression: whether the text is an expression, as in a list of columns.
  init(_ text: String, table: String, names: DatabaseNames, isExpression: Bool = false) {
    (self.text, self.names, self.isExpression) = (text, names, isExpression)
    place = QueryContinuation(after: text, isExpression: isExpression)
    self.table = names.schema(of: place.tables.last ?? table)
  }

  /// The possible continuations of the text, one step further.
  func candidates() async -> [Candidate] {
    let typed = place.typed
    let start = String(decoding: text.utf8.dropLast(typed.utf8.count), as: UTF8.self)
    let fitting = await pieces().filter { $0.fits(typed) }
    return fitting.map { piece in
      Candidate(word: start + piece.text, label: piece.text, note: piece.note, isComplete: false)
    }
  }

  private func pieces() async -> [Piece] {
    switch place.expectation {
    case .condition: return columns(before: " ") + [Piece("not ", "the opposite")] + existence + functions
    case .comparison(let key, let isNegated): return comparisons(of: key, isNegated)
    case .null: return [Piece("null"), Piece("not null")]
    case .with: return [Piece("with ")]
    case .list: return [Piece("(")]
    case .operand(let key): return await values(of: key) + (place.typed.isEmpty ? [] : columns() + functions + times)
    case .element(let key): return await values(of: key)
    case .text(let key): return await values(of: key).filter { $0.text.hasPrefix("'") }
    case .bound: return [Piece("and ")]
    case .ignoredCase: return [Piece("case")]
    case .connective(let mayIgnoreCase):
      return [Piece("and "), Piece("or ")] + (mayIgnoreCase ? [Piece("ignoring case")] : [])
    case .separator: return [Piece(", "), Piece(")")]
    case .argument: return columns() + functions
    case .endOfArgument: return isExpression && !text.contains("(") ? [] : [Piece(", "), Piece(")")]
    case .step(let subject): return target(of: subject.steps).map { columns(of: $0) } ?? []
    case .related: return referring.map { Piece(table: $0) }
    case .aggregated(let mayCountRows):
      return (mayCountRows ? referring.map { Piece(table: $0) } : [])
        + referring.flatMap { other in other.columns.map { Piece(column: $0, of: other) } }
    case .rows(let isTable, let isValue, let isNested):
      return (isValue ? [Piece("of ", "the referring table")] : [])
        + (isTable ? [Piece("by ", "the referring column")] : [])
        + (isNested
          ? [Piece("(", "which rows"), Piece("and "), Piece("or ")]
          : [Piece("where ", "which rows"), Piece(")")])
    case .reference(let name):
      guard let table, let other = names.schema(of: name) else { return [] }
      return other.references(to: table).filter { $0.columns.count == 1 }
        .map { Piece(Quoting.key($0.columns[0]) + " ", "to \(table.name)", plain: $0.columns[0]) }
    case .nothing: return []
    }
  }

  private var referring: [TableSchema] { table.map { names.tables(referringTo: $0) } ?? [] }

  private var existence: [Piece] {
    if place.typed.isEmpty || referring.isEmpty { return [] }
    return [Piece("any ", "some row refers to this row"), Piece("no ", "no row refers to this row")]
  }

  /// All functions, once one is begun: there are many.
  private var functions: [Piece] {
    place.typed.isEmpty
      ? [] : ExpressionFunction.named.map { Piece("\($0.rawValue)(") } + [Piece("if(")] + aggregates
  }

  private var aggregates: [Piece] {
    AnyAggregate.Function.allCases.map { Piece("\($0.rawValue)(", "of referring rows") }
      .filter { $0.fits(place.typed) && !referring.isEmpty }
  }

  private var times: [Piece] { [Piece("now", "the current time as text"), Piece("today", "the current date as text")] }

  private func columns(before end: String = "") -> [Piece] { table.map { columns(of: $0, before: end) } ?? [] }

  /// The columns of a table, and the beginnings of paths through those that refer.
  private func columns(of table: TableSchema, before end: String = "") -> [Piece] {
    table.columns.flatMap { column in
      let path = table.table(behind: column.name).map { other in
        Piece(Quoting.key(column.name) + ".", "a column of \(other)", plain: column.name + ".")
      }
      return [Piece(column: column, end: end)] + (path.map { [$0] } ?? [])
    }
  }

  /// The table to which steps lead.
  private func target(of steps: [String]) -> TableSchema? {
    steps.reduce(table) { table, step in
      table.flatMap { $0.table(behind: step) }.flatMap { names.schema(of: $0) }
    }
  }

  private func column(_ subject: QueryContinuation.Subject) -> (table: String, column: ColumnSchema)? {
    guard let key = subject.steps.last, let table = target(of: subject.steps.dropLast()) else { return nil }
    // SQLite treats names that differ only in ASCII case as equal.
    let column =
      table.columns.first(named: key) ?? table.columns.first(foldedNamed: key)
    return column.map { (table.name, $0) }
  }

  private func comparisons(of key: QueryContinuation.Subject, _ isNegated: Bool) -> [Piece] {
    // A computed value may be of any type.
    guard let column = key.steps.isEmpty ? ColumnSchema("", .any, isNullable: true) : column(key)?.column else {
      return []
    }
    let texts = [
      Piece("contains ", "a part of the text"), Piece("starts with "), Piece("ends with "),
      Piece("like ", "with % and _ as in SQL"),
    ]
    let ranges = [Piece("between ", "including both values"), Piece("in ", "one of these values")]
    let mayBeText = column.kinds.contains(.text)
    if isNegated { return ranges + (mayBeText ? texts : []) }
    let relations = [Piece("= "), Piece("!= ")] + ["< ", "<= ", "> ", ">= "].map { Piece($0) }
    let nulls = column.isNullable ? [Piece("is null"), Piece("is not null")] : []
    return relations + ranges + (mayBeText ? texts : []) + nulls + [Piece("not ", "negates the next operator")]
  }

  private func values(of key: QueryContinuation.Subject) async -> [Piece] {
    guard let (table, column) = column(key) else { return [] }
    return await names.values(of: column.name, in: table).map(Piece.init(value:))
  }
}

extension QueryCompletion {
  /// A piece of a query.
  private struct Piece {
    let text: String
    let note: String
    /// An alternative beginning: the name or the text without its quotes.
    private let plain: String

    init(_ text: String, _ note: String = "", plain: String? = nil) {
      (self.text, self.note, self.plain) = (text, note, plain ?? text)
    }

    init(column: ColumnSchema, end: String = "") {
      self.init(Quoting.key(column.name) + end, column.type.rawValue, plain: column.name)
    }

    init(table: TableSchema) {
      self.init(Quoting.key(table.name) + " ", "refers to this table", plain: table.name)
    }

    init(column: ColumnSchema, of table: TableSchema) {
      self.init("\(Quoting.key(column.name)) of \(Quoting.key(table.name)) ", column.type.rawValue, plain: column.name)
    }

    init(value: Value) {
      if case .text(let text) = value { self.init("\(value)", plain: text) } else { self.init("\(value)") }
    }

    func fits(_ typed: String) -> Bool {
      let unquoted = typed.first == "'" || typed.first == "\"" ? nil : plain
      return [text, unquoted].contains { $0?.lowercased().hasPrefix(typed.lowercased()) == true }
    }
  }
}
