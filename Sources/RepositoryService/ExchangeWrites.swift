#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

extension Exchange {
  /// Executes a request that writes.
  func write(_ resource: RouteResource) async throws(Refusal) -> WebResponse {
    switch (resource, request.method) {
    case (.collection, "POST"): return try await insert()
    case (.collection, _): return try await saveAll()
    case (.element(let segments), "PUT"): return try await save(try key(segments))
    case (.element(let segments), "PATCH"): return try await update(try key(segments))
    case (.element(let segments), _): return try await delete(try key(segments))
    case (.verb(.update), _): return try await updateByQuery()
    case (.verb, _): return try await deleteByQuery()
    }
  }

  /// Runs a closure that reads before it writes in one transaction, if the service has a store.
  func atomically(
    _ isNeeded: Bool = true, _ body: () async throws(Refusal) -> WebResponse
  ) async throws(Refusal) -> WebResponse {
    guard isNeeded, let store = service.transactions else { return try await body() }
    do {
      return try await store.transaction { _ in try await body() }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw service.refusal(error as? RepositoryError ?? RepositoryError(translating: error), of: route)
    }
  }

  /// Whether existing values of a row have to be read before it is written.
  var readsFirst: Bool { condition != .true || !route.writesWholeRows }
}

// Conditions and versions.
extension Exchange {
  /// Throws if the elements have no keys by which they could be named.
  func requireKeys(_ suggestion: String) throws(Refusal) {
    if !route.table.primaryKey.isEmpty { return }
    throw Refusal(
      RepositoryError(
        .unsupported, "an element of \(route.name) has no URL", reason: "the elements have no keys",
        suggestion: suggestion))
  }

  /// Throws for assignments to columns that determine whether rows exist for this request.
  private func checkMayChange(_ assignments: [Assignment]) throws(Refusal) {
    if condition == .true { return }
    // A path may lead back to the table, so the names of all its columns count.
    var deciding: Set<Name> = []
    condition.forEachPart { part, _ in
      switch part.form {
      case .key(let key): deciding.insert(Name(key))
      case .path(let steps): deciding.formUnion(steps.map(Name.init))
      case .aggregate(_, _, let rows), .exists(let rows): deciding.formUnion(rows.columns.map(Name.init))
      case .value, .function, .conditional, .group, .invalid: break
      }
    }
    if !assignments.contains(where: { deciding.contains(Name($0.key)) }) { return }
    throw Refusal(RepositoryError(.forbidden, "the request sets a column that decides who may write the element"))
  }

  /// Returns the text of a part of a key in an address.
  static func segment(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes): Base64.text(bytes)
    }
  }
}

