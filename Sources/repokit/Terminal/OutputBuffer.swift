/// Gathers output, so that a row costs no system call and a result is never in memory as one text.
struct OutputBuffer {
  /// As much as a pipe holds on Linux.
  private static let limit = 1 << 16

  /// What is not written yet. Append what belongs together, then call ``flushIfFull()``.
  var bytes: [UInt8] = []
  private let write: (ArraySlice<UInt8>) throws(OutputError) -> Void

  /// Makes a buffer.
  ///
  /// - Parameter write: takes the bytes on.
  init(write: @escaping (ArraySlice<UInt8>) throws(OutputError) -> Void) {
    self.write = write
    bytes.reserveCapacity(Self.limit)
  }

  /// Adds a text.
  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes the bytes if there are many.
  mutating func flushIfFull() throws(OutputError) {
    if bytes.count >= Self.limit { try flush() }
  }

  /// Writes the bytes.
  mutating func flush() throws(OutputError) {
    if bytes.isEmpty { return }
    // A long result is not only long to find.
    if Task.isCancelled { throw .failure(Failure("cancelled")) }
    // They are gone either way: after an error there is no second try.
    defer { bytes.removeAll(keepingCapacity: bytes.capacity <= Self.limit * 4) }
    try write(bytes[...])
  }
}
