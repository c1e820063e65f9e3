import Query
import Repository

// Saving: an element that exists keeps the values of columns that are not sent, or not written by clients.
extension Exchange {
  func saveAll() async throws(Refusal) -> WebResponse {
    try refuseItems()
    let type = try requireContentType([MediaType.json, MediaType.lines])
    if type == MediaType.lines {
      if !readsFirst { return try await stream(.save) }
      if service.transactions != nil { return try await saveLines() }
    }
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

  /// Saves lines in the order in which they arrive, all or none: the elements that exist are read first.
  private func saveLines() async throws(Refusal) -> WebResponse {
    try await atomically { () async throws(Refusal) in
      countResponse(try await writeLines { bodies throws(Refusal) in try await save(bodies) })
    }
  }

  /// Writes lines in the order in which they arrive, some at a time.
  ///
  /// - Returns: the number of lines.
  func writeLines(_ write: ([[Value?]]) async throws(Refusal) -> Void) async throws(Refusal) -> Int {
    var lines = BodyLines(request.body, service.limits)
    var (count, size): (Int, Int) = (0, 0)
    var bodies: [[Value?]] = []
    while let line = try await Self.next(&lines) {
      bodies.append(try body(ofLine: line))
      (count, size) = (count + 1, size + line.count)
      if size < EncodedRows.chunkSize { continue }
      try await write(bodies)
      (bodies, size) = ([], 0)
    }
    if !bodies.isEmpty { try await write(bodies) }
    return count
  }

  private static func next(_ lines: inout BodyLines) async throws(Refusal) -> ArraySlice<UInt8>? {
    do {
      return try await lines.next()
    } catch let error as BodyTooLarge {
      throw .tooLarge(error.limit)
    } catch {
      throw brokenBody
    }
  }

  /// Returns whether all columns of the elements are replaced.
  private func areWhole(_ bodies: [[Value?]]) -> Bool {
    route.writesWholeRows && !bodies.contains { $0.contains { $0 == nil } }
  }

  /// Saves elements, some of which may exist: columns that are not sent keep their values.
  private func save(_ bodies: [[Value?]]) async throws(Refusal) {
    let newRows = NewRows(for: self)
    try requireChecks(newRows)
    var fresh: [[Value]] = []
    for body in bodies { fresh.append(try newRows.row(of: body)) }
    if areWhole(bodies), condition == .true {
      return try await translatingStoreErrors { () throws(RepositoryError) in try await route.rows.save(fresh) }
    }
    try requireKeys("give all fields of each element, or insert the elements")
    let keys = fresh.map { row in route.table.primaryKey.map { row[$0] } }
    var known: [[Value]: [Value]] = [:]
    for row in try await rows(with: keys, in: route.table.primaryKey) {
      known[route.table.primaryKey.map { row[$0] }] = row
    }
    var (saved, inserted): ([[Value]], [[Value]]) = ([], [])
    for (body, (row, key)) in zip(bodies, zip(fresh, keys)) {
      if let old = known[key] {
        saved.append(try newRows.row(of: body, over: old))
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
    let new = try await translatingStoreErrors { () throws(RepositoryError) in
      let new = inserted.isEmpty ? [] : try await route.rows.insert(inserted, nil)
      if !saved.isEmpty { try await route.rows.save(saved) }
      return new
    }
    try await checkWritten(saved + new, newRows)
  }
}
