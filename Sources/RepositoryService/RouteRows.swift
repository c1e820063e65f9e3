import Query
import Repository
import WebRepositoryFormat

/// The rows of a route's repository, whatever its elements are.
protocol RouteRows: Sendable {
  func find(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]]
  /// Finds rows and encodes them as they are read; `nil` if the repository does not pass them one by one.
  func encode(_ request: ProjectionRequest, as format: RowFormat) async throws(RepositoryError) -> EncodedRows?
  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int
  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow]
  func insert(_ rows: [[Value]], _ rule: ConflictRule?) async throws(RepositoryError) -> [[Value]]
  func save(_ rows: [[Value]]) async throws(RepositoryError)
  func write(_ mode: WriteMode, _ rows: RowStream) async throws(RepositoryError) -> Int
  func update(_ query: AnyQuery, _ assignments: [Assignment]) async throws(RepositoryError) -> Int
  func updateReturning(_ query: AnyQuery, _ assignments: [Assignment]) async throws(RepositoryError) -> [[Value]]
  func delete(_ query: AnyQuery) async throws(RepositoryError) -> Int
  func deleteReturning(_ query: AnyQuery) async throws(RepositoryError) -> [[Value]]
  /// Deletes the rows of one query after another, all or none, where no transaction is around it.
  func deleteTogether(_ queries: [AnyQuery]) async throws(RepositoryError) -> Int
  /// Passes each live result of a request to a closure, until it returns `false` or the task is cancelled.
  func liveResults(_ request: FetchRequest, _ body: ([[Value]]) async -> Bool) async throws(RepositoryError)
}

/// A stream of rows.
struct RowStream: Sendable {
  let begin: @Sendable () -> () async throws -> [Value]?
}

/// Rows as lines of JSON, in chunks of some hundreds: the result of a read row by row.
struct EncodedRows: Sendable {
  private(set) var count = 0
  private(set) var chunks: [[UInt8]] = []
  private var last: [UInt8] = []

  /// The size in bytes from which a chunk is complete.
  static let chunkSize = 32_768

  mutating func append(_ row: [Value], as format: RowFormat) {
    if last.count >= Self.chunkSize {
      chunks.append(last)
      last = []
    }
    // Most results end before that.
    if last.isEmpty, !chunks.isEmpty { last.reserveCapacity(Self.chunkSize + 4_096) }
    format.append(row, to: &last)
    last.append(UInt8(ascii: "\n"))
    count += 1
  }

  /// All chunks, including the last one.
  var all: [[UInt8]] { last.isEmpty ? chunks : chunks + [last] }
}

/// The rows of a repository, converted from and to its elements.
struct ElementRows<Element: Storable>: RouteRows {
  let repository: any Repository<Element>
  let schema: Schema<Element>
  let table: TableSchema

  func find(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await repository.findRows(request)
  }

  func encode(_ request: ProjectionRequest, as format: RowFormat) async throws(RepositoryError) -> EncodedRows? {
    let reading = (repository as? AnyRepository<Element>)?.rowReading ?? repository as? any RowReading
    return try await reading?.readRows(request, startingWith: EncodedRows()) { encoded, row in
      encoded.append(row, as: format)
    }
  }

  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await repository.count(query) }

  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await repository.aggregate(request)
  }

  func insert(_ rows: [[Value]], _ rule: ConflictRule?) async throws(RepositoryError) -> [[Value]] {
    let elements = try elements(of: rows)
    if let rule { return try self.rows(of: try await repository.insert(elements, onConflict: rule)) }
    return try self.rows(of: try await repository.insert(elements))
  }

  func save(_ rows: [[Value]]) async throws(RepositoryError) { try await repository.save(try elements(of: rows)) }

  func write(_ mode: WriteMode, _ rows: RowStream) async throws(RepositoryError) -> Int {
    try await repository.write(mode, from: ElementSource(Elements(rows: rows, source: self)), progress: nil)
  }

  func update(_ query: AnyQuery, _ assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await repository.update(where: query, set: assignments)
  }

  func updateReturning(_ query: AnyQuery, _ assignments: [Assignment]) async throws(RepositoryError) -> [[Value]] {
    try rows(of: try await repository.updateReturning(where: query, set: assignments))
  }

  func delete(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await repository.delete(where: query) }

  func deleteReturning(_ query: AnyQuery) async throws(RepositoryError) -> [[Value]] {
    try rows(of: try await repository.deleteReturning(where: query))
  }

  func deleteTogether(_ queries: [AnyQuery]) async throws(RepositoryError) -> Int {
    var ids: [Element.ID] = []
    for query in queries { ids += try await repository.findAll(FetchRequest(query)).map(\.id) }
    return try await repository.delete(ids)
  }

  func liveResults(_ request: FetchRequest, _ body: ([[Value]]) async -> Bool) async throws(RepositoryError) {
    var results = repository.changes(request).makeAsyncIterator()
    while let elements = try await results.next() {
      guard await body(try rows(of: elements)) else { return }
    }
  }

  private func rows(of elements: [Element]) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    rows.reserveCapacity(elements.count)
    for element in elements { rows.append(try schema.row(from: element, in: table)) }
    return rows
  }

  private func elements(of rows: [[Value]]) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for row in rows { elements.append(try element(of: row)) }
    return elements
  }

  fileprivate func element(of row: [Value]) throws(RepositoryError) -> Element {
    do throws(RepositoryError) {
      return try schema.element(from: row, in: table)
    } catch {
      guard error.code == .unreadableRow else { throw error }
      // The stored value is valid: the client has sent one that the model type refuses.
      let fault = error.underlying as? ColumnError
      throw RepositoryError(
        .invalidValue, "an element has a value that the property can't store",
        reason: fault.map { "\($0.column.map { "\($0): " } ?? "")\($0.error.summary)" },
        suggestion: fault?.error.suggestion)
    }
  }

  /// A stream of elements.
  private struct Elements: AsyncSequence {
    let rows: RowStream
    let source: ElementRows

    func makeAsyncIterator() -> Iterator { Iterator(next: rows.begin(), source: source) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let next: () async throws -> [Value]?
      fileprivate let source: ElementRows

      mutating func next() async throws -> Element? {
        guard let row = try await next() else { return nil }
        return try source.element(of: row)
      }
    }
  }
}
