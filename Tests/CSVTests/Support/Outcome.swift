import CSV

/// What came out of an input: the records before its end or its first error, and that error.
///
/// Texts are compared by their bytes, since `é` and its decomposed form are equal as strings.
struct Outcome: Equatable {
  struct Field: Equatable {
    var bytes: [UInt8]
    var isQuoted: Bool
  }

  struct Record: Equatable {
    var fields: [Field]
    var line: Int
  }

  private(set) var records: [Record] = []
  private(set) var values: [[String?]] = []
  private(set) var lines: [Int] = []
  private(set) var error: CSVError?

  /// Parses chunks that arrive one after another.
  init(parsing chunks: [ArraySlice<UInt8>], with parser: CSVParser = CSVParser()) {
    var parser = parser
    do {
      for chunk in chunks {
        try parser.consume(chunk.span) { add($0) }
      }
      try parser.finish { add($0) }
    } catch {
      self.error = error as? CSVError
    }
  }

  /// Parses text that arrives at once.
  init(parsing text: String, with parser: CSVParser = CSVParser()) {
    self.init(parsing: [Array(text.utf8)[...]], with: parser)
  }

  private mutating func add(_ record: CSVRecord) {
    values.append(record.fields.map(\.value))
    lines.append(record.line)
    let fields = record.fields.map { Field(bytes: Array($0.text.utf8), isQuoted: $0.isQuoted) }
    records.append(Record(fields: fields, line: record.line))
  }
}

/// The bytes of each value, for a comparison that canonical equivalence does not soften.
func exact(_ records: [[String?]]) -> [[[UInt8]?]] {
  records.map { record in record.map { value in value.map { Array($0.utf8) } } }
}
