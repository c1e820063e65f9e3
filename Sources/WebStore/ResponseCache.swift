import Repository
import Synchronization
import WebRepositoryFormat

/// A cache of answers that are reused if the server reports that they have not changed (RFC 9111, section 4.3). Where there is no
/// room, the least recently used one is evicted first.
final class ResponseCache: Sendable {
  struct Entry: Sendable {
    let tag: String
    let response: WebResponse
    fileprivate let size: Int
    fileprivate var lastUse = 0
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var uses = 0
    var size = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func entry(for request: WebRequest) -> Entry? {
    let key = Self.key(of: request)
    return state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]
    }
  }

  /// Records the bytes of an answer that has a version while they are read.
  ///
  /// - Returns: the answer to continue with, and a closure that caches it; to be called once the answer was read completely.
  func noting(_ response: WebResponse, for request: WebRequest) -> (response: WebResponse, keep: @Sendable () -> Void) {
    guard limit > 0, let tag = response.headers["ETag"] else { return (response, {}) }
    let (key, note) = (Self.key(of: request), Note(limit / 4))
    var noted = response
    noted.body = WebBody(chunks: {
      var chunks = response.body.makeAsyncIterator()
      return {
        let chunk = try await chunks.next()
        if let chunk { note.add(chunk) }
        return chunk
      }
    })
    return (
      noted,
      { [self] in
        guard let bytes = note.bytes else { return }
        var whole = response
        whole.body = WebBody(bytes)
        keep(Entry(tag: tag, response: whole, size: bytes.count + 500), for: key)
      }
    )
  }

  /// The bytes of a body, up to the maximum that may be cached.
  private final class Note: Sendable {
    private let state = Mutex<[UInt8]?>([])
    private let limit: Int

    init(_ limit: Int) { self.limit = limit }

    var bytes: [UInt8]? { state.withLock(\.self) }

    func add(_ chunk: [UInt8]) {
      state.withLock { bytes in
        if let count = bytes?.count, count + chunk.count <= limit {
          bytes?.append(contentsOf: chunk)
        } else {
          bytes = nil
        }
      }
    }
  }

  private func keep(_ entry: Entry, for key: String) {
    if entry.size > limit { return }
    var entry = entry
    state.withLock { state in
      state.uses += 1
      entry.lastUse = state.uses
      if let old = state.entries.updateValue(entry, forKey: key) { state.size -= old.size }
      state.size += entry.size
      while state.size > limit, let oldest = state.entries.min(by: { a, b in a.value.lastUse < b.value.lastUse }) {
        state.entries[oldest.key] = nil
        state.size -= oldest.value.size
      }
    }
  }

  private static func key(of request: WebRequest) -> String {
    [request.target, request.headers["Accept"] ?? "", request.headers["Authorization"] ?? ""].joined(separator: "\n")
  }
}
