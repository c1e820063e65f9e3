import Query
import SQL
import SQLInspection
import SQLiteStore

/// The parts of a table's or an index's definition that SQLite keeps only as SQL.
struct DefinitionText {
  private let sql: String
  /// Without comments.
  private let tokens: [SQLToken]
  private let comments: [SQLToken]

  init(_ sql: String) {
    // SQLite reads no further.
    self.sql = String(sql.prefix { $0 != "\0" })
    let all = SQLToken.tokens(of: self.sql)
    tokens = all.filter { $0.kind != .comment }
    comments = all.filter { $0.kind == .comment }
  }

  /// The one statement that SQLite takes it for, with a blank for each gap. It does not read what follows that, be it another
  /// statement or a line that SQLite's shell would carry out, which a file may hold all the same.
  ///
  /// The shell takes a line of `go` or `/` alone for the end of a statement, so no line may end outside of quotes.
  /// https://www.sqlite.org/cli.html
  var statement: String {
    let own = tokens.prefix(statementCount)
    guard let last = own.last else { return "" }
    var statement = ""
    var end = sql.startIndex
    let shown = (own + comments.filter { $0.text.endIndex <= last.text.startIndex })
      .sorted { $0.text.startIndex < $1.text.startIndex }
    for (position, token) in shown.enumerated() {
      if position > 0, end < token.text.startIndex || token.kind == .comment { statement += " " }
      statement += token.line
      end = token.kind == .comment ? sql.startIndex : token.text.endIndex
    }
    // A quote that stays open would take in what follows the statement.
    return statement + last.missingQuote
  }

  /// The statement in a form that is the same for all ways to lay it out: no comments, names in small letters and without the
  /// quotes that they do not need.
  var normalForm: String { tokens.prefix(statementCount).map(\.normalForm).joined(separator: " ") }

  /// The number of tokens of the statement.
  private var statementCount: Int {
    if isTrigger,
      let end = tokens.indices.dropFirst().first(where: { tokens[$0].isKeyword("END") && tokens[$0 - 1].isSymbol(";") })
    {
      return end + 1
    }
    return tokens.firstIndex { $0.isSymbol(";") } ?? tokens.count
  }

  /// Whether the statement makes a trigger, whose statements end with semicolons of their own.
  private var isTrigger: Bool {
    let isTemporary = tokens.count > 1 && (tokens[1].isKeyword("TEMP") || tokens[1].isKeyword("TEMPORARY"))
    return tokens.dropFirst(isTemporary ? 2 : 1).first?.isKeyword("TRIGGER") == true
  }

  /// Whether the statement makes a full-text index that does not keep the texts. https://www.sqlite.org/fts5.html#contentless_tables
  var isContentless: Bool {
    tokens.indices.dropFirst(2).contains { position in
      tokens[position - 2].isKeyword("CONTENT") && tokens[position - 1].isSymbol("=")
        && tokens[position].kind == .quoted && tokens[position].text.unicodeScalars.count == 2
    }
  }

  /// The name of the module of a virtual table, in small letters.
  var module: String? {
    guard tokens.dropFirst().first?.isKeyword("VIRTUAL") == true,
      let using = tokens.firstIndex(where: { $0.isKeyword("USING") }), using + 1 < tokens.count
    else { return nil }
    return tokens[using + 1].name.lowercased()
  }

