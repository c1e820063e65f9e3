#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Query
public import Repository

/// A repository of the elements of a server's route.
///
/// A request is checked here before it is sent, so that an invalid one is refused without a server; paths to other tables
/// are checked by the server.
public struct WebRepository<Element: Storable>: Repository {
  let connection: WebConnection
  let schema: Schema<Element>
  /// The table with the names of routes.
  let table: TableSchema
  /// The table as the client's schema names it.
  private let declared: TableSchema
  let route: String
  let format: RowFormat

  init(_ connection: WebConnection, _ schema: Schema<Element>, route: String) throws(RepositoryError) {
    (self.connection, self.schema, self.route) = (connection, schema, route)
    let declared = try schema.table()
    self.declared = declared
    let routes = connection.options.routes
    table = try RepositoryError.translating { () throws(QueryError) in
      try declared.renamingTables { Name($0) == declared.name ? route : routes[$0] ?? $0 }
    }
    format = RowFormat(table.columns, ignoringOthers: true)
  }

  /// Finds the element with a key: `GET /pokemon/6`.
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    let key = try table.key(id)
    guard let path = Self.path(of: key) else {
      return try await findAll(FetchRequest(table.query(forKey: key), limit: 1)).first
    }
    let request = WebRequest(
      "GET", WebTarget.text(path: [route] + path), headers: ["Accept": MediaType.json])
    do throws(RepositoryError) {
      return try await connection.exchange(request) { response throws(RepositoryError) in
        try element(of: try values(of: try await connection.body(of: response)[...]))
      }
    } catch {
      // Not if something other than a service reports that there is nothing.
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Finds all elements that match a request: `GET /pokemon?where=…`, decoded as they arrive.
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    return try await readElements(of: try message(.find, try sent(request)))
  }

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  public func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    let request = try sent(request)
    var unreadable: [UnreadableRow] = []
    let found: [Element?] = try await rows(of: try message(.find, request)) { values, number throws(RepositoryError) in
      // A request that is sent again starts from the beginning.
      if number == 1 { unreadable = [] }
      return try schema.coder.element(from: ValueRow(values), in: table, at: number, orAddingTo: &unreadable)
    }
    return PartialResult(elements: found.compactMap(\.self), unreadable: unreadable)
  }

  /// Counts the elements that match a query: `GET /pokemon:count?where=…`.
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    let request = try sent(FetchRequest(query))
    return try await connection.exchange(try message(.count, request)) { response throws(RepositoryError) in
      try await connection.readCount(response)
    }
  }

  /// Computes aggregates on the server: `POST /pokemon:aggregate`.
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    if !request.needsOtherTables { _ = try table.resolve(request) }
    let json = try coding { () throws(JSONCodingError) in try request.renamingTables(routeName).json }
    let keyCount = request.groupKeys.count
    return try await values(.aggregate, json, count: keyCount + request.aggregates.count).map { values in
      AggregateRow(keys: Array(values[..<keyCount]), aggregates: Array(values[keyCount...]))
    }
  }

  /// Finds some columns, and computed expressions of each element: `POST /pokemon:project`.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    var request = request
    request.rows = request.rows.movingCursors(from: declared, to: table)
    if !request.needsOtherTables { _ = try table.resolve(request) }
    let json = try coding { () throws(JSONCodingError) in try request.renamingTables(routeName).json }
    return try await values(.project, json, count: request.columns.count)
  }
}

// Requests.
extension WebRepository {
  /// Returns a request with the names of routes and the cursors of the route, checked as far as possible without the server.
  func sent(_ request: FetchRequest) throws(RepositoryError) -> FetchRequest {
    let request = request.movingCursors(from: declared, to: table)
    if !request.needsOtherTables { _ = try table.resolve(request) }
    return request.renamingTables(routeName)
  }

  /// Returns a query with the names of routes, checked as far as possible without the server.
  func sent(_ query: AnyQuery) throws(RepositoryError) -> AnyQuery {
    if !query.needsOtherTables { _ = try table.resolve(query) }
    return query.renamingTables(routeName)
  }

  /// Returns the name of the route that a request names for one of the client's tables.
  func routeName(_ table: String) -> String {
    Name(table) == declared.name ? route : connection.options.routes[table] ?? table
  }

