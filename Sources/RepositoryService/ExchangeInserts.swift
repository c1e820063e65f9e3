#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

// Inserting and saving.
extension Exchange {
  func insert() async throws(Refusal) -> WebResponse {
    let rule = try conflictRule()
    let type = try requireContentType([MediaType.json, MediaType.lines])
    let isMinimal = prefersMinimal
    if type == MediaType.lines, isMinimal, rule == nil { return try await stream(.insert) }
    let (bodies, isArray) = try await sentRows(type)
    let rows = try NewRows(for: self).complete(bodies)
    let kept = try await translatingStoreErrors { () throws(RepositoryError) in try await route.rows.insert(rows, rule)
    }
    if isMinimal { return countResponse(kept.count, status: 201) }
    let visible = kept.map(visibleValues)
    if isArray || type == MediaType.lines { return lines(visible, route.visibleFormat, status: 201) }
    guard let row = visible.first else { return WebResponse(201) }
    var response = completeResponse(json(row), MediaType.json, status: 201)
    let path = route.table.primaryKey.map { kept[0][$0] }.map(Self.segment)
    if !path.isEmpty, !path.contains(where: { ["", ".", ".."].contains($0) }) {
      response.headers["Location"] = WebTarget.text(path: [route.name] + path)
    }
    return response
  }

  /// Whether the client only wants the number of written elements (RFC 7240).
  private var prefersMinimal: Bool {
    request.headers.values("Prefer").joined(separator: ",").split(separator: ",").contains { preference in
      preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased() == "return=minimal"
    }
  }

  func saveAll() async throws(Refusal) -> WebResponse {
    try refuseItems()
    let type = try requireContentType([MediaType.json, MediaType.lines])
    if type == MediaType.lines, !readsFirst { return try await stream(.save) }
    let (bodies, _) = try await sentRows(type)
    return try await atomically(readsFirst || !areWhole(bodies)) { () async throws(Refusal) in
      try await save(bodies)
      return countResponse(bodies.count)
    }
  }

  func save(_ key: [Value]) async throws(Refusal) -> WebResponse {
    try refuseItems()
    let type = try requireContentType([MediaType.json])
    var (bodies, _) = try await sentRows(type)
    guard bodies.count == 1 else { throw Refusal(JSONCodingError(.typeMismatch, "expected one object")) }
    for (position, value) in zip(route.table.primaryKey, key) {
      let place = route.bodyPositions.firstIndex(of: position) ?? 0
      if let sent = bodies[0][place], sent != value {
        throw Refusal(JSONCodingError(.invalidValue, "the key of the element differs from the key in the URL"))
      }
      bodies[0][place] = value
    }
    return try await atomically { () async throws(Refusal) in
      try await checkVersion(key)
      try await save(bodies)
      guard let row = try await visibleRow(key) else { return WebResponse(204) }
      return completeResponse(json(row), MediaType.json)
    }
  }

  /// Writes lines in the order in which they arrive, all or none.
  private func stream(_ mode: WriteMode) async throws(Refusal) -> WebResponse {
    let failure = StreamFailure()
    let newRows = NewRows(for: self)
    let lines = RowStream { [request, service] in
      var chunks = request.body.makeAsyncIterator()
      var splitter = LineSplitter(limit: service.limits.bodyBytes)
      var (count, isOver) = (0, false)
      return {
        do {
          while true {
            if let line = try splitter.next() ?? (isOver ? splitter.rest() : nil) {
              if line.isEmpty { continue }
              return try self.row(ofLine: line, mode, newRows)
            }
            if isOver { return nil }
            if let chunk = try await chunks.next() {
              count += chunk.count
              if count > service.limits.streamBytes { throw BodyTooLarge(limit: service.limits.streamBytes) }
              splitter.append(chunk)
            } else {
              isOver = true
            }
          }
        } catch {
          failure.note(error)
          throw error
        }
      }
    }
    do throws(RepositoryError) {
      let count = try await route.rows.write(mode, lines)
      return countResponse(count, status: mode == .insert ? 201 : 200)
    } catch {
      if let refusal = failure.refusal { throw refusal }
      throw service.refusal(error, of: route)
    }
  }

  private func row(
    ofLine line: ArraySlice<UInt8>, _ mode: WriteMode, _ newRows: NewRows
  ) throws(Refusal) -> [Value] {
    let body = try translatingJSONErrors { () throws(JSONCodingError) in try route.bodyFormat.row(from: line) }
    // Existing elements are not read for a stream, so none of their values can be kept.
    let lacking = zip(route.bodyFormat.columns, body).first { $1 == nil && !$0.isGenerated }
    if mode == .save, let lacking {
      throw Refusal(
        JSONCodingError(
          .missingField, "a line lacks the field \(lacking.0.name)",
          suggestion: "give all fields in each line, or send an array, in which missing fields stay unchanged"))
    }
    return try newRows.complete(body)
  }

