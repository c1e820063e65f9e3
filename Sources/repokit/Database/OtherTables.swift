import Query
import Repository
import SQLInspection
import SQLStore
import Synchronization

/// The other tables of a database, as far as a request leads to them.
final class OtherTables {
  let store: SQLDatabase
  private var names: [String]?
  private var found: [Name: TableSchema] = [:]
  private var told: Set<String> = []

  init(of store: SQLDatabase) {
    self.store = store
  }

  /// Finds a table by its name, which a reference may spell in another case.
  ///
  /// - Throws: `QueryError` where there is none, with the probable name.
  func find(_ name: String) throws(QueryError) -> TableSchema? {
    if let known = found[Name(name)] { return known }
    do throws(RepositoryError) {
      if names == nil { names = try store.tableNames() }
      let folded = names?.first(foldedNamed: name)
      if let table = names?.first(where: { Name($0) == name }) ?? folded {
        let schema = try store.queriedTable(table).schema
        found[Name(name)] = schema
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
    if told.insert(note).inserted { StandardStreams.report(TerminalText.visible(note) + "\n") }
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

  /// The rows of all tables that were found.
  func rows() throws(RepositoryError) -> TableRows {
    var rows: [Name: [[Value]]] = [:]
    for table in found.values where rows[Name(table.name)] == nil {
      rows[Name(table.name)] = try store.rows(of: table)
    }
    return TableRows(rows)
  }
}

/// The rows of some tables in memory, which are looked up by what their columns hold.
final class TableRows: RelatedRowSource {
  private struct Columns: Hashable {
    let table: Name
    let positions: [Int]
  }

  private let rows: [Name: [[Value]]]
  /// The positions of the rows for each key, of columns by which rows were looked up before.
  private let indexes = Mutex<[Columns: [[Value]: [Int]]]>([:])

  init(_ rows: [Name: [[Value]]]) {
    self.rows = rows
  }

  func makeFinder(of table: String, where columns: [Int], equal sources: [Int]) -> RelatedRowFinder {
    let columns = Columns(table: Name(table), positions: columns)
    guard let rows = rows[columns.table] else { return { _, _ in } }
    let index = indexes.withLock { indexes in
      if let known = indexes[columns] { return known }
      let index = Dictionary(grouping: rows.indices) { row in columns.positions.map { rows[row][$0] } }
      indexes[columns] = index
      return index
    }
    return { row, body in
      let key = sources.map { row[$0] }
      if key.contains(where: \.isNull) { return }
      for position in index[key] ?? [] where !rows[position].withUnsafeBufferPointer(body) { return }
    }
  }
}

extension SQLDatabase {
  /// All rows of a table, in the order in which the database finds them.
  func rows(of table: TableSchema) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    let request = ProjectionRequest(table.columns.map { .key($0.name) })
    try blocking.repository(Schema(table)).forEachRow(request, isSorted: false) { row in
      rows.append(row)
      return true
    }
    return rows
  }
}
