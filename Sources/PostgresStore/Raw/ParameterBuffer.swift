import Query

/// The parameters of a statement in libpq's form: each in the binary format of its type, or as a text.
///
/// https://www.postgresql.org/docs/15/libpq-exec.html#LIBPQ-PQEXECPARAMS
struct ParameterBuffer {
  /// The memory that holds a value.
  private enum Storage {
    case null
    case kept(offset: Int)
    case borrowed(UnsafePointer<CChar>)
  }

  private var bytes: [UInt8] = []
  private var storages: [Storage] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  var count: Int { storages.count }

  /// Whether the server would refuse the statement's parameters for their size, and end the session.
  ///
  /// The limit is `PQ_LARGE_MESSAGE_LIMIT`, minus the rest of the message:
  /// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/libpq/libpq.h
  var isTooBig: Bool { lengths.reduce(0) { $0 + Int(max(0, $1)) + 4 } > 0x3FFF_0000 }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    storages.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    formats.removeAll(keepingCapacity: true)
  }

  /// Passes the pointers to the values, their lengths and their formats to a closure.
  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: storages.count) { pointers in
        for (position, storage) in storages.enumerated() {
          switch storage {
          case .null: pointers.initializeElement(at: position, to: nil)
          case .kept(let offset): pointers.initializeElement(at: position, to: start.map { $0 + offset })
          case .borrowed(let text): pointers.initializeElement(at: position, to: text)
          }
        }
        return lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }

  // MARK: Appending

  /// Appends a value for a parameter of a type.
  ///
  /// - Returns: whether the type can hold the value; nothing was appended otherwise.
  mutating func append(_ value: Value, as type: TypeID) -> Bool {
    if value.isNull {
      append(.null, length: 0, isBinary: true)
      return true
    }
    let start = bytes.count
    guard let isBinary = bytes.write(value, as: type) else {
      bytes.removeLast(bytes.count - start)
      return false
    }
    appendKept(from: start, isBinary: isBinary)
    return true
  }

  /// Appends an array of values for a parameter of an array's type.
  mutating func append(_ list: [Value], as type: TypeID) -> Bool {
    guard let item = type.item else { return false }
    let start = bytes.count
    // https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/arrayfuncs.c, `array_recv`
    bytes.write(bigEndian: Int32(list.isEmpty ? 0 : 1))
    bytes.write(bigEndian: Int32(list.contains { $0.isNull } ? 1 : 0))
    bytes.write(bigEndian: item.rawValue)
    if !list.isEmpty {
      bytes.write(bigEndian: Int32(clamping: list.count))
      bytes.write(bigEndian: Int32(1))
    }
    for value in list {
      guard bytes.writeCounted(value, as: item) else {
        bytes.removeLast(bytes.count - start)
        return false
      }
    }
    appendKept(from: start, isBinary: true)
    return true
  }

  /// Appends a text that remains valid until the statement has been sent.
  mutating func append(borrowed text: UnsafeBufferPointer<UInt8>, as type: TypeID) -> Bool {
    guard type.isText, let start = text.baseAddress else {
      return append(.text(String(decoding: text, as: UTF8.self)), as: type)
    }
    append(
      .borrowed(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)), length: text.count, isBinary: true)
    return true
  }

  private mutating func appendKept(from start: Int, isBinary: Bool) {
    append(.kept(offset: start), length: bytes.count - start, isBinary: isBinary)
    // libpq expects a NUL at the end of a value that is sent as text.
    bytes.append(0)
  }

  private mutating func append(_ storage: Storage, length: Int, isBinary: Bool) {
    storages.append(storage)
    lengths.append(Int32(clamping: length))
    formats.append(isBinary ? 1 : 0)
  }
}

// MARK: - Values

extension [UInt8] {
  /// Writes the length of a value, -1 for null, and its bytes in the binary format of a type.
  ///
  /// - Returns: whether the type can hold the value.
  mutating func writeCounted(_ value: Value, as type: TypeID) -> Bool {
    let start = count
    write(bigEndian: Int32(-1))
    if value.isNull { return true }
    guard write(value, as: type) == true else { return false }
    overwrite(at: start, bigEndian: Int32(clamping: count - start - 4))
    return true
  }

  /// Writes a value in a format of a type.
  ///
  /// - Returns: whether the format is the binary one, rather than text; `nil` if the type can't hold the value.
  fileprivate mutating func write(_ value: Value, as type: TypeID) -> Bool? {
    switch value {
    case .null: nil
    case .integer(let integer): write(integer, as: type)
    case .real(let real): write(real, as: type)
    case .text(let text): write(text, as: type)
    case .blob(let blob): write(blob, as: type)
    }
  }

