public import Query
public import Repository

extension WebRepository {
  /// Observes the elements that match a request, by server-sent events.
  ///
  /// It reconnects after a lost connection, up to ``WebStoreOptions/reconnections`` times in a row, and only delivers a result
  /// that differs from the last one.
  public func changes(_ request: FetchRequest) -> Changes<Element> {
    Changes(looking: {
      let results = LiveResults(self, request)
      return { () async throws(RepositoryError) -> Changes<Element>.Snapshot? in try await results.next() }
    })
  }
}

/// The results of one request, as the server sends them.
private final class LiveResults<Element: Storable> {
  private let repository: WebRepository<Element>
  private let request: FetchRequest
  private var chunks: WebBody.Iterator?
  private var splitter: LineSplitter
  private var reader = EventReader()
  private var lastID: String?
  /// The number of connections in a row that failed or ended after the first comment of the service.
  private var failures = 0
  /// The number of lines that the connection has brought.
  private var lines = 0

  init(_ repository: WebRepository<Element>, _ request: FetchRequest) {
    (self.repository, self.request) = (repository, request)
    splitter = LineSplitter(limit: repository.connection.options.rowBytes)
  }

  /// Waits for the next result.
  func next() async throws(RepositoryError) -> Changes<Element>.Snapshot? {
    while !Task.isCancelled {
      do throws(RepositoryError) {
        if chunks == nil { try await connect() }
        if let event = try await nextEvent() {
          failures = 0
          lastID = event.id ?? lastID
          return try result(of: event)
        }
        throw RepositoryError(.unreachable, "the server has ended the live results")
      } catch {
        chunks = nil
        if Task.isCancelled { return nil }
        failures += 1
        let options = repository.connection.options
        // A result that was there and is lost is worth more patience than one that never was.
        let maximum = lastID == nil ? options.attempts - 1 : options.reconnections
        var generator = SystemRandomNumberGenerator()
        let backoff = options.backoff.duration(after: failures, using: &generator)
        guard failures <= maximum, let wait = error.retryWait(backoff: backoff, atMost: options.timeout) else {
          throw error
        }
        if (try? await Task.sleep(for: wait)) == nil { return nil }
      }
    }
    return nil
  }

  private func connect() async throws(RepositoryError) {
    var message = try repository.message(.liveResults, try repository.sent(request), accept: MediaType.events)
    if let lastID { message.headers["Last-Event-ID"] = lastID }
    let response = try await repository.connection.send(message)
    guard response.headers.mediaType("Content-Type") == MediaType.events else {
      throw WebConnection.unreadable("the answer is not a stream of events")
    }
    chunks = response.body.makeAsyncIterator()
    splitter = LineSplitter(limit: repository.connection.options.rowBytes)
    (reader, lines) = (EventReader(), 0)
  }

  private func nextEvent() async throws(RepositoryError) -> ServerSentEvent? {
    do {
      while true {
        var latest: ServerSentEvent?
        // Of several that have already arrived, the last one.
        while let line = try splitter.next() {
          if let event = reader.take(line) { latest = event }
          if line.isEmpty { continue }
          lines += 1
          // The service says at once that it is there, and again as long as it is.
          if lines > 1 { failures = 0 }
        }
        if let latest { return latest }
        guard let chunk = try await chunks?.next() else { return nil }
        splitter.append(chunk)
      }
    } catch is BodyTooLarge {
      throw RepositoryError(.tooBig, "a row of the server's answer is too large")
    } catch {
      throw WebConnection.error(error, "the connection was lost")
    }
  }

  private func result(of event: ServerSentEvent) throws(RepositoryError) -> Changes<Element>.Snapshot? {
    if event.name == "problem" {
      throw ProblemDetails.error(status: 500, body: event.data.first ?? [], isProblem: true)
    }
    var (elements, rows): ([Element], [[Value]]) = ([], [])
    for line in event.data {
      let values = try repository.values(of: line[...])
      elements.append(try repository.element(of: values, at: elements.count + 1))
      rows.append(values)
    }
    return (elements, rows)
  }
}
