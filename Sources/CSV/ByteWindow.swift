/// The part of an input that is in memory: it moves forward, and grows where a record does not fit.
package final class ByteWindow {
  /// Large enough that the system calls do not show, small enough to stay in the processor's cache.
  package static let usualCapacity = 1 << 18

  private let initialCapacity: Int
  private let source: ByteSource
  @exclusivity(unchecked) private var storage: UnsafeMutableBufferPointer<UInt8>
  @exclusivity(unchecked) private var start = 0
  @exclusivity(unchecked) private var end = 0
  /// How many bytes of the input lie before the window.
  @exclusivity(unchecked) package private(set) var offset = 0
  /// Whether nothing comes behind the window.
  @exclusivity(unchecked) package private(set) var isAtEnd = false

  /// A window at the place where a file is read next.
  ///
  /// - Parameters:
  ///   - fileDescriptor: the file, which stays open and the caller's to close.
  ///   - capacity: how many bytes are in memory unless a record has more.
  package init(fileDescriptor: Int32, capacity: Int = usualCapacity) {
    source = ByteSource(borrowing: fileDescriptor)
    initialCapacity = max(1, capacity)
    storage = .allocate(capacity: initialCapacity)
  }

  deinit { storage.deallocate() }

  /// What is in memory, until the window is moved or asked for more.
  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: storage[start..<end]) }

  /// Leaves out bytes at its start.
  package func skip(_ count: Int) {
    start += count
    offset += count
  }

  /// Reads more behind what is there.
  ///
  /// - Parameter line: where the input is, for errors.
  /// - Returns: whether there was more.
  /// - Throws: ``CSVError/Code-swift.struct/unreadable``.
  package func readMore(line: Int) throws(CSVError) -> Bool {
    if isAtEnd { return false }
    makeRoom()
    switch source.fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: storage[end...]))) {
    case .success(0):
      // A terminal or a growing file could go on in the middle of a record.
      isAtEnd = true
      return false
    case .success(let count):
      end += count
      return true
    case .failure(let failure):
      throw .cannotRead(line: line, reason: failure.reason)
    }
  }

  private func makeRoom() {
    let count = end - start
    // Whatever was one large record must not hold its memory for the rest of the file.
    let capacity =
      count == storage.count
      ? storage.count * 2 : count < initialCapacity / 2 ? initialCapacity : storage.count
    guard let current = storage.baseAddress else { return }
    if capacity != storage.count {
      let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
      room.baseAddress?.update(from: current + start, count: count)
      storage.deallocate()
      storage = room
    } else if start > 0 {
      current.update(from: current + start, count: count)
    }
    (start, end) = (0, count)
  }
}
