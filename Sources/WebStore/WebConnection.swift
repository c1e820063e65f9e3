import Query
import Repository

/// A connection that sends requests, repeatedly if that is safe, and reads their answers.
struct WebConnection: Sendable {
  let transport: any WebTransport
  let options: WebStoreOptions
  let headers: @Sendable () async throws -> WebHeaders
  private let cache: ResponseCache

  init(
    transport: any WebTransport, options: WebStoreOptions, headers: @escaping @Sendable () async throws -> WebHeaders
  ) {
    (self.transport, self.options, self.headers) = (transport, options, headers)
    cache = ResponseCache(limit: options.cacheBytes)
  }

  /// Sends a request and reads its answer, and repeats both if no answer arrives, or an incomplete one.
  ///
  /// - Parameters:
  ///   - request: a request that may be sent more than once: it changes nothing, or has an idempotency key.
  ///   - read: reads a successful answer.
  func exchange<Answer>(
    _ request: WebRequest, attempts: Int? = nil,
    _ read: (WebResponse) async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let attempts = attempts ?? options.attempts
    var generator = SystemRandomNumberGenerator()
    var count = 0
    while true {
      count += 1
      do throws(RepositoryError) {
        let (response, keep) = try await answer(to: request)
        let answer = try await read(response)
        keep()
        return answer
      } catch {
        if Task.isCancelled { throw .cancelled }
        let backoff = options.backoff.duration(after: count, using: &generator)
        guard count < attempts, let wait = error.retryWait(backoff: backoff, atMost: options.timeout) else {
          throw error
        }
        if (try? await Task.sleep(for: wait)) == nil { throw .cancelled }
      }
    }
  }

  /// Sends a request once.
  ///
  /// - Throws: `RepositoryError`, also for an unsuccessful answer.
  func send(_ request: WebRequest) async throws(RepositoryError) -> WebResponse {
    try await answer(to: request).response
  }

  /// Sends a request once.
  ///
  /// - Returns: the answer, and a closure that caches it once it was read.
  private func answer(
    to request: WebRequest
  ) async throws(RepositoryError) -> (response: WebResponse, keep: @Sendable () -> Void) {
    var request = request
    do {
      for field in try await headers().fields { request.headers[field.name] = field.value }
    } catch {
      throw Self.error(error, "can't make the header fields of a request")
    }
    let cached = request.method == "GET" ? cache.entry(for: request) : nil
    if let cached { request.headers["If-None-Match"] = cached.tag }
    let response: WebResponse
    do {
      response = try await sendInTime(request)
    } catch {
      throw Self.error(error, "can't reach the server")
    }
    if response.status == 304, let cached { return (cached.response, {}) }
    guard (200..<300).contains(response.status) else {
      let isProblem = response.headers.mediaType("Content-Type") == MediaType.problem
      let body = try? await response.body.collect(upTo: 1_048_576)
      throw ProblemDetails.error(status: response.status, body: body ?? [], isProblem: isProblem)
        .asking(for: RetryAfter(response.headers), atMost: options.timeout)
    }
    return request.method == "GET" ? cache.noting(response, for: request) : (response, {})
  }

  /// Sends a request, and waits for its answer for as long as the options allow from the moment at which it has been sent.
  private func sendInTime(_ request: WebRequest) async throws -> WebResponse {
    let deadline = AnswerDeadline(in: options.timeout)
    var request = request
    request.body = deadline.observing(request.body)
    return try await withThrowingTaskGroup(of: WebResponse?.self) { [request, transport] group in
      group.addTask {
        guard let sending = transport as? any SendingTransport else { return try await transport.send(request) }
        return try await sending.send(request) { deadline.note() }
      }
      group.addTask {
        var rest = deadline.rest()
        while rest > .zero {
          try await Task.sleep(for: rest)
          rest = deadline.rest()
        }
        return nil
      }
      defer { group.cancelAll() }
      if let response = try await group.next() ?? nil { return response }
      throw RepositoryError(.timeout, "the server did not answer in time")
    }
  }

  /// Returns the error of a transport as a repository's.
  static func error(_ error: any Error, _ summary: String) -> RepositoryError {
    if error is CancellationError || Task.isCancelled { return .cancelled }
    return error as? RepositoryError ?? RepositoryError(.unreachable, summary, underlying: error)
  }
}

extension WebConnection {
  /// Reads the rest of a body.
  func body(of response: WebResponse) async throws(RepositoryError) -> [UInt8] {
    do {
      return try await response.body.collect(upTo: options.rowBytes)
    } catch is BodyTooLarge {
      throw RepositoryError(.tooBig, "the server's answer is too large")
    } catch {
      throw Self.error(error, "the server's answer ended early")
    }
  }

  /// Reads a count from a body.
  func readCount(_ response: WebResponse) async throws(RepositoryError) -> Int {
    try expect(MediaType.json, of: response)
    let text = String(decoding: try await body(of: response), as: UTF8.self)
    guard let count = Int(text) else { throw Self.unreadable("the answer is not a number") }
    return count
  }

  /// Reads lines one after another.
  ///
  /// - Throws: `RepositoryError` with the code `unreachable` if the body is interrupted, or ends before the announced number
  ///   of lines.
  func lines(
    _ response: WebResponse, _ take: (ArraySlice<UInt8>) throws(RepositoryError) -> Void
  ) async throws(RepositoryError) {
    try expect(MediaType.lines, of: response)
    var splitter = LineSplitter(limit: options.rowBytes)
    var chunks = response.body.makeAsyncIterator()
    var count = 0
    do {
      while let chunk = try await chunks.next() {
        splitter.append(chunk)
        while let line = try splitter.next() {
          try take(line)
          count += 1
        }
      }
    } catch is BodyTooLarge {
      throw RepositoryError(.tooBig, "a row of the server's answer is too large")
    } catch {
      throw Self.error(error, "the server's answer ended early")
    }
    let wanted = response.headers[HeaderName.rowCount].flatMap { Int($0) }
    if splitter.rest() != nil || wanted.map({ $0 != count }) ?? false {
      throw RepositoryError(
        .unreachable, "the server's answer ended early",
        reason: "the client received \(count) rows, but the server announced \(wanted ?? count + 1)")
    }
  }

  private func expect(_ type: String, of response: WebResponse) throws(RepositoryError) {
    if response.headers.mediaType("Content-Type") == type { return }
    throw Self.unreadable("the answer has another type than requested")
  }

  static func unreadable(_ reason: String) -> RepositoryError {
    RepositoryError(
      .storeFailure, "can't read the server's answer", reason: reason,
      suggestion: "check the URL: the server may not be a repository service, or may have another version")
  }
}

/// A transport that tells when a part of a request was sent.
protocol SendingTransport: WebTransport {
  /// Sends a request.
  ///
  /// - Parameter note: called for each part that was sent.
  func send(_ request: WebRequest, noting note: @escaping @Sendable () -> Void) async throws -> WebResponse
}
