import Query
import Repository
import Synchronization

/// The answers to writes that were sent with an idempotency key, so that a write that is sent again is done once.
///
/// They are kept in memory: a service that is restarted has forgotten them, as it forgets the oldest beyond its limits.
final class IdempotencyMemory: Sendable {
  private struct Answer {
    let status: Int
    let headers: WebHeaders
    let bytes: [UInt8]
    let request: String
    /// The digest of the request's body; `nil` if not all of it was read.
    let digest: RequestDigest.Value?

    init(_ response: WebResponse, to request: String, _ digest: RequestDigest.Value?) async {
      (self.request, self.digest) = (request, digest)
      var (response, collected) = (response, try? await response.body.collect(upTo: .max))
      if collected == nil {
        response =
          Refusal(
            500, .timeout, "the answer to the write ended early", reason: "the write may have happened",
            suggestion: "check whether the write was applied"
          ).response
        collected = response.body.bytes
      }
      (status, headers, bytes) = (response.status, response.headers, collected ?? [])
    }

    /// Returns its approximate size in memory under a key; a client chooses how long keys and addresses are.
    func size(under key: String) -> Int {
      bytes.count + key.utf8.count + request.utf8.count
        + headers.fields.reduce(200) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
  }

  private enum Entry {
    /// A running request; equal requests wait for it.
    case pending(request: String)
    case done(Answer)
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// Those who wait for the running requests, by their numbers.
    var waiting: [String: [Int: CheckedContinuation<Answer?, Never>]] = [:]
    var waiterCount = 0
    /// The keys of the completed entries, the oldest first, from an index on.
    var order: [String] = []
    var oldest = 0
    var bytes = 0
  }

  private enum Step {
    case run
    case wait
    case answer(Answer)
    case refuse
  }

  private static func refusal(_ difference: String) -> Refusal {
    Refusal(
      422, .conflict, "the idempotency key belongs to another request",
      reason: "an earlier request with this key had another \(difference)",
      suggestion: "send a new key with each write, and repeat a key only with the same write")
  }

  private let state = Mutex(State())
  private let maximum: (count: Int, bytes: Int)

  init(_ limits: ServiceLimits) { maximum = limits.rememberedWrites }

  /// Executes a write, unless that was done before.
  ///
  /// - Parameters:
  ///   - scope: the text that clients have in common if they share their keys.
  ///   - write: executes the request, which is passed with a body that is digested as it is read.
  func once(
    _ request: WebRequest, for scope: String,
    _ write: @escaping @Sendable (WebRequest) async throws(Refusal) -> WebResponse
  ) async throws(Refusal) -> WebResponse {
    guard let key = request.headers[HeaderName.idempotencyKey] else { return try await write(request) }
    if key.isEmpty || key.utf8.count > 255 {
      throw Refusal(400, .invalidQuery, "the idempotency key is empty or too long", suggestion: "send a UUID")
    }
    // A key belongs to the clients with the same results of the route's closures. Their tokens are neither kept nor compared: one
    // that is renewed between two attempts must not make the write another one.
    let scopedKey = "\(scope)\n\(key)"
    let description = "\(request.method) \(request.target)"
    while true {
      switch begin(scopedKey, description) {
      case .answer(let answer): return try await Self.replay(answer, to: request)
      case .refuse: throw Self.refusal("method or address")
      case .wait:
        if let answer = await wait(for: scopedKey) { return try await Self.replay(answer, to: request) }
        if Task.isCancelled {
          throw Refusal(
            RepositoryError(.cancelled, "the request was cancelled", reason: "the same write is still running"))
        }
      case .run:
        // In a separate task: a client that has disconnected must find it either done or not done when it asks again.
        let task = Task { () async -> Result<Answer, Refusal> in
          let digest = RequestDigest()
          do throws(Refusal) {
            var observed = request
            observed.body = digest.observing(request.body)
            return .success(await Answer(try await write(observed), to: description, digest.value))
          } catch {
            // Whether it was done is not known, so it must not be done again.
            if error.error.code == .timeout {
              return .success(await Answer(error.response, to: description, digest.value))
            }
            return .failure(error)
          }
        }
        let result = await task.value
        end(scopedKey, try? result.get())
        switch result {
        case .success(let answer):
          return WebResponse(answer.status, headers: answer.headers, body: WebBody(answer.bytes))
        case .failure(let refusal): throw refusal
        }
      }
    }
  }

  private static func replay(_ answer: Answer, to request: WebRequest) async throws(Refusal) -> WebResponse {
    if let digest = answer.digest, try await !digest.matches(request.body) { throw refusal("body") }
    var headers = answer.headers
    headers["Idempotency-Replayed"] = "true"
    return WebResponse(answer.status, headers: headers, body: WebBody(answer.bytes))
  }

  private func begin(_ scopedKey: String, _ request: String) -> Step {
    state.withLock { state in
      switch state.entries[scopedKey] {
      case nil:
        state.entries[scopedKey] = .pending(request: request)
        return .run
      case .pending(let other): return other == request ? .wait : .refuse
      case .done(let answer): return answer.request == request ? .answer(answer) : .refuse
      }
    }
  }

  /// Waits for a running request.
  ///
  /// - Returns: its answer; `nil` if it was refused, is no longer running, or the client that waits has disconnected.
  private func wait(for scopedKey: String) async -> Answer? {
    let number = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !Task.isCancelled, case .pending = state.entries[scopedKey] else { return true }
          state.waiting[scopedKey, default: [:]][number] = continuation
          return false
        }
        if isOver { continuation.resume(returning: nil) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiting[scopedKey]?.removeValue(forKey: number) }
      continuation?.resume(returning: nil)
    }
  }

  /// Stores an answer; a request that was refused may be sent again.
  private func end(_ scopedKey: String, _ answer: Answer?) {
    let waiting = state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: scopedKey) ?? [:]
      guard let answer else {
        state.entries[scopedKey] = nil
        return waiting
      }
      state.entries[scopedKey] = .done(answer)
      state.order.append(scopedKey)
      state.bytes += answer.size(under: scopedKey)
      while state.order.count - state.oldest > maximum.count
        || state.bytes > maximum.bytes && state.order.count - state.oldest > 1
      {
        let scopedKey = state.order[state.oldest]
        if case .done(let old)? = state.entries.removeValue(forKey: scopedKey) {
          state.bytes -= old.size(under: scopedKey)
        }
        state.oldest += 1
      }
      if state.oldest > 1_000, state.oldest * 2 > state.order.count {
        state.order.removeSubrange(..<state.oldest)
        state.oldest = 0
      }
      return waiting
    }
    for continuation in waiting.values { continuation.resume(returning: answer) }
  }
}
