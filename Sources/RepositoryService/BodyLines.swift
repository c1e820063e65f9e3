import WebRepositoryFormat

/// The lines of a request's body, in the order in which they arrive; empty lines are left out.
struct BodyLines {
  private var chunks: WebBody.Iterator
  private var splitter: LineSplitter
  private let limit: Int
  private var count = 0
  private var isOver = false

  /// - Parameter limits: those of a line, and of all lines together.
  init(_ body: WebBody, _ limits: ServiceLimits) {
    chunks = body.makeAsyncIterator()
    splitter = LineSplitter(limit: limits.bodyBytes)
    limit = limits.streamBytes
  }

  /// Returns the next line; `nil` after the last one.
  ///
  /// - Throws: `BodyTooLarge`, and the error that interrupts the body.
  mutating func next() async throws -> ArraySlice<UInt8>? {
    while true {
      if let line = try splitter.next() ?? (isOver ? splitter.rest() : nil) {
        if line.isEmpty { continue }
        return line
      }
      if isOver { return nil }
      if let chunk = try await chunks.next() {
        count += chunk.count
        if count > limit { throw BodyTooLarge(limit: limit) }
        splitter.append(chunk)
      } else {
        isOver = true
      }
    }
  }
}
