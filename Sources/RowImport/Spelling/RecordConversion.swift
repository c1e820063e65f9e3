/// A conversion of the fields of some columns to other texts, one record at a time.
protocol RecordConversion {
  /// The number of bytes of the longest text.
  static var room: Int { get }
  /// The positions of the columns.
  var columns: [Int] { get }

  /// Returns the text that takes the place of a field of the current record; `nil` to leave the field as it is.
  ///
  /// - Parameter column: the position of the field's column among ``columns``.
  /// - Throws: ``BadRow`` for a field that the column can't have.
  func text(for field: ImportField, of column: Int, in reader: any RecordReader) throws -> String?
}

/// A reader of records that converts some of their fields.
final class ConvertingReader<Conversion: RecordConversion>: RecordReader {
  private let reader: any RecordReader
  private let conversion: Conversion
  /// The texts of the record, each in a place of its own, and their lengths; 0 for a field that was not converted.
  private let places: UnsafeMutableBufferPointer<UInt8>
  private var lengths: [Int]

  init(_ reader: any RecordReader, _ conversion: Conversion) {
    (self.reader, self.conversion) = (reader, conversion)
    lengths = [Int](repeating: 0, count: reader.names.count)
    places = .allocate(capacity: max(1, lengths.count * Conversion.room))
  }

  deinit { places.deallocate() }

  var names: [String] { reader.names }
  var line: Int { reader.line }
  var offset: Int { reader.offset }

  func next() throws -> Bool {
    guard try reader.next() else { return false }
    for (column, position) in conversion.columns.enumerated() {
      lengths[position] = 0
      guard let text = try conversion.text(for: reader.field(at: position), of: column, in: reader) else { continue }
      lengths[position] = text.utf8.count
      for (index, byte) in text.utf8.enumerated() { places[position * Conversion.room + index] = byte }
    }
    return true
  }

  func field(at position: Int) -> ImportField {
    guard lengths.indices.contains(position), lengths[position] > 0 else { return reader.field(at: position) }
    let start = position * Conversion.room
    return ImportField(
      kind: .untyped, bytes: UnsafeBufferPointer(rebasing: places[start..<start + lengths[position]]))
  }

  func hasField(at position: Int) -> Bool { reader.hasField(at: position) }
}