  /// The reason why a stream was interrupted on the way to the repository, which wraps it into its own errors.
  private final class StreamFailure: @unchecked Sendable {
    // Written and read only by the task that executes the request.
    private(set) var refusal: Refusal?

    func note(_ error: any Error) {
      switch error {
      case let known as Refusal: refusal = known
      case let large as BodyTooLarge: refusal = .tooLarge(large.limit)
      default: refusal = Exchange.brokenBody
      }
    }
  }

  private func conflictRule() throws(Refusal) -> ConflictRule? {
    try refuseItems(but: ["conflict"])
    guard let item = items.first(where: { $0.name == "conflict" }) else { return nil }
    let value = item.value ?? ""
    if value == "ignore" { return .ignore }
    let prefix = "update:"
    guard value.hasPrefix(prefix) else {
      throw Refusal(
        JSONCodingError(
          .invalidValue, "`conflict` accepts ignore and update", path: "conflict",
          suggestion: "write conflict=ignore, or conflict=update: and the names of unique columns, separated by commas")
      )
    }
    // It changes existing rows.
    if !route.writes.contains(.save) {
      throw Refusal(RepositoryError(.unsupported, "\(route.name) does not allow replacing elements"))
    }
    let rule = ConflictRule.update(by: value.dropFirst(prefix.count).split(separator: ",").map(String.init))
    _ = try translatingRequestErrors { () throws(RepositoryError) in try route.visible.resolve(rule) }
    if readsFirst {
      throw Refusal(
        RepositoryError(
          .unsupported, "\(route.name) does not allow updates on conflict, because the route shows only some rows"))
    }
    return rule
  }

  private func sentRows(_ type: String) async throws(Refusal) -> (rows: [[Value?]], isArray: Bool) {
    let bytes = try await bodyBytes(upTo: service.limits.bodyBytes)
    if type == MediaType.json {
      return try translatingJSONErrors { () throws(JSONCodingError) in try route.bodyFormat.rows(from: bytes) }
    }
    var rows: [[Value?]] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line != [UInt8(ascii: "\r")] {
      rows.append(try translatingJSONErrors { () throws(JSONCodingError) in try route.bodyFormat.row(from: line) })
    }
    return (rows, true)
  }

  /// Returns whether all columns of the elements are replaced.
  private func areWhole(_ bodies: [[Value?]]) -> Bool {
    route.bodyPositions.count == route.table.columns.count && !bodies.contains { $0.contains { $0 == nil } }
  }

  /// Saves elements, some of which may exist: columns that are not sent keep their values.
  private func save(_ bodies: [[Value?]]) async throws(Refusal) {
    let newRows = NewRows(for: self)
    var fresh: [[Value]] = []
    for body in bodies { fresh.append(try newRows.row(of: body)) }
    if areWhole(bodies), condition == .true {
      return try await translatingStoreErrors { () throws(RepositoryError) in try await route.rows.save(fresh) }
    }
    try requireKeys("give all fields of each element, or insert the elements")
    let keys = fresh.map { row in route.table.primaryKey.map { row[$0] } }
    var known: [[Value]: [Value]] = [:]
    for query in route.table.queries(forKeys: keys.filter { !$0.contains(where: \.isNull) }) {
      let rows = try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.find(
          ProjectionRequest(route.table.columns.map { .key($0.name) }, of: FetchRequest(narrowed(query))))
      }
      for row in rows { known[route.table.primaryKey.map { row[$0] }] = row }
    }
    var (saved, inserted): ([[Value]], [[Value]]) = ([], [])
    for (body, (row, key)) in zip(bodies, zip(fresh, keys)) {
      if let old = known[key] {
        saved.append(try route.stored(body, over: old))
      } else if condition == .true {
        saved.append(row)
      } else {
        // An element that does not exist for this request is not overwritten, for example another client's or a soft-deleted one.
        inserted.append(row)
      }
    }
    try newRows.check(saved + inserted)
    if !saved.isEmpty, !inserted.isEmpty, service.transactions == nil {
      throw Refusal(
        RepositoryError(
          .unsupported, "can't save new and existing elements together",
          reason: "the service has no store with transactions for both", suggestion: "save the elements one by one"))
    }
    try await translatingStoreErrors { () throws(RepositoryError) in
      if !inserted.isEmpty { _ = try await route.rows.insert(inserted, nil) }
      if !saved.isEmpty { try await route.rows.save(saved) }
    }
  }
}