  /// Returns a request as a GET, or as a POST if it is long.
  func message(_ verb: Verb, _ request: FetchRequest, accept: String? = nil) throws(RepositoryError) -> WebRequest {
    let accept = accept ?? (verb == .count ? MediaType.json : MediaType.lines)
    let name = verb == .find ? route : "\(route):\(verb.rawValue)"
    let items = try coding { () throws(JSONCodingError) in try request.queryItems }
    // Escapes make an item at most three times as long.
    if items.reduce(0, { $0 + ($1.value?.utf8.count ?? 0) }) <= connection.options.targetBytes {
      let target = WebTarget.text(path: [name], items: items)
      if target.utf8.count <= connection.options.targetBytes {
        return WebRequest("GET", target, headers: ["Accept": accept])
      }
    }
    return post(verb, try coding { () throws(JSONCodingError) in try request.json }, accept: accept)
  }

  func post(_ verb: Verb, _ json: String, accept: String) -> WebRequest {
    WebRequest(
      "POST", WebTarget.text(path: ["\(route):\(verb.rawValue)"]),
      headers: ["Accept": accept, "Content-Type": MediaType.json], body: WebBody(Array(json.utf8)))
  }

  func coding<Form>(_ make: () throws(JSONCodingError) -> Form) throws(RepositoryError) -> Form {
    do throws(JSONCodingError) {
      return try make()
    } catch {
      throw RepositoryError(
        .invalidQuery, error.summary, reason: error.reason, suggestion: error.suggestion, underlying: error)
    }
  }

  /// Returns the segments of an address for a key; `nil` for a key that an intermediary may confuse with another one.
  static func path(of key: [Value]) -> [String]? {
    var path: [String] = []
    for value in key {
      switch value {
      case .integer(let integer): path.append("\(integer)")
      case .text(let text) where !text.isEmpty && text.utf8.allSatisfy(isPlain): path.append(text)
      default: return nil
      }
    }
    return path
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

// Answers.
extension WebRepository {
  /// Sends a request and makes a result from each row of the answer.
  func rows<Form>(
    of request: WebRequest, _ make: ([Value], _ number: Int) throws(RepositoryError) -> Form
  ) async throws(RepositoryError) -> [Form] {
    try await connection.exchange(request) { response throws(RepositoryError) in
      var made: [Form] = []
      try await connection.lines(response) { line throws(RepositoryError) in
        made.append(try make(try values(of: line), made.count + 1))
      }
      return made
    }
  }

  /// Sends a request and makes an element from each row of the answer.
  func readElements(of request: WebRequest) async throws(RepositoryError) -> [Element] {
    try await rows(of: request) { values, number throws(RepositoryError) in try element(of: values, at: number) }
  }

  private func values(_ verb: Verb, _ json: String, count: Int) async throws(RepositoryError) -> [[Value]] {
    try await connection.exchange(post(verb, json, accept: MediaType.lines)) { response throws(RepositoryError) in
      var rows: [[Value]] = []
      try await connection.lines(response) { line throws(RepositoryError) in
        do throws(JSONCodingError) {
          let values = try RowFormat.values(from: line)
          if values.count != count {
            throw JSONCodingError(.malformed, "a row has \(values.count) values, not \(count)")
          }
          rows.append(values)
        } catch {
          throw WebConnection.unreadable(error.summary)
        }
      }
      return rows
    }
  }

  /// Returns the values of the table's columns in an encoded row.
  func values(of line: ArraySlice<UInt8>) throws(RepositoryError) -> [Value] {
    let row: [Value?]
    do throws(JSONCodingError) {
      row = try format.row(from: line)
    } catch {
      throw WebConnection.unreadable(error.summary)
    }
    var values: [Value] = []
    values.reserveCapacity(row.count)
    for (position, value) in row.enumerated() {
      guard let value else {
        throw RepositoryError(
          .schemaMismatch, "the server does not show \(table.columns[position].name) of \(route)",
          suggestion: "remove the column from the schema, or make the column readable on the route")
      }
      values.append(value)
    }
    return values
  }

  func element(of values: [Value], at number: Int? = nil) throws(RepositoryError) -> Element {
    try schema.element(from: values, in: table, at: number)
  }
}
