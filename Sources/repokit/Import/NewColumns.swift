import Query

/// The columns of a new table, as far as the files have shown them.
struct NewColumns {
  /// How many records there were.
  private(set) var count = 0
  /// The names where they stand at the start of each file.
  private var header: [String]?
  /// The names where each record has its own.
  let recordNames = RecordNames()
  private var findings: [ColumnFindings] = []
  /// For each column, the field of the current file.
  private var fields: [Int] = []
  private var firstFile = ""

  var names: [String] { header ?? recordNames.names }

  /// Begins with a file.
  ///
  /// - Throws: a failure where it has other columns than the first.
  mutating func begin(_ reader: any RecordReader, of input: InputFile) throws(Failure) {
    let hasHeader = !(reader is JSONRecordReader)
    if firstFile.isEmpty {
      firstFile = input.name
      if hasHeader { header = reader.names }
    }
    guard let header else {
      if !hasHeader { return }
      throw Failure(
        "\(input.name): a \(input.format.rawValue.uppercased()) file can't follow one of objects",
        details: ["import them one after the other, the second with --append"])
    }
    guard hasHeader else {
      throw Failure(
        "\(input.name): objects can't follow a \(firstFile) with a line of names",
        details: ["import them one after the other, the second with --append"])
    }
    fields = try header.map { name throws(Failure) in
      if let field = reader.names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return field }
      throw Failure("\(input.name): there is no column \(name)", details: ["\(firstFile) has one"])
    }
    if let other = reader.names.first(where: { name in !header.contains { $0.utf8.elementsEqual(name.utf8) } }) {
      throw Failure("\(input.name): there is a column \(other)", details: ["\(firstFile) has none"])
    }
  }

  /// Takes a record into account.
  mutating func observe(_ reader: any RecordReader) {
    count += 1
    while findings.count < names.count { findings.append(ColumnFindings()) }
    for position in findings.indices { findings[position].observe(field(position, of: reader)) }
  }

  /// The field of a column in the current record.
  func field(_ position: Int, of reader: any RecordReader) -> ImportField {
    reader.field(at: header == nil ? position : fields[position])
  }

  func type(_ position: Int) -> ValueType { position < findings.count ? findings[position].type : .text }

  func isEverAbsent(_ position: Int) -> Bool { position >= findings.count || findings[position].count < count }
}
