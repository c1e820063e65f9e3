/// Memory for the short texts that are bound to a statement, until it is reset.
struct TextArena: ~Copyable {
  private static let capacity = 4_096
  private var start: UnsafeMutablePointer<CChar>?
  private var count = 0

  /// Copies a text.
  ///
  /// - Returns: `nil` where there is no room for it.
  mutating func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
    guard let source = text.baseAddress, text.count <= Self.capacity - count else { return nil }
    let start = start ?? .allocate(capacity: Self.capacity)
    self.start = start
    let place = start + count
    source.withMemoryRebound(to: CChar.self, capacity: text.count) { place.update(from: $0, count: text.count) }
    count += text.count
    return UnsafePointer(place)
  }

  /// Makes room again; nobody may use what was kept.
  mutating func forget() { count = 0 }

  deinit { start?.deallocate() }
}