// Updating and deleting.
extension Exchange {
  private func update(_ key: [Value]) async throws(Refusal) -> WebResponse {
    try refuseItems()
    try requireContentType([MediaType.mergePatch, MediaType.json])
    let bytes = try await bodyBytes(upTo: service.limits.bodyBytes)
    let sent = try translatingJSONErrors { () throws(JSONCodingError) in
      try route.visibleFormat.row(from: bytes)
    }
    let assignments = zip(route.visible.columns, sent).compactMap { column, value in
      value.map { Assignment(column.name, $0) }
    }
    try translatingRequestErrors { () throws(RepositoryError) in try route.check(assignments) }
    try checkMayChange(assignments)
    return try await atomically { () async throws(Refusal) in
      try await checkVersion(key)
      let count = try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.update(narrowed(route.table.query(forKey: key)), assignments)
      }
      guard count > 0, let row = try await visibleRow(key) else { throw notFound }
      return completeResponse(json(row), MediaType.json)
    }
  }

  private func delete(_ key: [Value]) async throws(Refusal) -> WebResponse {
    try refuseItems()
    return try await atomically(namesVersion) { () async throws(Refusal) in
      try await checkVersion(key)
      let count = try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.delete(narrowed(route.table.query(forKey: key)))
      }
      if count == 0 { throw notFound }
      return WebResponse(204)
    }
  }

  private func updateByQuery() async throws(Refusal) -> WebResponse {
    try refuseItems()
    let json = try await jsonBody(upTo: service.limits.queryBytes)
    var body = try translatingJSONErrors { () throws(JSONCodingError) in try UpdateBody(json: json) }
    body.query = body.query.renamingTables(route.known)
    body.assignments = body.assignments.map { $0.renamingTables(route.known) }
    try translatingRequestErrors { () throws(RepositoryError) in
      try route.check(body.query, service.limits)
      try route.check(body.assignments)
    }
    try checkMayChange(body.assignments)
    let (query, assignments) = (narrowed(body.query), route.stored(body.assignments))
    if body.returnsRows {
      let rows = try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.updateReturning(query, assignments)
      }
      return lines(rows.map(visibleValues), route.visibleFormat)
    }
    return countResponse(
      try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.update(query, assignments)
      })
  }

  private func deleteByQuery() async throws(Refusal) -> WebResponse {
    try refuseItems()
    let json = try await jsonBody(upTo: service.limits.bodyBytes)
    let body = try translatingJSONErrors { () throws(JSONCodingError) in try DeleteBody(json: json) }
    switch body.rows {
    case .query(let query):
      let query = query.renamingTables(route.known)
      try translatingRequestErrors { () throws(RepositoryError) in try route.check(query, service.limits) }
      return try await delete([narrowed(query)], returnsRows: body.returnsRows)
    case .keys(let keys):
      try requireKeys("delete the elements by `where`")
      if keys.contains(where: { $0.count != route.table.primaryKey.count }) {
        throw Refusal(JSONCodingError(.invalidValue, "a key has the wrong number of values"))
      }
      let queries = keys.map { route.table.query(forKey: $0) }
      try translatingRequestErrors { () throws(RepositoryError) in
        for query in queries { _ = try route.visible.resolve(query) }
      }
      return try await delete(queries.map(narrowed), returnsRows: body.returnsRows)
    }
  }

  /// Deletes the rows of one query after another, all or none: a row that went with one before is not counted again.
  private func delete(_ queries: [AnyQuery], returnsRows: Bool) async throws(Refusal) -> WebResponse {
    try await atomically(queries.count > 1) { () async throws(Refusal) in
      if returnsRows {
        var rows: [[Value]] = []
        for query in queries {
          rows += try await translatingStoreErrors { () throws(RepositoryError) in
            try await route.rows.deleteReturning(query)
          }
        }
        return lines(rows.map(visibleValues), route.visibleFormat)
      }
      if queries.count > 1, service.transactions == nil {
        return countResponse(
          try await translatingStoreErrors { () throws(RepositoryError) in
            try await route.rows.deleteTogether(queries)
          })
      }
      var count = 0
      for query in queries {
        count += try await translatingStoreErrors { () throws(RepositoryError) in try await route.rows.delete(query) }
      }
      return countResponse(count)
    }
  }
}

extension TableSchema {
  /// Returns the queries for the rows with some keys: several if one would have more conditions than a store accepts.
  func queries(forKeys keys: [[Value]]) -> [AnyQuery] { queries(for: keys, in: primaryKey) }

  /// Returns the queries for the rows with some values in unique columns, as ``queries(forKeys:)`` does.
  func queries(for values: [[Value]], in columns: [Int]) -> [AnyQuery] {
    // Nothing has a key of no values.
    if columns.isEmpty || values.isEmpty { return [] }
    let names = columns.map { self.columns[$0].name }
    if names.count == 1 { return [.in(key: names[0], values: values.map { $0[0] })] }
    let size = max(1, 2_000 / names.count)
    return stride(from: 0, to: values.count, by: size).map { start in
      .any(
        of: values[start..<min(start + size, values.count)].map { values in
          .all(of: zip(names, values).map { .equal(key: $0, value: $1) })
        })
    }
  }
}
