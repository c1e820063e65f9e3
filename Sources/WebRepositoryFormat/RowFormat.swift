package import Query

/// The encoding of rows: as JSON objects with a field for each column, in the order of the columns, or as arrays.
///
/// A value is plain JSON if the column's type determines its interpretation: a number in a column of reals is a real, a text
/// in a column of blobs is base64. Any other value is tagged with its kind: `{"real": "infinity"}`, `{"blob": "AQI="}`.
package struct RowFormat: Sendable {
  package let columns: [ColumnSchema]
  /// Whether fields of other columns are ignored, such as those that a server of a later version sends.
  private let ignoresOthers: Bool
  /// The names of columns whose fields are read and ignored.
  private let ignored: [String]
  /// The texts before each value, concatenated: `{"id":` and `,"name":`.
  private let heads: [UInt8]
  /// The end of each text in ``heads``.
  private let ends: [Int]
  /// The types of the columns in an array of their own: to read a type from its column would retain each part of the column.
  private let types: [ValueType]

  /// - Parameters:
  ///   - ignoresOthers: whether fields of other columns are ignored rather than refused.
  ///   - ignored: the names of other columns whose fields are ignored in any case.
  package init(_ columns: [ColumnSchema], ignoringOthers ignoresOthers: Bool = false, ignoring ignored: [String] = []) {
    (self.columns, self.ignoresOthers, self.ignored) = (columns, ignoresOthers, ignored)
    types = columns.map(\.type)
    var heads: [UInt8] = []
    ends = columns.enumerated().map { position, column in
      heads.append(UInt8(ascii: position == 0 ? "{" : ","))
      JSONString.append(column.name, to: &heads)
      heads.append(UInt8(ascii: ":"))
      return heads.count
    }
    self.heads = heads
  }

  /// Returns whether a field that belongs to no column is ignored.
  func ignores(_ field: String) -> Bool { ignoresOthers || ignored.contains { Name($0) == field } }

  /// Writes a row as an object.
  package func append(_ row: [Value], to output: inout [UInt8]) {
    // The row is read through a pointer, so that only the values that are written are copied or retained.
    row.withUnsafeBufferPointer { row in
      heads.withUnsafeBufferPointer { heads in
        var start = 0
        for position in row.indices {
          let end = ends[position]
          output.append(contentsOf: UnsafeBufferPointer(rebasing: heads[start..<end]))
          start = end
          Self.append(row[position], of: types[position], to: &output)
        }
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Writes values as an array, each with its kind if JSON does not determine it.
  package static func append(array values: [Value], to output: inout [UInt8]) {
    for (position, value) in values.enumerated() {
      output.append(UInt8(ascii: position == 0 ? "[" : ","))
      append(value, of: .any, to: &output)
    }
    output += (values.isEmpty ? "[]" : "]").utf8
  }

  package static func append(_ value: Value, of type: ValueType, to output: inout [UInt8]) {
    switch value {
    case .null: output += "null".utf8
    case .integer(let integer) where type == .real: output += "{\"integer\":\(integer)}".utf8
    case .integer(let integer): append(integer, to: &output)
    case .real(let real) where real.isFinite: append(real, to: &output)
    case .real(let real): output += "{\"real\":\"\(real < 0 ? "-" : "")infinity\"}".utf8
    case .text(let text) where type == .blob:
      output += "{\"text\":".utf8
      JSONString.append(text, to: &output)
      output.append(UInt8(ascii: "}"))
    case .text(let text): append(text, to: &output)
    case .blob(let bytes) where type == .blob: output += "\"\(Base64.text(bytes))\"".utf8
    case .blob(let bytes): output += "{\"blob\":\"\(Base64.text(bytes))\"}".utf8
    }
  }

  /// Writes the digits of an integer, as `description` does, without a string.
  private static func append(_ integer: Int64, to output: inout [UInt8]) {
    // The smallest integer has 19 digits and a sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, start) = (integer.magnitude, 20)
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if integer < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Writes a real as `description` does, so that it always has a point or an exponent. A real with at most two decimals, the
  /// most common kind, is written faster, by its hundredths: these digits are also the shortest that identify it.
  package static func append(_ real: Double, to output: inout [UInt8]) {
    let hundredths = (real * 100).rounded()
    // Up to this limit, different numbers with two decimals are different doubles, and `description` uses no exponent.
    guard hundredths.magnitude < 0x1p46, hundredths / 100 == real, hundredths != 0 else {
      var text = real.description
      return text.withUTF8 { output.append(contentsOf: $0) }
    }
    let (whole, rest) = Int64(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
    if real < 0 { output.append(UInt8(ascii: "-")) }
    append(whole, to: &output)
    output.append(UInt8(ascii: "."))
    let (tenths, last) = UInt8(truncatingIfNeeded: rest).quotientAndRemainder(dividingBy: 10)
    output.append(UInt8(ascii: "0") + tenths)
    if last > 0 { output.append(UInt8(ascii: "0") + last) }
  }

  /// Writes a text: all at once if nothing in it has to be escaped, the most common case.
  private static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      for byte in bytes where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: bytes)
      output.append(UInt8(ascii: "\""))
      return true
    }
    if !isPlain { JSONString.append(text, to: &output) }
  }

  /// Reads an object: the value of each column, and `nil` for a column that the object does not contain.
  ///
  /// - Throws: ``JSONCodingError``, for an unknown or repeated field, too.
  package func row(from bytes: some Collection<UInt8>) throws(JSONCodingError) -> [Value?] {
    try Self.read(bytes) { reader throws(JSONTokenizer.Failure) in
      let row = try reader.object(self)
      try reader.end()
      return row
    }
  }

  /// Reads an object, or an array of objects.
  ///
  /// - Returns: the rows, and whether they were in an array.
  package func rows(from bytes: some Collection<UInt8>) throws(JSONCodingError) -> (rows: [[Value?]], isArray: Bool) {
    try Self.read(bytes) { reader throws(JSONTokenizer.Failure) in
      let isArray = try reader.isAtArray()
      let rows =
        isArray
        ? try reader.array { reader throws(JSONTokenizer.Failure) in
          try reader.object(self)
        }
        : [try reader.object(self)]
      try reader.end()
      return (rows, isArray)
    }
  }

  /// Reads an array of values, as ``append(array:to:)`` has written it.
  package static func values(from bytes: some Collection<UInt8>) throws(JSONCodingError) -> [Value] {
    try read(bytes) { reader throws(JSONTokenizer.Failure) in
      let values = try reader.array { reader throws(JSONTokenizer.Failure) in try reader.value(of: .any) }
      try reader.end()
      return values
    }
  }

  private static func read<Form>(
    _ bytes: some Collection<UInt8>, _ read: (inout RowReader) throws(JSONTokenizer.Failure) -> Form
  ) throws(JSONCodingError) -> Form {
    // The bytes are copied, because `withContiguousStorageIfAvailable` takes no closure with typed throws.
    let bytes = ContiguousArray(bytes)
    return try bytes.withUnsafeBufferPointer { buffer throws(JSONCodingError) in
      var reader = RowReader(buffer)
      do throws(JSONTokenizer.Failure) {
        return try read(&reader)
      } catch {
        throw reader.error(error)
      }
    }
  }
}
