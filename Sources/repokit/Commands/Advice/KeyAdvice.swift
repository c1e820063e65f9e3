import Query

// Advice with the error of a `QueryReader` for a key that the table does not have.
extension QueryError {
  /// The advice where a key is found in no table: a path that can't be entered, or a name that needs quotes.
  func advice(in table: TableSchema) -> String? { adviceOnPath(in: table) ?? adviceOnQuotes(in: table) }

  /// A better suggestion than the error's own, where the command line shows more than the query; `nil` for none.
  ///
  /// - Parameter caret: the line with the error, and a `^` below the part that is to blame.
  func betterSuggestion(caret: String?, in table: TableSchema, with tables: TableLookup) -> String? {
    suggestionOnTable(in: table, with: tables) ?? suggestionOnWord(caret)
  }

  /// Returns the suggestion for the name of a table in the place of a column that refers to the table.
  private func suggestionOnTable(in table: TableSchema, with tables: TableLookup) -> String? {
    guard case .missingColumn(let key, let owner) = subject, Name(owner) == table.name,
      let reference = table.references.first(where: { Name($0.table).equalsFolded(key) && $0.columns.count == 1 }),
      let step = reference.columns.first
    else { return nil }
    let target = (try? tables(reference.table)) ?? nil
    let column = target?.columns.first { $0.type == .text } ?? target?.columns.first
    return column.map { "did you mean \(Quoting.key(step)).\(Quoting.key($0.name))?" }
  }

  /// Returns the suggestion for `true` or `false` beside a column of texts.
  private func suggestionOnWord(_ caret: String?) -> String? {
    guard code == .kindMismatch, suggestion?.hasPrefix("put the number in quotes") == true,
      let lines = caret?.split(separator: "\n"), lines.count > 1, let position = lines[1].firstIndex(of: "^")
    else { return nil }
    let rest = lines[0].dropFirst(lines[1].distance(from: lines[1].startIndex, to: position)).lowercased()
    let words = rest.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "_" && $0 != "." }.dropFirst()
    guard let word = words.first, word == "true" || word == "false" else { return nil }
    return "write '\(word)'"
  }

  /// Returns the advice on a path into a column of texts of a server, which may hold JSON, or through a column that is declared to
  /// refer to nothing, as in files of Core Data.
  private func adviceOnPath(in table: TableSchema) -> String? {
    guard case .missingReference(let step, let owner) = subject else { return nil }
    let column = Name(owner) == table.name ? table.columns.first(named: step) : nil
    guard let column, column.type == .text, !column.mayHoldJSON else {
      if !table.references.isEmpty { return nil }
      let name = column.map(\.name) ?? "COLUMN"
      return
        "\(table.name) has no references: declare one with repokit column reference DATABASE \(table.name) \(name) "
        + "TARGET, or with --reference \(name)=TARGET.KEY for a file of rows"
    }
    let field = "\(Quoting.key(column.name)) #>> '{address,city}'"
    return "a query can't enter JSON on a server: create a view with \(field) as a column, and query the view"
  }

  /// Returns the advice on an unknown column that is a part of a name that needs quotes, as in `E-Mail`.
  private func adviceOnQuotes(in table: TableSchema) -> String? {
    guard case .missingColumn(let key, let owner) = subject, Name(owner) == table.name else { return nil }
    let column = table.columns.first { column in
      let parts = column.name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return Quoting.key(column.name) != column.name && parts.map(String.init).contains(named: key)
    }
    return column.map { "put a name with spaces or symbols in quotes: \(Quoting.key($0.name))" }
  }
}
