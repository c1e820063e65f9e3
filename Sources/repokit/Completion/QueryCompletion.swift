import Query

/// Completes the text of a query.
struct QueryCompletion {
  private let text: String
  private let table: String
  private let names: DatabaseNames
  private let columns: [ColumnSchema]

  /// - Parameters:
  ///   - text: the query up to the cursor.
  ///   - table: the table that is asked.
  init(_ text: String, table: String, names: DatabaseNames) {
    (self.text, self.table, self.names) = (text, table, names)
    columns = names.columns(of: table)
  }

  /// The queries that the text may become, one step further.
  func candidates() async -> [Candidate] {
    let place = QueryContinuation(after: text)
    let typed = place.typed
    let start = String(decoding: text.utf8.dropLast(typed.utf8.count), as: UTF8.self)
    let fitting = await pieces(at: place).filter { $0.fits(typed) }
    return fitting.map { piece in
      Candidate(word: start + piece.text, label: piece.text, note: piece.note, isComplete: false)
    }
  }

  private func pieces(at place: QueryContinuation) async -> [Piece] {
    switch place.expectation {
    case .condition: columns.map { Piece(column: $0, end: " ") } + [Piece("not ", "the opposite")]
    case .comparison(let key, let isNegated): comparisons(of: key, isNegated)
    case .null: [Piece("null"), Piece("not null")]
    case .with: [Piece("with ")]
    case .list: [Piece("(")]
    case .operand(let key): await values(of: key) + (place.typed.isEmpty ? [] : columns.map { Piece(column: $0) })
    case .element(let key): await values(of: key)
    case .text(let key): await values(of: key).filter { $0.text.hasPrefix("'") }
    case .bound: [Piece("and ")]
    case .ignoredCase: [Piece("case")]
    case .connective(let mayIgnoreCase):
      [Piece("and "), Piece("or ")] + (mayIgnoreCase ? [Piece("ignoring case")] : [])
    case .separator: [Piece(", "), Piece(")")]
    case .nothing: []
    }
  }

  private func column(_ key: String) -> ColumnSchema? {
    // SQLite takes names that differ in ASCII case alone for the same.
    columns.first(named: key) ?? columns.first { Name($0.name).folded == Name(key).folded }
  }

  private func comparisons(of key: String, _ isNegated: Bool) -> [Piece] {
    guard let column = column(key) else { return [] }
    let texts = [
      Piece("contains ", "a text within"), Piece("starts with "), Piece("ends with "),
      Piece("like ", "% and _ as in SQL"),
    ]
    let ranges = [Piece("between ", "two values, both included"), Piece("in ", "one of some values")]
    let mayBeText = column.kinds.contains(.text)
    if isNegated { return ranges + (mayBeText ? texts : []) }
    let relations = [Piece("= "), Piece("!= ")] + ["< ", "<= ", "> ", ">= "].map { Piece($0) }
    let nulls = column.isNullable ? [Piece("is null"), Piece("is not null")] : []
    return relations + ranges + (mayBeText ? texts : []) + nulls + [Piece("not ", "the opposite of what follows")]
  }

  private func values(of key: String) async -> [Piece] {
    guard let column = column(key) else { return [] }
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

    init(value: Value) {
      if case .text(let text) = value { self.init("\(value)", plain: text) } else { self.init("\(value)") }
    }

    func fits(_ typed: String) -> Bool {
      let unquoted = typed.first == "'" || typed.first == "\"" ? nil : plain
      return [text, unquoted].contains { $0?.lowercased().hasPrefix(typed.lowercased()) == true }
    }
  }
}
