import Query

/// Rows in the binary format of `COPY`, which ``ServerSession/copy(by:_:)`` sends.
///
/// Source of the format: https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4
///
/// The buffer manages its own memory: the checks and the generic copies of an array took more than half of the cost of a row.
struct BinaryCopyBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0

  init() {
    capacity = 2 * Self.partSize
    start = .allocate(byteCount: capacity, alignment: 1)
    append(Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8))
  }

  deinit { start.deallocate() }

  /// Appends a row.
  ///
  /// - Returns: whether all columns can hold their values.
  mutating func append(_ row: [Value], _ types: [TypeID]) -> Bool {
    append(Int16(clamping: row.count))
    for position in row.indices {
      guard position < types.count, append(row[position], as: types[position]) else { return false }
    }
    return true
  }

  /// Marks the end of the rows.
  mutating func finish() { append(Int16(-1)) }

  /// Whether there is enough to be sent.
  var isFull: Bool { count >= Self.partSize }

  /// Passes the bytes so far to a closure, and starts again after them.
  mutating func send<Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try body(UnsafeRawBufferPointer(start: start, count: count))
    count = 0
  }

  // The server processes one part while the next is made.
  private static let partSize = 1 << 16

  // MARK: Values

  /// Appends the length of a value, -1 for null, and its bytes. The most common types have a fast path.
  private mutating func append(_ value: Value, as type: TypeID) -> Bool {
    switch (value, type) {
    case (.null, _): append(Int32(-1))
    case (.integer(let integer), .int8):
      append(Int32(8))
      append(integer)
    case (.real(let real), .float8):
      append(Int32(8))
      append(real.bitPattern)
    case (.text(var text), .text):
      text.withUTF8 { text in
        append(Int32(clamping: text.count))
        append(bytes: UnsafeRawBufferPointer(text))
      }
    default:
      var bytes: [UInt8] = []
      guard bytes.writeCounted(value, as: type) else { return false }
      append(bytes)
    }
    return true
  }

  private mutating func append(_ integer: some FixedWidthInteger) {
    let size = integer.bitWidth / 8
    reserve(size)
    start.storeBytes(of: integer.bigEndian, toByteOffset: count, as: type(of: integer))
    count += size
  }

  private mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append(bytes: $0) } }

  private mutating func append(bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let base = bytes.baseAddress { (start + count).copyMemory(from: base, byteCount: bytes.count) }
    count += bytes.count
  }

  private mutating func reserve(_ size: Int) { if capacity - count < size { grow(by: size) } }

  private mutating func grow(by size: Int) {
    capacity = max(2 * capacity, count + size)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    larger.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = larger
  }
}
