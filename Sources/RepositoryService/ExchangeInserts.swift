#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

// Inserting, and streams of elements.
extension Exchange {
  func insert() async throws(Refusal) -> WebResponse {
    let rule = try conflictRule()
    let type = try requireContentType([MediaType.json, MediaType.lines])
    let newRows = NewRows(for: self)
    try requireChecks(newRows)
    if type == MediaType.lines, prefersMinimal, rule == nil {
      if !newRows.areCheckedAfterwards { return try await stream(.insert) }
      return try await atomically { () async throws(Refusal) in
        let count = try await writeLines { bodies throws(Refusal) in _ = try await insert(bodies, nil, newRows) }
        return countResponse(count, status: 201)
      }
    }
    let (bodies, isArray) = try await sentRows(type)
    let updates = rule?.columns != nil && readsFirst
    return try await atomically(updates || newRows.areCheckedAfterwards) { () async throws(Refusal) in
      let kept = try await insert(bodies, rule, newRows)
      return insertResponse(kept, asLines: isArray || type == MediaType.lines)
    }
  }

  /// Inserts elements, with a rule for conflicts.
  ///
  /// - Returns: the rows as they are stored.
  private func insert(
    _ bodies: [[Value?]], _ rule: (rule: ConflictRule, columns: [Int]?)?, _ newRows: NewRows
  ) async throws(Refusal) -> [[Value]] {
    if let columns = rule?.columns, readsFirst { return try await upsert(bodies, by: columns, newRows) }
    let rows = try newRows.complete(bodies)
    let kept = try await translatingStoreErrors { () throws(RepositoryError) in
      try await route.rows.insert(rows, rule?.rule)
    }
    try await checkWritten(kept, newRows)
    return kept
  }

  private func insertResponse(_ kept: [[Value]], asLines: Bool) -> WebResponse {
    if prefersMinimal { return countResponse(kept.count, status: 201) }
    let visible = kept.map(visibleValues)
    if asLines { return lines(visible, route.visibleFormat, status: 201) }
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

  /// Writes lines in the order in which they arrive, all or none.
  func stream(_ mode: WriteMode) async throws(Refusal) -> WebResponse {
    let failure = StreamFailure()
    let newRows = NewRows(for: self)
    let rows = RowStream { [request, service] in
      var lines = BodyLines(request.body, service.limits)
      return {
        do {
          return try await lines.next().map { line in try self.row(ofLine: line, mode, newRows) }
        } catch {
          failure.note(error)
          throw error
        }
      }
    }
    do throws(RepositoryError) {
      let count = try await route.rows.write(mode, rows)
      return countResponse(count, status: mode == .insert ? 201 : 200)
    } catch {
      if let refusal = failure.refusal { throw refusal }
      throw service.refusal(error, of: route)
    }
  }

  private func row(
    ofLine line: ArraySlice<UInt8>, _ mode: WriteMode, _ newRows: NewRows
  ) throws(Refusal) -> [Value] {
    let body = try body(ofLine: line)
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

  /// Reads a line of a body.
  func body(ofLine line: ArraySlice<UInt8>) throws(Refusal) -> [Value?] {
    try translatingJSONErrors { () throws(JSONCodingError) in try route.bodyFormat.row(from: line) }
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

  /// Returns the rule for conflicts, with the positions of the unique columns by which it updates.
  private func conflictRule() throws(Refusal) -> (rule: ConflictRule, columns: [Int]?)? {
    try refuseItems(but: ["conflict"])
    guard let item = items.first(where: { $0.name == "conflict" }) else { return nil }
    let value = item.value ?? ""
    if value == "ignore" { return (.ignore, nil) }
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
    let resolved = try translatingRequestErrors { () throws(RepositoryError) in try route.visible.resolve(rule) }
    guard case .update(let columns) = resolved else { return (rule, nil) }
    if readsFirst {
      try requireKeys("insert the elements without a rule for conflicts")
      if service.transactions == nil {
        throw Refusal(
          RepositoryError(
            .unsupported, "\(route.name) does not allow updates on conflict",
            reason: "the route writes only some rows or columns, and the service has no store with transactions"))
      }
    }
    return (rule, columns.map { route.positions[$0] })
  }

  func sentRows(_ type: String) async throws(Refusal) -> (rows: [[Value?]], isArray: Bool) {
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
}
