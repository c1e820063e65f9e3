import Query
import Repository

extension Exchange {
  /// Answers a request that changes nothing.
  func read(_ resource: RouteResource) async throws(Refusal) -> WebResponse {
    switch resource {
    case .element(let segments): return try await element(try key(segments))
    case .collection, .verb(.find):
      let type = try negotiated([MediaType.json, MediaType.lines])
      let request = try await fetchRequest(limit: service.limits.queryBytes, and: ["columns"])
      return type == MediaType.json ? try await page(request) : try await wholeResult(request)
    case .verb(.count):
      _ = try negotiated([MediaType.json])
      let request = try await fetchRequest(limit: service.limits.queryBytes)
      let count = try await count(request)
      return completeResponse(Array("\(count)".utf8), MediaType.json)
    case .verb(.aggregate): return try await aggregate()
    case .verb(.project): return try await project()
    case .verb(.liveResults):
      _ = try negotiated([MediaType.events])
      return try liveResults(try await fetchRequest(limit: service.limits.queryBytes))
    case .verb(.update), .verb(.delete): throw notFound
    }
  }

  private func element(_ key: [Value]) async throws(Refusal) -> WebResponse {
    let type = try negotiated([MediaType.json])
    try refuseItems(but: ["columns"])
    let selected = try selectedColumns()
    guard let row = try await visibleRow(key) else { throw notFound }
    return completeResponse(json(row, selected), type)
  }

  /// Returns the visible columns of the row with a key, if it exists for this request.
  func visibleRow(_ key: [Value]) async throws(Refusal) -> [Value]? {
    let query = narrowed(route.table.query(forKey: key))
    return try await translatingStoreErrors { () throws(RepositoryError) in
      try await route.rows.find(ProjectionRequest(route.visibleColumns, of: FetchRequest(query, limit: 1))).first
    }
  }

  /// Returns a row as JSON.
  func json(_ row: [Value], _ selected: [Int]? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    format(selected).append(selected.map { positions in positions.map { row[$0] } } ?? row, to: &bytes)
    return bytes
  }

  func format(_ selected: [Int]?) -> RowFormat {
    selected.map { positions in RowFormat(positions.map { route.visible.columns[$0] }) } ?? route.visibleFormat
  }

  /// Returns a request for the visible columns, or some of them, of the rows that exist for this request.
  func projection(_ request: FetchRequest, _ selected: [Int]? = nil) -> ProjectionRequest {
    var request = route.stored(request)
    request.query = withCondition(request.query)
    return ProjectionRequest(selected?.map { route.visibleColumns[$0] } ?? route.visibleColumns, of: request)
  }

  private func wholeResult(_ asked: FetchRequest) async throws(Refusal) -> WebResponse {
    try translatingRequestErrors { () throws(RepositoryError) in
      try route.check(asked, service.limits)
      if asked.limit ?? .max > route.maximumPageSize { try route.allow(.wholeResults) }
    }
    let selected = try selectedColumns()
    var wanted = projection(asked, selected)
    // One more row shows whether there are too many.
    wanted.rows.limit = min(asked.limit ?? .max, route.maximumRowCount + 1)
    let format = format(selected)
    let request = wanted
    let encoded = try await translatingStoreErrors { () throws(RepositoryError) in
      try await route.rows.encode(request, as: format)
    }
    if let encoded {
      try checkCount(encoded.count)
      return lines(encoded)
    }
    let rows = try await translatingStoreErrors { () throws(RepositoryError) in try await route.rows.find(request) }
    try checkCount(rows.count)
    return lines(rows, format)
  }

  /// Returns rows, or throws if there are more than the route allows.
  private func bounded(
    _ limit: Int?, _ find: (_ limit: Int) async throws(RepositoryError) -> [[Value]]
  ) async throws(Refusal) -> [[Value]] {
    let rows = try await translatingStoreErrors { () throws(RepositoryError) in
      try await find(min(limit ?? .max, route.maximumRowCount + 1))
    }
    try checkCount(rows.count)
    return rows
  }

  /// Throws for a result with more rows than the route allows.
  private func checkCount(_ count: Int) throws(Refusal) {
    let maximum = route.maximumRowCount
    if count <= maximum { return }
    throw Refusal(
      RepositoryError(
        .tooBig, "the result has more than \(maximum) rows", suggestion: "request pages, or fewer rows"))
  }

  private func count(_ asked: FetchRequest) async throws(Refusal) -> Int {
    var plain = asked
    plain.query = .true
    if plain != FetchRequest() {
      throw Refusal(JSONCodingError(.unexpectedField, "a count accepts only a condition"))
    }
    try translatingRequestErrors { () throws(RepositoryError) in try route.check(asked.query, service.limits) }
    return try await translatingStoreErrors { () throws(RepositoryError) in
      try await route.rows.count(narrowed(asked.query))
    }
  }

  /// Returns a client's query for the rows that exist for this request, as one of the repository.
  func narrowed(_ query: AnyQuery) -> AnyQuery { withCondition(route.stored(query)) }

  /// Returns a query of the repository for the rows that exist for this request.
  func withCondition(_ query: AnyQuery) -> AnyQuery { condition == .true ? query : query && condition }

  private func aggregate() async throws(Refusal) -> WebResponse {
    _ = try negotiated([MediaType.lines])
    try refuseItems()
    let json = try await jsonBody(upTo: service.limits.queryBytes)
    var asked = try translatingJSONErrors { () throws(JSONCodingError) in try AggregateRequest(json: json) }
      .renamingTables(route.known)
    try translatingRequestErrors { () throws(RepositoryError) in try route.check(asked, service.limits) }
    asked = route.stored(asked)
    asked.query = withCondition(asked.query)
    let rows = try await bounded(asked.limit) { limit throws(RepositoryError) in
      var wanted = asked
      wanted.limit = limit
      return try await route.rows.aggregate(wanted).map { $0.keys + $0.aggregates }
    }
    return lines(rows, nil)
  }

  private func project() async throws(Refusal) -> WebResponse {
    _ = try negotiated([MediaType.lines])
    try refuseItems()
    let json = try await jsonBody(upTo: service.limits.queryBytes)
    var asked = try translatingJSONErrors { () throws(JSONCodingError) in try ProjectionRequest(json: json) }
      .renamingTables(route.known)
    // A name of the result may be that of a hidden column: the repository must not interpret it as that column.
    asked = asked.withMeaningsOfNames(in: route.visible)
    asked.rows = asked.rows.movingCursors(from: route.visible, to: route.visible)
    try translatingRequestErrors { () throws(RepositoryError) in
      try route.check(asked, service.limits)
      if asked.rows.limit ?? .max > route.maximumPageSize { try route.allow(.wholeResults) }
    }
    asked = route.stored(asked)
    asked.rows.query = withCondition(asked.rows.query)
    let rows = try await bounded(asked.rows.limit) { limit throws(RepositoryError) in
      var wanted = asked
      wanted.rows.limit = limit
      return try await route.rows.find(wanted)
    }
    return lines(rows, nil)
  }
}
