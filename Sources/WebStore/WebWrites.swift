#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Query
public import Repository
import Synchronization

// Each write has an idempotency key, so that one whose answer was lost can be sent again, and is done once.
extension WebRepository {
  /// Saves elements, all or none: `PUT /pokemon`.
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    if elements.isEmpty { return }
    _ = try await connection.exchange(writing("PUT", elements)) { response throws(RepositoryError) in
      try await connection.readCount(response)
    }
  }

  /// Inserts elements, all or none: `POST /pokemon`.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    if elements.isEmpty { return [] }
    return try await readElements(of: writing("POST", elements))
  }

  /// Inserts elements, and applies a rule to those that conflict with existing rows: `POST /pokemon?conflict=ignore`.
  @discardableResult
  public func insert(
    _ elements: [Element], onConflict rule: ConflictRule
  ) async throws(RepositoryError) -> [Element] {
    _ = try table.resolve(rule)
    let item = URLQueryItem(
      name: "conflict", value: rule.columnNames.map { "update:" + $0.joined(separator: ",") } ?? "ignore")
    let request = try writing("POST", elements, items: [item])
    if elements.isEmpty { return [] }
    return try await readElements(of: request)
  }

  /// Deletes the elements with the given keys, all or none: `POST /pokemon:delete`.
  @discardableResult
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    var keys: [[Value]] = []
    for id in ids { keys.append(try table.key(id)) }
    if keys.isEmpty { return 0 }
    return try await affectedCount(.delete, coding { () throws(JSONCodingError) in try DeleteBody(.keys(keys)).json })
  }

  /// Deletes all elements that match a query, all or none.
  @discardableResult
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    let query = try sent(query)
    return try await affectedCount(.delete, coding { () throws(JSONCodingError) in try DeleteBody(.query(query)).json })
  }

  /// Deletes all elements that match a query, all or none, and returns them.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    let query = try sent(query)
    let json = try coding { () throws(JSONCodingError) in try DeleteBody(.query(query), returnsRows: true).json }
    return try await readElements(of: once(post(.delete, json, accept: MediaType.lines)))
  }

  /// Updates columns of all elements that match a query, all or none: `POST /pokemon:update`.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await affectedCount(.update, try update(query, assignments, returnsRows: false))
  }

  /// Updates columns of all elements that match a query, all or none, and returns these elements.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    let json = try update(query, assignments, returnsRows: true)
    return try await readElements(of: once(post(.update, json, accept: MediaType.lines)))
  }

  private func update(
    _ query: AnyQuery, _ assignments: [Assignment], returnsRows: Bool
  ) throws(RepositoryError) -> String {
    let query = try sent(query)
    if !assignments.needOtherTables { _ = try table.resolve(assignments) }
    let sentAssignments = assignments.map { $0.renamingTables(routeName) }
    return try coding { () throws(JSONCodingError) in
      try UpdateBody(query, sentAssignments, returnsRows: returnsRows).json
    }
  }

  /// Sends a write that names its rows in JSON, and returns how many it affected.
  private func affectedCount(_ verb: Verb, _ json: String) async throws(RepositoryError) -> Int {
    try await connection.exchange(once(post(verb, json, accept: MediaType.json))) { response throws(RepositoryError) in
      try await connection.readCount(response)
    }
  }

  private func writing(
    _ method: String, _ elements: [Element], items: [URLQueryItem] = []
  ) throws(RepositoryError) -> WebRequest {
    var lines: [UInt8] = []
    for element in elements { try append(element, to: &lines) }
    return once(
      WebRequest(
        method, WebTarget.text(path: [route], items: items),
        headers: ["Accept": "\(MediaType.lines), \(MediaType.json)", "Content-Type": MediaType.lines],
        body: WebBody(lines)))
  }

  private func append(_ element: Element, to lines: inout [UInt8]) throws(RepositoryError) {
    format.append(try schema.row(from: element, in: table), to: &lines)
    lines.append(UInt8(ascii: "\n"))
  }

  /// Returns a write that is done once, however often it is sent.
  func once(_ request: WebRequest) -> WebRequest {
    var request = request
    request.headers[HeaderName.idempotencyKey] = UUID().uuidString
    return request
  }
}

// Sequences.
extension WebRepository {
  /// Writes elements in the order in which they arrive, all or none: the body of one request, a few kilobytes of it at a time.
  @discardableResult
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    let channel = ByteChannel()
    let request = once(
      WebRequest(
        mode == .insert ? "POST" : "PUT", WebTarget.text(path: [route]),
        headers: ["Accept": MediaType.json, "Content-Type": MediaType.lines, "Prefer": "return=minimal"],
        body: WebBody(channel)))
    let answer = Task { [connection] () async -> Result<Int, RepositoryError> in
      // There is no reader after the answer, whatever it is.
      defer { channel.abandon() }
      do throws(RepositoryError) {
        return .success(try await connection.readCount(try await connection.send(request)))
      } catch {
        return .failure(error)
      }
    }
    do throws(RepositoryError) {
      var meter = ProgressMeter(total: elements.total, progress)
      var chunk: [UInt8] = []
      while let element = try await elements.next() {
        try append(element, to: &chunk)
        try meter.advance()
        guard chunk.count > 16_384 else { continue }
        guard await channel.send(chunk) else { break }
        chunk = []
      }
      if Task.isCancelled { throw .cancelled }
      if !chunk.isEmpty { _ = await channel.send(chunk) }
      channel.finish()
      let count = try await withTaskCancellationHandler {
        await answer.value
      } onCancel: {
        answer.cancel()
      }.get()
      meter.finish()
      return count
    } catch {
      // The server detects that the body is interrupted, and keeps nothing of it.
      channel.finish(throwing: error)
      answer.cancel()
      _ = await answer.value
      throw Task.isCancelled ? .cancelled : error
    }
  }
}
