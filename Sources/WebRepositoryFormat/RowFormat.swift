package import Query

/// How rows travel: as JSON objects with a field for each column, in the order of the columns, or as arrays.
///
/// A value is written as plain JSON where the column's type tells what it means: a number of a column of reals is a real, a
/// text of a column of blobs is base64. Any other value says its kind: `{"real": "infinity"}`, `{"blob": "AQI="}`.
package struct RowFormat: Sendable {
  package let columns: [ColumnSchema]
  /// Whether fields of other columns are passed over, such as those that a server of a later version sends.
  private let ignoresOthers: Bool
  /// What stands before each value: `{"id":` and `,"name":`.
  private let heads: [[UInt8]]

  package init(_ columns: [ColumnSchema], ignoringOthers ignoresOthers: Bool = false) {
    (self.columns, self.ignoresOthers) = (columns, ignoresOthers)
    heads = columns.enumerated().map { position, column in
      var head: [UInt8] = [UInt8(ascii: position == 0 ? "{" : ",")]
      JSONString.append(column.name, to: &head)
      head.append(UInt8(ascii: ":"))
      return head
    }
  }

  /// Writes a row as an object.
  package func append(_ row: [Value], to output: inout [UInt8]) {
    for (position, value) in row.enumerated() {
      output += heads[position]
      Self.append(value, of: columns[position].type, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Writes values as an array, each with its kind where JSON does not tell it.
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
    case .integer(let integer): output += integer.description.utf8
    // It always has a point or an exponent.
    case .real(let real) where real.isFinite: output += real.description.utf8
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

  /// Writes a text: as a whole where nothing of it has to be escaped, as nearly always.
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

  /// Reads an object: the value of each column, and `nil` for one that it does not name.
  ///
  /// - Throws: ``JSONCodingError``, for an unknown or repeated field, too.
  package func row(from bytes: some Collection<UInt8>) throws(JSONCodingError) -> [Value?] {
    try Self.read(bytes) { reader throws(JSONTokenizer.Failure) in
      let row = try reader.object(self, ignoringOthers: ignoresOthers)
      try reader.end()
      return row
    }
  }

  /// Reads an object, or an array of objects.
  ///
  /// - Returns: the rows, and whether they stood in an array.
  package func rows(from bytes: some Collection<UInt8>) throws(JSONCodingError) -> (rows: [[Value?]], isArray: Bool) {
    try Self.read(bytes) { reader throws(JSONTokenizer.Failure) in
      let isArray = try reader.isAtArray()
      let rows =
        isArray
        ? try reader.array { reader throws(JSONTokenizer.Failure) in
          try reader.object(self, ignoringOthers: ignoresOthers)
        }
        : [try reader.object(self, ignoringOthers: ignoresOthers)]
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
    // A closure that throws one type can't be passed on in every collection's method of this kind.
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
