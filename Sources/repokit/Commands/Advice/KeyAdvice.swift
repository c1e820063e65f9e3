import Query

// Advice with the error of a `QueryReader` for a key that the table does not have.
extension QueryError {
  /// The advice where a key is found in no table: a path that can't be entered, or a name that needs quotes.
  func advice(in table: TableSchema) -> String? { adviceOnPath(in: table) ?? adviceOnQuotes(in: table) }

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
