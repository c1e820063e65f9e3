/// The body of a message: bytes in memory, or chunks that are produced on demand.
///
/// Chunks are pulled, so that a body of any length takes as much memory as its largest chunk, and the producer waits for the
/// reader; except for an answer that Foundation's `URLSession` receives, which may arrive faster than it is read, and is then kept.
public struct WebBody: AsyncSequence, Sendable {
  /// A chunk of bytes.
  public typealias Element = [UInt8]
  /// The error that interrupts the body.
  public typealias Failure = any Error

  /// A function that returns the next chunk; `nil` after the last one.
  fileprivate typealias Next = () async throws -> [UInt8]?

  private enum Content: Sendable {
    case bytes([UInt8])
    case chunks(@Sendable () -> Next)
  }

  private let content: Content

  /// An empty body.
  public static let empty = WebBody([])

  /// Makes a body from bytes.
  public init(_ bytes: [UInt8]) { content = .bytes(bytes) }

  /// Makes a body from a sequence of chunks.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
    content = .chunks {
      var iterator = chunks.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation) }
    }
  }

  /// Makes a body of chunks that a closure returns, until it returns `nil`; a new closure is made each time that the body is
  /// read.
  package init(chunks: @escaping @Sendable () -> () async throws -> [UInt8]?) { content = .chunks(chunks) }

  /// The bytes, if they are in memory.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = content { bytes } else { nil } }

  /// Returns an iterator over the chunks.
  public func makeAsyncIterator() -> Iterator {
    switch content {
    case .bytes(let bytes): Iterator(first: bytes.isEmpty ? nil : bytes, nextChunk: nil)
    case .chunks(let begin): Iterator(first: nil, nextChunk: begin())
    }
  }

  /// An iterator over the chunks of a body.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var first: [UInt8]?
    fileprivate let nextChunk: Next?

    /// Returns the next chunk; `nil` after the last one.
    public mutating func next() async throws -> [UInt8]? {
      if let chunk = first {
        first = nil
        return chunk
      }
      guard let nextChunk else { return nil }
      return try await nextChunk()
    }
  }

  /// Reads the whole body.
  ///
  /// - Parameter limit: the maximum number of bytes; at most one chunk more is read.
  /// - Throws: ``BodyTooLarge``, and the error that interrupts the body.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    if let bytes {
      if bytes.count > limit { throw BodyTooLarge(limit: limit) }
      return bytes
    }
    var collected: [UInt8] = []
    for try await chunk in self {
      if chunk.count > limit - collected.count { throw BodyTooLarge(limit: limit) }
      collected += chunk
    }
    return collected
  }
}

/// An error for a body, or a line of it, that exceeds a limit.
public struct BodyTooLarge: Error, Hashable {
  /// The maximum number of bytes.
  public let limit: Int

  package init(limit: Int) { self.limit = limit }
}

/// A splitter of chunks into lines that end with a line feed, wherever the chunks end.
package struct LineSplitter {
  private var buffer: [UInt8] = []
  /// The start of the first line that was not returned yet, and the end of the searched part.
  private var (start, searched) = (0, 0)
  private let limit: Int

  /// - Parameter limit: the maximum number of bytes of a line.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ chunk: [UInt8]) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      (start, searched) = (0, searched - start)
    }
    buffer += chunk
  }

  /// Returns the next complete line, without its end; `nil` if more bytes are needed.
  package mutating func next() throws(BodyTooLarge) -> ArraySlice<UInt8>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      if buffer.count - start > limit { throw BodyTooLarge(limit: limit) }
      return nil
    }
    if end - start > limit { throw BodyTooLarge(limit: limit) }
    defer { (start, searched) = (end + 1, end + 1) }
    return Self.withoutReturn(buffer[start..<end])
  }

  /// Returns the text after the last line feed.
  package mutating func rest() -> ArraySlice<UInt8>? {
    defer { start = buffer.count }
    return start < buffer.count ? Self.withoutReturn(buffer[start...]) : nil
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
