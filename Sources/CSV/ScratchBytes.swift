/// Memory for the texts of one record that don't stand in the input as they are: those with escapes in them.
package struct ScratchBytes: ~Copyable {
  private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
  private var used = 0
  /// Blocks smaller than this are not worth asking for.
  private static let smallest = 4_096

  package init() {}

  deinit { for block in blocks { block.deallocate() } }

  /// Makes room for all texts of the next record; what was kept must not be used any more.
  package mutating func forget() {
    used = 0
    if blocks.count > 1 || (blocks.first?.count ?? 0) > 1 << 20 {
      for block in blocks { block.deallocate() }
      blocks = []
    }
  }

  /// Gives a closure memory for so many bytes, which tells how many of them it has used.
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

  /// Keeps a copy of bytes.
  package mutating func keep(_ bytes: some Collection<UInt8>) -> UnsafeBufferPointer<UInt8> {
    keep(atMost: bytes.count) { room in
      _ = room.update(fromContentsOf: bytes)
      return bytes.count
    }
  }
}
