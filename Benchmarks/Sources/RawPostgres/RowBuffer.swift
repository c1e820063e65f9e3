import Model

/// Rows in the binary format of `COPY`, in memory that is used again: the number of the columns, and for each column its
/// length and its bytes. https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4
struct RowBuffer: ~Copyable {
  private var bytes = UnsafeMutableRawPointer.allocate(byteCount: 1 << 17, alignment: 8)
  private var capacity = 1 << 17
  private(set) var count = 0

  deinit { bytes.deallocate() }

  mutating func removeAll() { count = 0 }

  mutating func appendCopyHeader() {
    for byte in Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A] + [UInt8](repeating: 0, count: 9) { write(byte) }
  }

  mutating func appendCopyEnd() { write(Int16(-1).bigEndian) }

  @inline(__always)
  mutating func append(_ pokemon: Pokemon) {
    write(Int16(10).bigEndian)
    append(pokemon.id)
    append(pokemon.name)
    append(pokemon.type.rawValue)
    append(pokemon.secondType?.rawValue)
    append(pokemon.weight)
    append(pokemon.height)
    append(pokemon.generation)
    append(pokemon.isLegendary ? 1 : 0)
    append(pokemon.habitat)
    append(pokemon.text)
  }

  func withBytes<Result>(_ body: (UnsafeBufferPointer<CChar>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: CChar.self), count: count))
  }

  /// Lends the values of the one row, their lengths and their formats.
  func withParameters<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 10) { values in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 20) { numbers in
        var offset = 2
        for column in 0..<10 {
          let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
          offset += 4
          values.initializeElement(
            at: column, to: length < 0 ? nil : UnsafePointer(bytes.assumingMemoryBound(to: CChar.self) + offset))
          numbers.initializeElement(at: column, to: max(0, length))
          numbers.initializeElement(at: 10 + column, to: 1)
          offset += Int(max(0, length))
        }
        let start = numbers.baseAddress.unsafelyUnwrapped
        return body(values.baseAddress.unsafelyUnwrapped, start, start + 10)
      }
    }
  }

  // MARK: Values

  @inline(__always)
  private mutating func append(_ number: Int) {
    write(Int32(8).bigEndian)
    write(number.bigEndian)
  }

  @inline(__always)
  private mutating func append(_ number: Double) {
    write(Int32(8).bigEndian)
    write(number.bitPattern.bigEndian)
  }

  @inline(__always)
  private mutating func append(_ text: String?) {
    guard var text else { return write(Int32(-1).bigEndian) }
    text.withUTF8 { text in
      write(Int32(text.count).bigEndian)
      reserve(text.count)
      if let start = text.baseAddress { (bytes + count).copyMemory(from: start, byteCount: text.count) }
      count += text.count
    }
  }

  @inline(__always)
  private mutating func write(_ integer: some BitwiseCopyable) {
    let size = MemoryLayout.size(ofValue: integer)
    reserve(size)
    (bytes + count).storeBytes(of: integer, as: type(of: integer))
    count += size
  }

  @inline(__always)
  private mutating func reserve(_ size: Int) {
    if count + size > capacity { grow(by: size) }
  }

  private mutating func grow(by size: Int) {
    capacity = 2 * (count + size)
    let greater = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    greater.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = greater
  }
}
