#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

// A page of rows, with the addresses of the pages before and after it.
extension Exchange {
  func page(_ asked: FetchRequest) async throws(Refusal) -> WebResponse {
    try translatingRequestErrors { () throws(RepositoryError) in try route.check(asked, service.limits) }
    let selected = try selectedColumns()
    let size = min(asked.limit ?? route.pageSize, route.maximumPageSize)
    var wanted = asked
    // One more row shows whether there is another page.
    wanted.limit = size == 0 ? 0 : size + 1
    var rows = try await translatingStoreErrors { () throws(RepositoryError) in
      try await route.rows.find(projection(wanted))
    }
    let isBackward = asked.isReversed
    let hasMore = rows.count > size
    if hasMore { if isBackward { rows.removeFirst() } else { rows.removeLast() } }
    var headers: WebHeaders = [:]
    if request.method != "POST" {
      if isBackward || hasMore { addLink("next", "after", rows.last, asked, to: &headers) }
      let hasPrevious = isBackward ? hasMore : asked.after != nil || asked.offset > 0
      if hasPrevious { addLink("prev", "before", rows.first, asked, to: &headers) }
    }
    let format = format(selected)
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, row) in rows.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      format.append(selected.map { positions in positions.map { row[$0] } } ?? row, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return completeResponse(bytes, MediaType.json, headers: headers)
  }

  /// Adds the address of another page (RFC 8288): this one with the cursor at a row; none where rows of other tables decide about
  /// the order, in which a row alone has no place.
  private func addLink(
    _ relation: String, _ item: String, _ row: [Value]?, _ asked: FetchRequest, to headers: inout WebHeaders
  ) {
    guard let row, let cursor = try? Cursor(at: row, in: route.visible, sortedBy: asked.sort) else { return }
    let kept = items.filter { !["after", "before", "offset"].contains($0.name) }
    let address = WebTarget.text(path: [route.name], items: kept + [URLQueryItem(name: item, value: cursor.text)])
    headers.append("Link", "<\(address)>; rel=\"\(relation)\"")
  }
}
