#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import ErrorDetails
import Query
import Repository

/// A request to a route, with everything that its answer depends on.
struct Exchange: Sendable {
  let service: RepositoryService
  let route: RouteHandler
  private(set) var request: WebRequest
  let items: [URLQueryItem]
  /// The query that rows have to match to exist for the request.
  let condition: AnyQuery
  /// The values of the columns that the server fills, in the order of the route.
  let filled: [Value]
  let writes: WriteOperations

  /// A text that clients have in common if the same rows exist for them, and the server fills the same values.
  var scope: String {
    var values: [UInt8] = []
    RowFormat.append(array: filled, to: &values)
    return "\(String(decoding: values, as: UTF8.self))\n\(condition)"
  }

  /// Returns the same exchange with another body of its request that has the same bytes.
  func with(_ request: WebRequest) -> Exchange {
    var exchange = self
    exchange.request = request
    return exchange
  }

  /// Runs a part of the exchange in which the repository may throw, whose errors become refusals without hidden details.
  func translatingStoreErrors<Result>(_ body: () async throws(RepositoryError) -> Result) async throws(Refusal)
    -> Result
  {
    do throws(RepositoryError) {
      return try await body()
    } catch {
      throw service.refusal(error, of: route)
    }
  }

  /// Runs a check of the client's request, whose errors are returned to the client unchanged.
  func translatingRequestErrors<Result>(_ body: () throws(RepositoryError) -> Result) throws(Refusal) -> Result {
    do throws(RepositoryError) {
      return try body()
    } catch {
      throw Refusal(error)
    }
  }

  /// Runs a part of the exchange that reads JSON, whose errors become refusals.
  func translatingJSONErrors<Form>(_ body: () throws(JSONCodingError) -> Form) throws(Refusal) -> Form {
    do throws(JSONCodingError) {
      return try body()
    } catch {
      throw Refusal(error)
    }
  }

  /// Returns the request in the items of the address, or in the body of a POST.
  ///
  /// - Parameter others: further items that the address may have.
  func fetchRequest(limit: Int, and others: [String] = []) async throws(Refusal) -> FetchRequest {
    if request.method == "POST" {
      try refuseItems(but: others)
      let json = try await jsonBody(upTo: limit)
      return known(try translatingJSONErrors { () throws(JSONCodingError) in try FetchRequest(json: json) })
    }
    try refuseItems(but: ["where", "sort", "limit", "offset", "after", "before"] + others)
    return known(try translatingJSONErrors { () throws(JSONCodingError) in try FetchRequest(queryItems: items) })
  }

  /// Returns a request with the names of routes, and the cursors, by which it is checked.
  private func known(_ request: FetchRequest) -> FetchRequest {
    request.movingCursors(from: route.visible, to: route.visible).renamingTables(route.known)
  }

  /// Throws for items of an address that are not used.
  func refuseItems(but known: [String] = []) throws(Refusal) {
    guard let other = items.first(where: { !known.contains($0.name) }) else { return }
    let takes = known.isEmpty ? nil : "the request accepts \(known.joined(separator: ", "))"
    throw Refusal(
      JSONCodingError(
        .unexpectedField, "unknown item \(VisibleText.excerpt(of: Array(other.name.utf8)[...]))",
        suggestion: NearestName.nearest(to: other.name, in: known).map { "did you mean \($0)?" } ?? takes))
  }

  /// Returns the requested columns, as positions among those that are visible.
  func selectedColumns() throws(Refusal) -> [Int]? {
    guard let item = items.first(where: { $0.name == "columns" }) else { return nil }
    var positions: [Int] = []
    for name in (item.value ?? "").split(separator: ",", omittingEmptySubsequences: false) {
      let position = try translatingRequestErrors { () throws(RepositoryError) in
        return try RepositoryError.translating { () throws(QueryError) in try route.visible.position(of: String(name)) }
      }
      // Readers interpret an object with a repeated field differently (RFC 8259, section 4).
      if positions.contains(position) {
        throw Refusal(JSONCodingError(.invalidValue, "the request names column \(name) twice", path: "columns"))
      }
      positions.append(position)
    }
    return positions
  }

  /// Returns the body as a JSON text.
  func jsonBody(upTo limit: Int, types: [String] = [MediaType.json]) async throws(Refusal) -> String {
    try requireContentType(types)
    let bytes = try await bodyBytes(upTo: limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Refusal(JSONCodingError(.malformed, "the body is not UTF-8"))
    }
    return text
  }

  func bodyBytes(upTo limit: Int) async throws(Refusal) -> [UInt8] {
    if let length = request.headers["Content-Length"].flatMap({ Int($0) }), length > limit { throw .tooLarge(limit) }
    do {
      return try await request.body.collect(upTo: limit)
    } catch is BodyTooLarge {
      throw .tooLarge(limit)
    } catch {
      throw Self.brokenBody
    }
  }

  static var brokenBody: Refusal {
    Refusal(400, .cancelled, "the body ended early", suggestion: "send the request again")
  }

