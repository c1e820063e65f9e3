import Repository
import Synchronization

/// A channel of chunks from one task to another, a few at a time: the sender waits for the reader.
package final class ByteChannel: AsyncSequence, Sendable {
  package typealias Element = [UInt8]
  package typealias Failure = any Error

  private struct State {
    var chunks = FirstInFirstOut<[UInt8]>()
    var end: Result<Void, any Error>?
    /// Whether the reader has gone away.
    var isAbandoned = false
    var reader: CheckedContinuation<Void, Never>?
    var sender: CheckedContinuation<Void, Never>?

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { (reader, sender) = (nil, nil) }
      return [reader, sender].compactMap(\.self)
    }
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: the maximum number of chunks that wait for the reader of ``send(_:)``.
  package init(capacity: Int = 2) { self.capacity = capacity }

  /// Sends a chunk, and waits until there is room for another one.
  ///
  /// - Returns: whether there is still a reader.
  package func send(_ chunk: [UInt8]) async -> Bool {
    push(chunk)
    while true {
      let isFull = state.withLock { $0.chunks.count >= capacity && !$0.isAbandoned && $0.end == nil }
      if !isFull || Task.isCancelled { break }
      await wait(\.sender) { $0.chunks.count >= self.capacity && !$0.isAbandoned && $0.end == nil }
    }
    return state.withLock { !$0.isAbandoned && $0.end == nil }
  }

  /// Adds a chunk without waiting, for a synchronous sender: any number of them may wait for the reader.
  package func push(_ chunk: [UInt8]) {
    change { state in if !state.isAbandoned, state.end == nil { state.chunks.append(chunk) } }
  }

  /// Adds a chunk if none is waiting for the reader.
  package func pushIfEmpty(_ chunk: [UInt8]) {
    change { state in if state.chunks.isEmpty, !state.isAbandoned, state.end == nil { state.chunks.append(chunk) } }
  }

  /// Ends the chunks.
  package func finish(throwing error: (any Error)? = nil) {
    change { state in
      if state.end == nil { state.end = error.map(Result.failure) ?? .success(()) }
    }
  }

  /// Notifies the sender that the reader has gone away.
  package func abandon() {
    change { state in
      state.isAbandoned = true
      state.chunks.removeAll()
    }
  }

  /// Returns the next chunk; `nil` after the last one.
  package func next() async throws -> [UInt8]? {
    while true {
      try Task.checkCancellation()
      let (result, sender): (Result<[UInt8]?, any Error>?, CheckedContinuation<Void, Never>?) = state.withLock {
        state in
        if let chunk = state.chunks.removeFirst() {
          defer { state.sender = nil }
          return (.success(chunk), state.sender)
        }
        return (state.end.map { end in end.map { nil } }, nil)
      }
      sender?.resume()
      if let result { return try result.get() }
      await wait(\.reader) { $0.chunks.isEmpty && $0.end == nil }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiting = state.withLock { state in
      body(&state)
      return state.takeWaiting()
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits for a change of the state, or for the cancellation of the task, if a condition is true.
  private func wait(
    _ place: any WritableKeyPath<State, CheckedContinuation<Void, Never>?> & Sendable,
    _ mustWait: @Sendable (State) -> Bool
  ) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || !mustWait(state) { return true }
          state[keyPath: place] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        defer { state[keyPath: place] = nil }
        return state[keyPath: place]
      }
      continuation?.resume()
    }
  }

  package func makeAsyncIterator() -> Iterator { Iterator(channel: self, end: Ending(channel: self)) }

  /// An object that notifies the sender when the reader has gone away.
  fileprivate final class Ending: Sendable {
    let channel: ByteChannel

    init(channel: ByteChannel) { self.channel = channel }

    deinit { channel.abandon() }
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let channel: ByteChannel
    private let end: Ending

    fileprivate init(channel: ByteChannel, end: Ending) { (self.channel, self.end) = (channel, end) }

    package mutating func next() async throws -> [UInt8]? { try await channel.next() }
  }
}
