import CSV
import Query

/// Reads records in which some columns have numbers with a currency, a percent sign or parentheses.
final class SignedNumberReader: RecordReader {
  /// The number of bytes that are reserved for a number, which is never longer than its field.
  private static let room = SignedNumber.maximumByteCount

  private let reader: any RecordReader
  private let file: String
  private let columns: [Int]
  private let units: NumberUnits
  /// The position of each of the columns among the units.
  private let unitPositions: [Int]
  /// The numbers of the record, each in a place of its own, and their lengths; 0 for a field that was not converted.
  private let places: UnsafeMutableBufferPointer<UInt8>
  private var lengths: [Int]

  /// - Parameters:
  ///   - names: the names of the columns.
  ///   - units: the units that the files of the import have so far.
  /// - Throws: ``ImportError`` where one is not there.
  init(
    _ reader: any RecordReader, in names: [String], _ units: NumberUnits, of file: String
  ) throws(ImportError) {
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
    self.units = units
    unitPositions = columns.map { units.position(of: reader.names[$0]) }
    lengths = [Int](repeating: 0, count: reader.names.count)
    places = .allocate(capacity: max(1, lengths.count * Self.room))
  }

  deinit { places.deallocate() }

  var names: [String] { reader.names }
  var line: Int { reader.line }
  var offset: Int { reader.offset }

  func next() throws -> Bool {
    guard try reader.next() else { return false }
    for (index, position) in columns.enumerated() {
      lengths[position] = 0
      let field = reader.field(at: position)
      if field.kind != .untyped || field.bytes.isEmpty { continue }
      guard let signed = SignedNumber(field.bytes), let number = signed.number(in: field.numberStyle) else {
        throw noNumber(field, position)
      }
      let example = {
        NumberUnits.Example(unit: signed.unit, text: field.text, file: self.file, line: self.line)
      }
      if let other = units.columns[unitPositions[index]].take(unit: signed.unit, isZero: signed.isZero, example) {
        throw otherUnit(example(), than: other, position)
      }
      lengths[position] = number.utf8.count
      for (index, byte) in number.utf8.enumerated() { places[position * Self.room + index] = byte }
    }
    return true
  }

  private func otherUnit(_ number: NumberUnits.Example, than other: NumberUnits.Example, _ position: Int) -> BadRow {
    let name = names[position]
    return BadRow(
      error: ImportError(
        "\(file), line \(line): \(quoted(number.text)) in \(name) has \(number.description), "
          + "and \(quoted(other.text)) in line \(other.line) of \(other.file) \(other.description)",
        details: [
          "a column of numbers has one unit: leave \(name) out of --numbers to keep its texts, "
            + "or give each unit a column of its own"
        ]))
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
