import Synchronization
import WebRepositoryFormat

/// The digest of a request's body, which is computed while the body is read, so that a body of any length need not be kept.
final class RequestDigest: Sendable {
  /// The value that distinguishes bodies.
  struct Value: Hashable {
    fileprivate(set) var count = 0
    fileprivate(set) var text = ""
  }

  private struct Progress {
    var count = 0
    var hash = ContentHash()
    var isWhole = false

    mutating func add(_ chunk: [UInt8]?) {
      guard let chunk else { return isWhole = true }
      count += chunk.count
      hash.add(chunk)
    }
  }

  private let progress = Mutex(Progress())

  /// The digest; `nil` if the body was not read to its end.
  var value: Value? {
    progress.withLock { $0.isWhole ? Value(count: $0.count, text: $0.hash.text) : nil }
  }

  /// Returns the same body, whose digest is computed as it is read.
  func observing(_ body: WebBody) -> WebBody {
    if let bytes = body.bytes {
      progress.withLock { progress in
        progress.add(bytes)
        progress.add(nil)
      }
      return body
    }
    return WebBody(chunks: {
      self.progress.withLock { $0 = Progress() }
      var chunks = body.makeAsyncIterator()
      return {
        let chunk = try await chunks.next()
        self.progress.withLock { $0.add(chunk) }
        return chunk
      }
    })
  }
}

extension RequestDigest.Value {
  /// Returns whether this is the digest of a body, of which no more is read than the digest's length.
  func matches(_ body: WebBody) async throws(Refusal) -> Bool {
    let digest = RequestDigest()
    var chunks = digest.observing(body).makeAsyncIterator()
    if let bytes = body.bytes { return bytes.count == count && digest.value == self }
    var read = 0
    do {
      while let chunk = try await chunks.next() {
        read += chunk.count
        if read > count { return false }
      }
    } catch {
      throw Exchange.brokenBody
    }
    return digest.value == self
  }
}
