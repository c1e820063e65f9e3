#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The part of an input that is in memory; it moves forward, and grows if a record does not fit.
package final class ByteWindow {
  /// The default capacity: large enough that the cost of system calls is negligible, small enough to stay in the processor's
  /// cache.
  package static let usualCapacity = 1 << 18

  private let initialCapacity: Int
  private let source: ByteSource
  @exclusivity(unchecked) private var storage: UnsafeMutableBufferPointer<UInt8>
  @exclusivity(unchecked) private var start = 0
  @exclusivity(unchecked) private var end = 0
  /// The number of bytes of the input before the window.
  @exclusivity(unchecked) package private(set) var offset = 0
  /// Whether the input ends with the window.
  @exclusivity(unchecked) package private(set) var isAtEnd = false

  /// Makes a window that starts at the file's current offset.
  ///
  /// - Parameters:
  ///   - fileDescriptor: the file, which stays open and is closed by the caller.
  ///   - capacity: the number of bytes in memory unless a record has more.
  package convenience init(fileDescriptor: Int32, capacity: Int = usualCapacity) {
    self.init(ByteSource(borrowing: fileDescriptor), capacity: capacity)
  }

  /// Makes a window over bytes from a closure.
  ///
  /// - Parameter read: fills a buffer with the next bytes, at least one of them; returns their number, 0 at the end, and
  ///   `nil` if reading fails.
  package convenience init(read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) {
    self.init(ByteSource(read: read))
  }

  /// Makes a window that contains all of some bytes in memory.
  package convenience init(bytes: [UInt8]) {
    self.init(ByteSource(), capacity: bytes.count)
    end = storage.update(fromContentsOf: bytes)
    isAtEnd = true
  }

  init(_ source: consuming ByteSource, capacity: Int = usualCapacity) {
    self.source = source
    initialCapacity = max(1, capacity)
    storage = .allocate(capacity: initialCapacity)
  }

  deinit { storage.deallocate() }

  /// The bytes in memory, valid until the window is moved or filled.
  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: storage[start..<end]) }

  /// Removes bytes at the start of the window.
  package func skip(_ count: Int) {
    start += count
    offset += count
  }

  /// Reads more bytes after those in memory.
  ///
  /// - Parameter line: the current line of the input, for errors.
  /// - Returns: whether there were more.
  /// - Throws: ``CSVError/Code-swift.struct/unreadable``.
  package func readMore(line: Int) throws(CSVError) -> Bool {
    if isAtEnd { return false }
    makeRoom()
    switch source.fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: storage[end...]))) {
    case .success(0):
      // The end is final: a terminal or a growing file could otherwise continue in the middle of a record.
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
    // A single large record must not hold its memory for the rest of the file.
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

/// The source of a window: a file descriptor, which is closed with the source if the source has opened it, or a closure.
struct ByteSource: ~Copyable {
  private let descriptor: Int32?
  private let isOwned: Bool
  private let read: ((UnsafeMutableRawBufferPointer) -> Int?)?

  /// Makes an empty source, for an input that is already in memory.
  init() {
    (descriptor, isOwned, read) = (nil, false, nil)
  }

  /// Makes a source that reads by a closure.
  init(read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) {
    (descriptor, isOwned, self.read) = (nil, false, read)
  }

  /// Makes a source that reads from a descriptor which the caller closes.
  init(borrowing descriptor: Int32) {
    (self.descriptor, isOwned, read) = (descriptor, false, nil)
  }

  /// Opens a file.
  ///
  /// - Throws: ``CSVError/Code-swift.struct/unreadable``.
  init(path: String) throws(CSVError) {
    // C would read the path up to the NUL and open another file.
    guard !path.utf8.contains(0) else {
      throw .cannotOpen(path: path, reason: Self.reason(for: EINVAL))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: Self.reason(for: errno))
    }
    (self.descriptor, isOwned, read) = (descriptor, true, nil)
  }

  deinit {
    if isOwned, let descriptor { _ = close(descriptor) }
  }

  /// Fills the buffer with the next bytes, at least one of them, and waits until there is one.
  ///
  /// - Returns: The number of bytes that were read, 0 at the end of the input; or the system's reason for a failure.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SystemFailure> {
    if let read { return read(buffer).map(Result.success) ?? .failure(SystemFailure(reason: "The input has ended")) }
    guard let descriptor else { return .success(0) }
    while true {
      let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
      let code = errno
      if count >= 0 { return .success(count) }
      switch code {
      case EINTR:
        continue
      case EAGAIN:
        // A parent process may have made the standard input non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      default:
        return .failure(SystemFailure(reason: Self.reason(for: code)))
      }
    }
  }

  /// A failed system call with the system's message.
  struct SystemFailure: Error {
    let reason: String
  }

  private static func reason(for code: Int32) -> String {
    guard let text = strerror(code) else { return "Error \(code)" }
    return String(cString: text)
  }
}

/// The system's `read`, whose name a property above hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

/// Memory for those texts of one record that differ from the input's bytes, because they contain escapes.
package struct ScratchBytes: ~Copyable {
  private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
  private var used = 0
  /// The size below which a block is not worth allocating.
  private static let smallest = 4_096

  package init() {}

  deinit { for block in blocks { block.deallocate() } }

  /// Frees the memory for the texts of the next record; texts that were kept become invalid.
  package mutating func forget() {
    used = 0
    if blocks.count > 1 || (blocks.first?.count ?? 0) > 1 << 20 {
      for block in blocks { block.deallocate() }
      blocks = []
    }
  }

  /// Passes memory for a number of bytes to a closure, which returns how many of them it has used.
  package mutating func keep(
    atMost count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> UnsafeBufferPointer<UInt8> {
    if (blocks.last?.count ?? 0) - used < count {
      blocks.append(.allocate(capacity: max(count, Self.smallest)))
      used = 0
    }
    guard let block = blocks.last else { return UnsafeBufferPointer(start: nil, count: 0) }
    let room = UnsafeMutableBufferPointer(rebasing: block[used..<used + count])
    let written = write(room)
    used += written
    return UnsafeBufferPointer(rebasing: room[..<written])
  }
}