  /// - Returns: the declared type of the body; the first one if it declares none.
  @discardableResult
  func requireContentType(_ types: [String]) throws(Refusal) -> String {
    if let encoding = request.headers["Content-Encoding"], encoding.lowercased() != "identity" {
      throw Refusal(
        415, .unsupported, "the service does not support content encodings",
        suggestion: "send the body without a content encoding")
    }
    guard let type = request.headers.mediaType("Content-Type") else { return types[0] }
    if types.contains(type) { return type }
    throw Refusal(
      415, .unsupported, "the server can't read a body of this type",
      suggestion: "send \(types.joined(separator: " or "))",
      headers: ["Accept": types.joined(separator: ", ")])
  }

  /// Returns the media type of the answer.
  func negotiated(_ types: [String]) throws(Refusal) -> String {
    if let type = MediaType.preferred(of: types, by: request.headers.values("Accept")) { return type }
    throw Refusal(
      406, .unsupported, "the server has no answer of an accepted type",
      suggestion: "accept \(types.joined(separator: " or "))")
  }

  /// Returns the values of the key in the segments of an address.
  func key(_ segments: [String]) throws(Refusal) -> [Value] {
    let columns = route.table.primaryKeyColumns
    var key: [Value] = []
    for (column, segment) in zip(columns, segments) {
      let value: Value? =
        switch column.type {
        case .integer: segment.hasPrefix("+") ? nil : Int64(segment).map(Value.integer)
        case .real: Double(segment).flatMap { $0.isNaN ? nil : .real($0) }
        case .text, .any: .text(segment)
        case .blob: Base64.bytes(forText: segment).map(Value.blob)
        }
      guard let value, (try? column.stored(value)) != nil else { throw notFound }
      key.append(value)
    }
    if segments.count != columns.count { throw notFound }
    return key
  }

  var notFound: Refusal {
    Refusal(RepositoryError(.notFound, "\(route.name) has no element with this key"))
  }

  /// Returns the values of a row that clients see.
  func visibleValues(_ row: [Value]) -> [Value] { route.showsAll ? row : route.positions.map { row[$0] } }
}

extension Exchange {
  /// Returns a response with a complete body: with its version, and without its body if the client already has it.
  func completeResponse(_ bytes: [UInt8], _ type: String, status: Int = 200, headers: WebHeaders = [:]) -> WebResponse {
    var headers = headers
    let tag = EntityTag(of: bytes)
    headers.append("ETag", tag.text)
    headers.append("Cache-Control", "private, no-cache")
    headers.append("Vary", "Accept, Authorization")
    let isRead = request.method == "GET" || request.method == "HEAD"
    if isRead, tag.isNamed(in: request.headers["If-None-Match"], weakly: true) {
      return WebResponse(304, headers: headers)
    }
    headers.append("Content-Type", type)
    return WebResponse(status, headers: headers, body: WebBody(bytes))
  }

  /// Returns a response that consists of a count.
  func countResponse(_ count: Int, status: Int = 200) -> WebResponse {
    WebResponse(status, headers: ["Content-Type": MediaType.json], body: WebBody(Array("\(count)".utf8)))
  }

  /// Returns rows as lines: some hundreds at a time, or all at once with a version if they are few.
  func lines(_ rows: [[Value]], _ format: RowFormat?, status: Int = 200) -> WebResponse {
    @Sendable func chunk(from next: inout Int) -> [UInt8] {
      var chunk: [UInt8] = []
      chunk.reserveCapacity(next == 0 ? 0 : EncodedRows.chunkSize + 4_096)
      while next < rows.count, chunk.count < EncodedRows.chunkSize {
        if let format { format.append(rows[next], to: &chunk) } else { RowFormat.append(array: rows[next], to: &chunk) }
        chunk.append(UInt8(ascii: "\n"))
        next += 1
      }
      return chunk
    }
    var count = 0
    let first = chunk(from: &count)
    return lines(rows.count, status: status, whole: count == rows.count ? first : nil) {
      var next = 0
      return { next == rows.count ? nil : chunk(from: &next) }
    }
  }

  /// Returns lines that were written as their rows were read.
  func lines(_ rows: EncodedRows) -> WebResponse {
    let chunks = rows.all
    return lines(rows.count, whole: chunks.count > 1 ? nil : chunks.first ?? []) {
      var next = 0
      return {
        if next == chunks.count { return nil }
        next += 1
        return chunks[next - 1]
      }
    }
  }

  private func lines(
    _ count: Int, status: Int = 200, whole: [UInt8]?, chunks: @escaping @Sendable () -> () async throws -> [UInt8]?
  ) -> WebResponse {
    let headers: WebHeaders = [HeaderName.rowCount: "\(count)"]
    if let whole { return completeResponse(whole, MediaType.lines, status: status, headers: headers) }
    var response = WebResponse(status, headers: headers, body: WebBody(chunks: chunks))
    response.headers["Content-Type"] = MediaType.lines
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}