  private mutating func write(_ integer: Int64, as type: TypeID) -> Bool? {
    switch type {
    case .int8: write(bigEndian: integer)
    case .int4:
      guard let integer = Int32(exactly: integer) else { return nil }
      write(bigEndian: integer)
    case .int2:
      guard let integer = Int16(exactly: integer) else { return nil }
      write(bigEndian: integer)
    case .oid:
      guard let integer = UInt32(exactly: integer) else { return nil }
      write(bigEndian: integer)
    case .bool:
      guard integer == 0 || integer == 1 else { return nil }
      append(UInt8(integer))
    case .float8, .float4:
      guard let real = Double(exactly: integer) else { return nil }
      return write(real, as: type)
    case .numeric: return writeNumeric(String(integer))
    default: return nil
    }
    return true
  }

  private mutating func write(_ real: Double, as type: TypeID) -> Bool? {
    switch type {
    case .float8: write(bigEndian: real.bitPattern)
    case .float4:
      guard let real = Float(exactly: real) else { return nil }
      write(bigEndian: real.bitPattern)
    case .numeric where real.isFinite: return writeNumeric(String(real))
    default: return nil
    }
    return true
  }

  private mutating func write(_ text: String, as type: TypeID) -> Bool? {
    switch type {
    case .uuid:
      if let bytes = UUIDText.bytes(text) {
        append(contentsOf: bytes)
        return true
      }
    // Other notations of a time are parsed by the server.
    case .timestamp, .timestamptz:
      if let microseconds = TimestampText.microseconds(text) {
        write(bigEndian: microseconds)
        return true
      }
    case .date:
      if let day = DayText.day(text) {
        write(bigEndian: day)
        return true
      }
    case .numeric:
      if let number = DecimalText.plain(text) { return writeNumeric(number) }
    default: break
    }
    // A value that is sent as text ends at U+0000.
    if !type.isText, text.utf8.contains(0) { return nil }
    append(contentsOf: text.utf8)
    return type.isText
  }

  /// Writes a decimal number, `12.5` or `1e-05`, in groups of four digits.
  /// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/numeric.c, `numeric_recv`
  private mutating func writeNumeric(_ number: String) -> Bool? {
    let isNegative = number.hasPrefix("-")
    let parts = number.drop { $0 == "-" }.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var fraction = mantissa.count > 1 && mantissa[1] != "0" ? Array(mantissa[1].utf8) : []
    var digits = Array(mantissa[0].utf8) + fraction
    // The numbers of digits before and after the point.
    var whole = mantissa[0].utf8.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    let scale = Swift.max(0, digits.count - whole)
    if whole < 0 {
      digits = [UInt8](repeating: UInt8(ascii: "0"), count: -whole) + digits
      whole = 0
    }
    if whole > digits.count { digits += [UInt8](repeating: UInt8(ascii: "0"), count: whole - digits.count) }
    fraction = Array(digits[whole...])
    // Groups begin at the point, in both directions.
    let before = (4 - whole % 4) % 4
    let after = (4 - fraction.count % 4) % 4
    let zero = UInt8(ascii: "0")
    digits = [UInt8](repeating: zero, count: before) + digits + [UInt8](repeating: zero, count: after)
    var groups = stride(from: 0, to: digits.count, by: 4).map { start in
      digits[start..<start + 4].reduce(Int16(0)) { $0 * 10 + Int16($1 - zero) }
    }
    var weight = (whole + before) / 4 - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    write(bigEndian: Int16(clamping: groups.count))
    write(bigEndian: Int16(clamping: groups.isEmpty ? 0 : weight))
    write(bigEndian: isNegative && !groups.isEmpty ? Int16(0x4000) : 0)
    write(bigEndian: Int16(clamping: scale))
    for group in groups { write(bigEndian: group) }
    return true
  }

  private mutating func write(_ blob: [UInt8], as type: TypeID) -> Bool? {
    guard type == .bytea else { return nil }
    append(contentsOf: blob)
    return true
  }

  mutating func write(bigEndian integer: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
  }

  private mutating func overwrite(at offset: Int, bigEndian integer: Int32) {
    Swift.withUnsafeBytes(of: integer.bigEndian) { replaceSubrange(offset..<offset + 4, with: $0) }
  }
}
