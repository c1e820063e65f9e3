import Query
import Repository
import SQLInspection
import SQLStore

/// The other tables of a database, as far as a request leads to them.
final class OtherTables {
  let store: SQLDatabase
  private var names: [String]?
  private var schemas: [Name: TableSchema] = [:]
  private var told: Set<String> = []

  /// The tables that were found.
  var found: [TableSchema] { Array(schemas.values) }

  init(of store: SQLDatabase) {
    self.store = store
  }

  /// Finds a table by its name, which a reference may spell in another case.
  ///
  /// - Throws: `QueryError` where there is none, with the probable name.
  func find(_ name: String) throws(QueryError) -> TableSchema? {
    if let known = schemas[Name(name)] { return known }
    do throws(RepositoryError) {
      if names == nil { names = try store.tableNames() }
      let folded = names?.first(foldedNamed: name)
      if let table = names?.first(where: { Name($0) == name }) ?? folded {
        let schema = try store.queriedTable(table).schema
        schemas[Name(name)] = schema
        return schema
      }
    } catch {
      throw QueryError(.unknownRelation, error.summary, reason: error.reason, suggestion: error.suggestion)
    }
    throw QueryError(
      .unknownRelation, "there is no table \(TerminalText.quoted(name))",
      suggestion: .among(names ?? [], nearestTo: name))
  }

  /// Tells what several texts of a call may have in common.
  func tellOnce(_ note: String) {
    if told.insert(note).inserted { StandardStreams.say(note) }
  }

  /// Passes the values of a column of a table to a closure, in no order.
  func forEachValue(
    of column: Int, in table: TableSchema, _ body: (Value) -> Bool
  ) throws(RepositoryError) {
    let request = ProjectionRequest([.key(table.columns[column].name)])
    try store.blocking.repository(Schema(table)).forEachRow(request, isSorted: false) { row in body(row[0]) }
  }

  /// The values other than null of a column in the first thousand rows, or what a closure finds in them; fewer where reading fails,
  /// since a note on values is no reason for a request to fail.
  ///
  /// - Parameter limit: the number of values after which no more rows are read.
  func sample(
    of column: Int, in table: TableSchema, limit: Int = .max, _ content: (Value) -> Value = { $0 }
  ) -> [Value] {
    var (rowCount, values) = (0, [Value]())
    try? forEachValue(of: column, in: table) { value in
      rowCount += 1
      let value = content(value)
      if !value.isNull { values.append(value) }
      return values.count < limit && rowCount < 1_000
    }
    return values
  }
}