  /// The table or view whose rows a full-text index finds; `nil` where the index keeps the texts itself, or none.
  /// https://www.sqlite.org/fts5.html#external_content_tables
  var contentTable: String? {
    guard module?.hasPrefix("fts") == true else { return nil }
    return option("CONTENT").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The same where the index finds the rows by their rowids, and not by a column of its option `content_rowid`.
  var contentTableOfRowids: String? {
    option("CONTENT_ROWID").map(RowidName.isName) ?? true ? contentTable : nil
  }

  /// The column by which a full-text index finds the rows of another table; `nil` for the rowid.
  var contentRowid: String? { option("CONTENT_ROWID") }

  /// The value of an option of a virtual table.
  private func option(_ keyword: String) -> String? {
    tokens.indices.dropFirst(2).first { position in
      tokens[position - 2].isKeyword(keyword) && tokens[position - 1].isSymbol("=")
    }.map { tokens[$0].name }
  }

  /// When the references of a table are checked, in the order of the references.
  ///
  /// A clause belongs to the reference before it, as for SQLite: https://www.sqlite.org/foreignkeys.html#fk_deferred
  var deferrals: [TableDefinition.Deferral] {
    var deferrals: [TableDefinition.Deferral] = []
    for (index, token) in tokens.enumerated() {
      if token.isKeyword("REFERENCES") { deferrals.append(.notDeferrable) }
      guard token.isKeyword("DEFERRABLE"), !deferrals.isEmpty else { continue }
      let isDeferred = tokens.dropFirst(index + 1).prefix(2).map { $0.text.uppercased() } == ["INITIALLY", "DEFERRED"]
      let isNegated = index > 0 && tokens[index - 1].isKeyword("NOT")
      deferrals[deferrals.count - 1] = isNegated ? .notDeferrable : isDeferred ? .deferred : .immediate
    }
    return deferrals
  }

  /// The expressions of a table's checks, in order.
  var checks: [String] { expressions { $0.isKeyword("CHECK") } }

  /// The expressions of the computed columns, in order.
  var generated: [String] { expressions { $0.isKeyword("AS") } }

  /// The expressions in parentheses right after the given keywords.
  private func expressions(after isSought: (SQLToken) -> Bool) -> [String] {
    var found: [String] = []
    var position = 0
    var depth = 0
    while position + 1 < tokens.count {
      let token = tokens[position]
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      position += 1
      // Definitions are one level deep; anything deeper is part of an expression.
      guard depth == 1, isSought(token), tokens[position].isSymbol("("), let end = end(of: position) else { continue }
      found.append(text(position + 1, end))
      position = end + 1
    }
    return found
  }

  /// The columns of an index as they are written, without their order or collation.
  var indexTerms: [String] {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), let end = end(of: start) else { return [] }
    var terms: [String] = []
    var (from, depth) = (start + 1, 0)
    for position in (start + 1)...end {
      let token = tokens[position]
      if position == end || depth == 0 && token.isSymbol(",") {
        terms.append(term(from, position))
        from = position + 1
      }
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
    }
    return terms
  }

