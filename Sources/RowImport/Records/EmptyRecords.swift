/// The records without a value at the end of a file, as spreadsheets write them for rows that were emptied.
struct EmptyRecords {
  private var counts: [(file: String, count: Int)] = []

  /// Takes a record into account.
  mutating func observe(_ reader: any RecordReader, of file: String) {
    if counts.last?.file != file { counts.append((file, 0)) }
    let isEmpty = Self.isEmpty(reader)
    counts[counts.count - 1].count = isEmpty ? counts[counts.count - 1].count + 1 : 0
  }

  /// Whether a record of several fields has no value.
  static func isEmpty(_ reader: any RecordReader) -> Bool {
    reader.names.count > 1 && reader.names.indices.allSatisfy { reader.field(at: $0).isAbsent }
  }

  /// The note on what becomes of them.
  var notes: [String] {
    counts.filter { $0.count > 0 }.map { file, count in
      let records =
        count == 1
        ? "the last record of \(file) has no value and becomes a row"
        : "the last \(count) records of \(file) have no value and become rows"
      return "\(records) of nulls; --pad skips \(count == 1 ? "the record" : "the records")"
    }
  }

  /// The note about those that `--pad` left out, wherever in a file they are; `nil` if there was none.
  static func note(leftOut count: Int, of file: String) -> String? {
    switch count {
    case 0: nil
    case 1: "skipped 1 record of \(file) without a value"
    default: "skipped \(count) records of \(file) without a value"
    }
  }
}
