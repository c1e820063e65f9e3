import CSV

/// What holds for every text that is read as CSV, whatever its delimiter.
enum CSVLaws {
  private static let delimiters: [CSVDelimiter] = [.comma, .semicolon, .tab, .pipe]

  static func check(_ text: String) {
    let bytes = Array(text.utf8)
    for delimiter in delimiters { check(bytes, delimiter) }
  }

  private static func check(_ bytes: [UInt8], _ delimiter: CSVDelimiter) {
    let whole = read(bytes, delimiter, pieces: .max)
    for pieces in [1, 7] {
      let parts = read(bytes, delimiter, pieces: pieces)
      Law.require(
        parts.records == whole.records && parts.error == whole.error, "it does not matter where a chunk of CSV ends",
        [String(decoding: bytes, as: UTF8.self), "\(whole)", "\(parts)"])
    }
    // A blank line is a record where the first one has one field.
    guard whole.error == nil, let first = whole.records.first else { return }
    let writer = CSVWriter(delimiter: delimiter)
    var written: [UInt8] = []
    for record in whole.records { writer.append(record.fields.map(\.value), to: &written) }
    if first.fields.map(\.value) == [nil] { return }
    let again = read(written, delimiter, pieces: .max)
    Law.require(
      again.records.map { $0.fields.map(\.value) } == whole.records.map { $0.fields.map(\.value) },
      "what CSV is written of is read from it",
      [String(decoding: bytes, as: UTF8.self), String(decoding: written, as: UTF8.self)])
  }

  /// The records of a text that comes in pieces, and what is wrong with it.
  private static func read(
    _ bytes: [UInt8], _ delimiter: CSVDelimiter, pieces: Int
  ) -> (records: [CSVRecord], error: String?) {
    var parser = CSVParser(delimiter: delimiter, maximumFieldSize: 10_000)
    var records: [CSVRecord] = []
    do {
      var start = 0
      while start < bytes.count {
        let end = start + min(pieces, bytes.count - start)
        try parser.consume(bytes.span.extracting(start..<end)) { records.append($0) }
        start = end
      }
      try parser.finish { records.append($0) }
      return (records, nil)
    } catch let error as CSVError {
      return (records, "\(error)")
    } catch {
      Law.require(false, "an error of CSV has its type", ["\(error)"])
      return (records, nil)
    }
  }
}
