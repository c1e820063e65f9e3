#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
package import Query
package import Repository

/// Rows of values in the order in which they were added: the first ones in memory, and the rest in a temporary file, so that all
/// rows of a change can be shown, whatever their number.
package final class RowSpool {
  /// The maximum number of rows in memory.
  private static let mostInMemory = 4_096
  /// The maximum size of the rows in memory in bytes.
  static let mostBytesInMemory = 16 << 20

  private var rows: [[Value]] = []
  /// The approximate size of the rows in memory in bytes.
  private(set) var bytesInMemory = 0
  private var file: UnsafeMutablePointer<FILE>?
  /// The number of rows.
  package private(set) var count = 0

  package init() {}

  deinit { if let file { fclose(file) } }

  /// Adds a row. All rows have to be added before the first is read.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where the temporary file can't be written.
  package func append(_ row: [Value]) throws(RepositoryError) {
    let size = row.reduce(0) { $0 + Self.size(of: $1) }
    // Rows behind one in the file are there, too.
    if file == nil, rows.count < Self.mostInMemory, bytesInMemory + size <= Self.mostBytesInMemory {
      rows.append(row)
      bytesInMemory += size
    } else {
      if file == nil { file = tmpfile() }
      var bytes: [UInt8] = []
      Self.append(row.count, to: &bytes)
      for value in row { Self.append(value, to: &bytes) }
      guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Self.failure(to: "write") }
    }
    count += 1
  }

  /// Passes the rows to a closure until it returns `false`.
  ///
  /// - Throws: what the closure throws, and ``/Repository/RepositoryError`` where the temporary file can't be read.
  package func forEach(_ body: ([Value]) throws -> Bool) throws {
    for row in rows where try !body(row) { return }
    guard let file else { return }
    guard fflush(file) == 0, fseek(file, 0, SEEK_SET) == 0 else { throw Self.failure(to: "read") }
    for _ in rows.count..<count {
      let columns = try Self.integer(from: file)
      var row: [Value] = []
      row.reserveCapacity(columns)
      for _ in 0..<columns { row.append(try Self.value(from: file)) }
      if try !body(row) { return }
    }
  }

  private static func failure(to verb: String) -> RepositoryError {
    RepositoryError(
      .inputOutput, "can't \(verb) the temporary file of rows",
      reason: strerror(errno).map { String(cString: $0) },
      suggestion: "free space in the folder for temporary files, or select fewer rows")
  }

  // MARK: - Bytes

  private static func size(of value: Value) -> Int {
    let content =
      switch value {
      case .text(let text): text.utf8.count
      case .blob(let blob): blob.count
      case .null, .integer, .real: 0
      }
    return MemoryLayout<Value>.stride + content
  }

  private static func append(_ integer: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var rest = UInt64(truncatingIfNeeded: integer)
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      append(integer, to: &bytes)
    case .real(let real):
      bytes.append(2)
      append(real.bitPattern, to: &bytes)
    case .text(let text):
      bytes.append(3)
      append(text.utf8.count, to: &bytes)
      bytes += text.utf8
    case .blob(let blob):
      bytes.append(4)
      append(blob.count, to: &bytes)
      bytes += blob
    }
  }

  private static func bytes(_ count: Int, from file: UnsafeMutablePointer<FILE>) throws(RepositoryError) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = buffer.baseAddress.map { fread($0, 1, count, file) } ?? 0
    }
    guard bytes.count == count else { throw failure(to: "read") }
    return bytes
  }

  private static func integer(from file: UnsafeMutablePointer<FILE>) throws(RepositoryError) -> Int {
    Int(Int64(bitPattern: try bytes(8, from: file).reversed().reduce(0) { $0 << 8 | UInt64($1) }))
  }

  private static func value(from file: UnsafeMutablePointer<FILE>) throws(RepositoryError) -> Value {
    switch try bytes(1, from: file)[0] {
    case 0: return .null
    case 1: return .integer(Int64(try integer(from: file)))
    case 2: return .real(Double(bitPattern: UInt64(bitPattern: Int64(try integer(from: file)))))
    case 3: return .text(String(decoding: try bytes(try integer(from: file), from: file), as: UTF8.self))
    default: return .blob(try bytes(try integer(from: file), from: file))
    }
  }
}