  /// The condition of a partial index.
  var condition: String? {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), let end = end(of: start),
      let word = tokens[end...].firstIndex(where: { $0.isKeyword("WHERE") }), word + 1 < tokens.count
    else { return nil }
    return text(word + 1, tokens.count)
  }

  private func term(_ from: Int, _ end: Int) -> String {
    var end = end
    if end > from, tokens[end - 1].isKeyword("ASC") || tokens[end - 1].isKeyword("DESC") { end -= 1 }
    if end > from + 2, tokens[end - 2].isKeyword("COLLATE") { end -= 2 }
    return text(from, end)
  }

  /// The statement that creates a table, under another name and with other types of columns; `nil` where it does not name
  /// them all, as that of a table that was made of a query.
  ///
  /// - Parameter constraint: a constraint to add.
  func table(
    named name: String, withTypes types: [(column: String, type: String)], adding constraint: String? = nil
  ) -> String? {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), start > 0, let end = end(of: start) else {
      return nil
    }
    var edits: [(range: Range<String.Index>, text: String)] = [
      (tokens[start - 1].text.startIndex..<tokens[start - 1].text.endIndex, SQLToken.quoted(name))
    ]
    var (position, missing) = (start + 1, types)
    while position < end {
      if let index = missing.firstIndex(where: { tokens[position].isName($0.column) }) {
        var last = position
        while last + 1 < end, let next = endOfType(behind: last, atStart: last == position) { last = next }
        let from = tokens[position].text.endIndex
        edits.append((from..<tokens[last].text.endIndex, " " + missing.remove(at: index).type))
      }
      // The comma behind the definition.
      var depth = 0
      while position < end, depth > 0 || !tokens[position].isSymbol(",") {
        if tokens[position].isSymbol("(") { depth += 1 }
        if tokens[position].isSymbol(")") { depth -= 1 }
        position += 1
      }
      position += 1
    }
    if !missing.isEmpty { return nil }
    if let constraint {
      let closing = tokens[end].text.startIndex
      edits.append((closing..<closing, ", " + constraint))
    }
    return edited(edits)
  }

  /// The statement that creates a table, under another name and with one more column; `nil` where it lists no columns.
  func table(named name: String, addingColumn column: String) -> String? {
    guard let (items, edit) = items(renamedTo: name), let last = items.last else { return nil }
    // Columns precede the rules of the table.
    let rules = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
    guard let rule = items.first(where: { item in rules.contains { tokens[item.lowerBound].isKeyword($0) } }) else {
      let end = tokens[last.upperBound - 1].text.endIndex
      return edited([edit, (end..<end, ", " + column)])
    }
    let start = tokens[rule.lowerBound].text.startIndex
    return edited([edit, (start..<start, column + ", ")])
  }

  /// The statement that creates a table, under another name and with a column that refuses nulls, or accepts them; `nil` where it
  /// does not list the column.
  func table(named name: String, requiring column: String, _ isRequired: Bool) -> String? {
    guard let (items, edit) = items(renamedTo: name),
      let item = items.first(where: { tokens[$0.lowerBound].isName(column) })
    else { return nil }
    var last = item.lowerBound
    while last + 1 < item.upperBound, let next = endOfType(behind: last, atStart: last == item.lowerBound) {
      last = next
    }
    var (edits, depth) = ([edit], 0)
    for position in item.dropFirst() {
      if tokens[position].isSymbol("(") { depth += 1 }
      if tokens[position].isSymbol(")") { depth -= 1 }
      guard depth == 0, tokens[position].isKeyword("NOT"), position + 1 < item.upperBound,
        tokens[position + 1].isKeyword("NULL")
      else { continue }
      if isRequired { return edited([edit]) }
      let start =
        position - 2 > item.lowerBound && tokens[position - 2].isKeyword("CONSTRAINT") ? position - 2 : position
      edits.append((tokens[start].text.startIndex..<tokens[position + 1].text.endIndex, ""))
    }
    if isRequired {
      let end = tokens[last].text.endIndex
      edits.append((end..<end, " NOT NULL"))
    }
    return edited(edits)
  }

  private typealias Edit = (range: Range<String.Index>, text: String)

  /// The definitions of columns and rules between the commas, and the edit by which the table has another name.
  private func items(renamedTo name: String) -> (items: [Range<Int>], edit: Edit)? {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), start > 0, let end = end(of: start) else {
      return nil
    }
    var items: [Range<Int>] = []
    var (from, depth) = (start + 1, 0)
    for position in (start + 1)...end {
      if position == end || depth == 0 && tokens[position].isSymbol(",") {
        if from < position { items.append(from..<position) }
        from = position + 1
      }
      if tokens[position].isSymbol("(") { depth += 1 }
      if tokens[position].isSymbol(")") { depth -= 1 }
    }
    return (items, (tokens[start - 1].text.startIndex..<tokens[start - 1].text.endIndex, SQLToken.quoted(name)))
  }

  private func edited(_ edits: [Edit]) -> String {
    var sql = self.sql
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      sql.replaceSubrange(edit.range, with: edit.text)
    }
    return sql
  }

  /// The last token of the next part of a type: a word, or numbers in parentheses; `nil` where the type has ended.
  private func endOfType(behind position: Int, atStart: Bool) -> Int? {
    let next = tokens[position + 1]
    if next.isSymbol("("), !atStart { return end(of: position + 1) }
    let others = [
      "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS",
      "ON", "DEFERRABLE",
    ]
    return next.kind != .symbol && !others.contains(where: next.isKeyword) ? position + 1 : nil
  }

  /// The position of the parenthesis that closes one.
  private func end(of start: Int) -> Int? {
    var depth = 0
    for position in start..<tokens.count {
      if tokens[position].isSymbol("(") { depth += 1 }
      if tokens[position].isSymbol(")") { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }

  /// The source text of some tokens.
  private func text(_ from: Int, _ end: Int) -> String {
    guard from < end else { return "" }
    return String(sql[tokens[from].text.startIndex..<tokens[end - 1].text.endIndex])
  }
}
