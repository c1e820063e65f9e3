import Query
import Repository
import SQLInspection
import SQLStore

/// A table whose rows can be read, whatever evaluates the query.
struct OpenTable {
  private enum Rows {
    case inDatabase(SQLRepository<Record>)
    /// The rows as the database finds them, and a repository of them.
    case inMemory([[Value]], MemoryRepository<Record>)
  }

  let table: QueriedTable
  let store: SQLDatabase
  private let rows: Rows
  var schema: TableSchema { table.schema }

  /// Opens a table of a database, and for the engine in memory, copies it there.
  init(_ name: String, in store: SQLDatabase, engine: Engine) throws(RepositoryError) {
    self.store = store
    table = try store.queriedTable(name)
    let schema = table.schema
    let recordSchema = Schema(schema)
    let stored = try store.repository(for: recordSchema)
    switch engine {
    case .database: rows = .inDatabase(stored)
    case .memory:
      var copy: [[Value]] = []
      try stored.forEachRow(try Self.request(FetchRequest(), isSorted: false, in: schema)) { row in
        copy.append(row)
        return true
      }
      let alone = try schema.alone
      let records = copy.map { row in Record(values: row, in: alone) }
      rows = .inMemory(copy, try MemoryRepository(records, schema: Schema(alone)))
    }
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Record] {
    switch rows {
    case .inDatabase(let repository): try repository.findAll(request)
    case .inMemory(_, let repository): try repository.findAll(try request.inOneTable)
    }
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    switch rows {
    case .inDatabase(let repository): try repository.aggregate(request)
    case .inMemory(_, let repository): try repository.aggregate(try request.inOneTable)
    }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    switch rows {
    case .inDatabase(let repository): try repository.count(query)
    case .inMemory(_, let repository): try repository.count(try FetchRequest(query).inOneTable.query)
    }
  }

  /// Hands out rows one at a time: from the database, as they are read.
  ///
  /// - Parameter body: takes a row's values in the order of the request's columns, and says whether to go on.
  func forEachRow(_ request: RowRequest, _ body: ([Value]) -> Bool) throws(RepositoryError) {
    switch rows {
    case .inDatabase(let repository):
      try repository.forEachRow(request, body)
    case .inMemory(let copy, let repository):
      _ = try request.fetch.inOneTable
      var found: [[Value]]
      if request.isSorted {
        found = try repository.findAll(request.source).map(\.values)
      } else {
        let resolved = try schema.resolve(request.fetch)
        found = copy.filter(resolved.query.matches)
        found = Array(found.dropFirst(resolved.offset).prefix(resolved.limit ?? .max))
      }
      for row in request.rows(from: found, in: schema) where !body(row) { return }
    }
  }

  /// Hands out the values of one column, in no order.
  func forEachValue(of column: Int, _ body: (Value) -> Bool) throws(RepositoryError) {
    switch rows {
    case .inDatabase(let repository):
      let name = schema.columns[column].name
      try repository.forEachRow(try Self.request(FetchRequest(), columns: [name], isSorted: false, in: schema)) { row in
        body(row[0])
      }
    case .inMemory(let copy, _):
      for row in copy where !body(row[column]) { return }
    }
  }

  /// Hints for a query that finds nothing.
  func hints(for query: AnyQuery) -> [String] {
    EmptyResultHints(of: schema) { column, body in try forEachValue(of: column, body) }.hints(for: query)
  }

  /// Counts the different rows of a request.
  func countRows(_ request: RowRequest) throws(RepositoryError) -> Int {
    switch rows {
    case .inDatabase(let repository):
      return try repository.countRows(request)
    case .inMemory(_, let repository):
      return request.rows(from: try repository.findAll(request.source).map(\.values), in: schema).count
    }
  }

  private static func request(
    _ request: FetchRequest, columns: [String]? = nil, isSorted: Bool, in schema: TableSchema
  ) throws(RepositoryError) -> RowRequest {
    do throws(QueryError) {
      var request = try RowRequest(request, columns: columns, in: schema)
      request.isSorted = isSorted
      return request
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension TableSchema {
  /// The table without what its rows refer to, which is not there when it is copied alone.
  fileprivate var alone: TableSchema {
    get throws(RepositoryError) {
      do throws(QueryError) {
        return try TableSchema(name, columns: columns, primaryKey: primaryKeyColumns.map(\.name))
      } catch {
        throw RepositoryError(.invalidQuery, error.summary, reason: error.reason, underlying: error)
      }
    }
  }
}

/// What evaluates a query. Both give the same rows in the same order.
enum Engine: String, CaseIterable {
  /// The database itself.
  case database
  /// The toolkit's own evaluator, over all rows of the table.
  case memory

  /// By its name; `sqlite` is what the database was called when there was no other.
  init?(rawValue: String) {
    switch rawValue {
    case "database", "sqlite": self = .database
    case "memory": self = .memory
    default: return nil
    }
  }
}

extension SQLDatabase {
  /// The columns that a format shows of a table: those that were chosen, or else `nil` for all.
  ///
  /// A statement can't insert what the database computes; that this is left out is told.
  func columns(
    _ chosen: [String]?, of table: TableSchema, in format: FormatName, _ console: Console
  ) throws(Failure) -> [String]? {
    guard chosen == nil, format == .sql else { return chosen }
    let computed = try Failure.translating { try computedColumns(ofTable: table.name) }
    let shown = table.columns.map(\.name).filter { !computed.contains(named: $0) }
    if computed.isEmpty || shown.isEmpty { return nil }
    let names = computed.joined(separator: ", ")
    console.report(
      TerminalText.visible(
        "note: the database computes \(names) itself, so the statements leave \(computed.count == 1 ? "it" : "them") out"
      )
        + "\n")
    return shown
  }
}

extension FetchRequest {
  /// The request, which the engine in memory can carry out where it leads to no other table.
  fileprivate var inOneTable: FetchRequest {
    get throws(RepositoryError) {
      if needsOtherTables { throw .oneTable }
      return self
    }
  }
}

extension AggregateRequest {
  fileprivate var inOneTable: AggregateRequest {
    get throws(RepositoryError) {
      if needsOtherTables { throw .oneTable }
      return self
    }
  }
}

extension RepositoryError {
  fileprivate static var oneTable: RepositoryError {
    RepositoryError(
      .unsupported, "the engine memory knows one table alone", reason: "the query leads to other tables",
      suggestion: "leave the option --engine out")
  }
}
