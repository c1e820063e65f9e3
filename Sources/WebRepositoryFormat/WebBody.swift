/// The body of a message: bytes that are there, or chunks that come one after another as they are asked for.
///
/// Chunks are pulled, so that a body of any length takes as much memory as its greatest chunk, and what makes them waits for
/// what reads them.
public struct WebBody: AsyncSequence, Sendable {
  /// A chunk of bytes.
  public typealias Element = [UInt8]
  /// What breaks the body off.
  public typealias Failure = any Error

  /// Gives the next chunk; `nil` after the last one.
  fileprivate typealias Next = () async throws -> [UInt8]?

  private enum Content: Sendable {
    case bytes([UInt8])
    case chunks(@Sendable () -> Next)
  }

  private let content: Content

  /// No body.
  public static let empty = WebBody([])

  /// Makes a body of bytes.
  public init(_ bytes: [UInt8]) { content = .bytes(bytes) }

  /// Makes a body of chunks that come one after another.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
    content = .chunks {
      var iterator = chunks.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation) }
    }
  }

  /// Makes a body of chunks that a closure gives, until it gives `nil`; it is made anew for each time that the body is read.
  package init(chunks: @escaping @Sendable () -> () async throws -> [UInt8]?) { content = .chunks(chunks) }

  /// The bytes, where they are there at once.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = content { bytes } else { nil } }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    switch content {
    case .bytes(let bytes): Iterator(first: bytes.isEmpty ? nil : bytes, nextChunk: nil)
    case .chunks(let begin): Iterator(first: nil, nextChunk: begin())
    }
  }

  /// Gives one chunk after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var first: [UInt8]?
    fileprivate let nextChunk: Next?

    /// The next chunk; `nil` after the last one.
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
  /// - Parameter limit: how many bytes it may have; no more than a chunk beyond is read.
  /// - Throws: ``BodyTooLarge``, and what breaks the body off.
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

/// A body, or a line of it, is longer than is admitted.
public struct BodyTooLarge: Error, Hashable {
  /// The number of bytes that are.
  public let limit: Int

  package init(limit: Int) { self.limit = limit }
}

/// Cuts chunks into lines that end with a line feed, wherever the chunks end.
package struct LineSplitter {
  private var buffer: [UInt8] = []
  /// Where the first line begins that was not given yet, and up to where no line feed was found.
  private var (start, searched) = (0, 0)
  private let limit: Int

  /// - Parameter limit: how many bytes a line may have.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ chunk: [UInt8]) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      (start, searched) = (0, searched - start)
    }
    buffer += chunk
  }

  /// The next whole line, without its end; `nil` where more bytes are needed.
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

  /// What follows the last line feed.
  package mutating func rest() -> ArraySlice<UInt8>? {
    defer { start = buffer.count }
    return start < buffer.count ? Self.withoutReturn(buffer[start...]) : nil
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
