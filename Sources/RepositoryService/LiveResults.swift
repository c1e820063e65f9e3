import Query
import Repository
import Synchronization

extension Exchange {
  /// Live results as server-sent events: each is a complete result, with one line of data per row and its name as the event's id.
  ///
  /// A client that has lost the connection sends the id of its last result in `Last-Event-ID`, and receives the current one
  /// only if it differs.
  func liveResults(_ asked: FetchRequest) throws(Refusal) -> WebResponse {
    try translatingRequestErrors { () throws(RepositoryError) in
      try route.check(asked, service.limits)
      try route.allow(.liveResults)
    }
    var narrowedRequest = route.stored(asked)
    narrowedRequest.query = withCondition(narrowedRequest.query)
    if narrowedRequest.limit ?? .max > route.maximumRowCount { narrowedRequest.limit = route.maximumRowCount + 1 }
    let (wanted, last, format) = (narrowedRequest, request.headers["Last-Event-ID"], route.visibleFormat)
    let body = WebBody(chunks: {
      let channel = ByteChannel(capacity: 1)
      let pump = Pump(tasks: [
        Task { await self.send(wanted, last, format, to: channel) },
        Task { [interval = service.limits.heartbeat] in
          // Immediately, so that the client knows that it is connected.
          repeat { channel.pushIfEmpty(ServerSentEvent.heartbeat) } while (try? await Task.sleep(for: interval)) != nil
        },
      ])
      return {
        defer { withExtendedLifetime(pump) {} }
        return try await channel.next()
      }
    })
    return WebResponse(
      200, headers: ["Content-Type": MediaType.events, "Cache-Control": "no-store", "X-Accel-Buffering": "no"],
      body: body)
  }

  private func send(_ wanted: FetchRequest, _ known: String?, _ format: RowFormat, to channel: ByteChannel) async {
    var last = known
    do throws(RepositoryError) {
      try await route.rows.liveResults(wanted) { rows in
        if rows.count > route.maximumRowCount {
          let error = RepositoryError(.tooBig, "the result has more than \(route.maximumRowCount) rows")
          _ = await channel.send(Self.event(of: Refusal(error)))
          return false
        }
        let lines = rows.map { row in
          var line: [UInt8] = []
          format.append(visibleValues(row), to: &line)
          return line
        }
        let id = ContentHash.text(of: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        // The change may not concern what the client sees.
        if id == last { return true }
        last = id
        return await channel.send(ServerSentEvent("rows", id: id, data: lines).bytes)
      }
    } catch {
      if error.code != .cancelled { _ = await channel.send(Self.event(of: service.refusal(error, of: route))) }
    }
    channel.finish()
  }

  private static func event(of refusal: Refusal) -> [UInt8] {
    ServerSentEvent("problem", data: [ProblemDetails.json(refusal.error, status: refusal.status)]).bytes
  }

  /// A holder of tasks that are cancelled with its last reference.
  private final class Pump: Sendable {
    private let tasks: [Task<Void, Never>]

    init(tasks: [Task<Void, Never>]) { self.tasks = tasks }

    deinit { for task in tasks { task.cancel() } }
  }
}
