import CSV
import Query

/// Reads records in which some columns have numbers with a currency, a percent sign or parentheses.
final class SignedNumberReader: RecordReader {
  /// The number of bytes that are reserved for a number, which is never longer than its field.
  private static let room = SignedNumber.maximumByteCount

  private let reader: any RecordReader
  private let file: String
  private let columns: [Int]
  /// For each of the columns, the unit of its first number, and where that stands.
  private var units: [Int: (unit: String, line: Int)] = [:]
  /// The numbers of the record, each in a place of its own, and their lengths; 0 for a field that was not converted.
  private let places: UnsafeMutableBufferPointer<UInt8>
  private var lengths: [Int]

  /// - Parameter names: the names of the columns.
  /// - Throws: ``ImportError`` where one is not there.
  init(_ reader: any RecordReader, in names: [String], of file: String) throws(ImportError) {
    (self.reader, self.file) = (reader, file)
    let columns = try names.map { name throws(ImportError) in
      if let position = reader.names.firstIndex(where: { Name($0) == name }) { return position }
      throw ImportError(
        "--numbers: no column \(name) in \(file)",
        details: [
          NearestName.nearest(to: name, in: reader.names).map { "did you mean \($0)?" }
            ?? "its columns are \(reader.names.joined(separator: ", "))"
        ], isUsageError: true)
    }
    self.columns = columns
    lengths = [Int](repeating: 0, count: reader.names.count)
    places = .allocate(capacity: max(1, lengths.count * Self.room))
  }

  deinit { places.deallocate() }

  var names: [String] { reader.names }
  var line: Int { reader.line }
  var offset: Int { reader.offset }

  func next() throws -> Bool {
    guard try reader.next() else { return false }
    for position in columns {
      lengths[position] = 0
      let field = reader.field(at: position)
      if field.kind != .untyped || field.bytes.isEmpty { continue }
      guard let signed = SignedNumber(field.bytes), let number = signed.number(in: field.numberStyle) else {
        throw noNumber(field, position)
      }
      let first = units[position] ?? (signed.unit, line)
      units[position] = first
      if first.unit != signed.unit {
        throw BadRow(
          error: ImportError(
            "\(file), line \(line): \(quoted(field.text)) in \(names[position]) has another unit than line \(first.line)",
            details: [
              "numbers of different units are no numbers of one column; --types \(names[position])=text keeps all"
            ]))
      }
      lengths[position] = number.utf8.count
      for (index, byte) in number.utf8.enumerated() { places[position * Self.room + index] = byte }
    }
    return true
  }

  /// The error for a text in such a column: without what stands around its other numbers, it would keep less than the file has.
  private func noNumber(_ field: ImportField, _ position: Int) -> BadRow {
    let styles = [(NumberStyle.thousandsComma, "--thousands-comma"), (.decimalComma, "--decimal-comma")]
    let signed = SignedNumber(field.bytes)
    let fitting = styles.filter { style, _ in signed?.number(in: style) != nil }.map(\.1)
    return BadRow(
      error: ImportError(
        "\(file), line \(line): \(quoted(field.text)) in \(names[position]) is no number",
        details: [
          fitting.isEmpty
            ? "leave \(names[position]) out of --numbers to keep its texts"
            : "\(fitting.joined(separator: " or ")) reads it"
        ]))
  }

  func field(at position: Int) -> ImportField {
    guard lengths.indices.contains(position), lengths[position] > 0 else { return reader.field(at: position) }
    let start = position * Self.room
    return ImportField(
      kind: .untyped, bytes: UnsafeBufferPointer(rebasing: places[start..<start + lengths[position]]))
  }

  func hasField(at position: Int) -> Bool { reader.hasField(at: position) }
}
