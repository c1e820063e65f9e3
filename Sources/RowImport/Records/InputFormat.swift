import CSV

/// The formats in which rows can be read.
package enum InputFormat: String, CaseIterable, Sendable {
  case csv, tsv, json, ndjson

  /// The description of the format for the help.
  package var help: String {
    switch self {
    case .csv: "RFC 4180 with a header; an empty field is null, a quoted empty field is empty text"
    case .tsv: "one row a line, with a header; null is \\N, and tabs and line breaks are \\t and \\n"
    case .json: "an array of objects"
    case .ndjson: "one object after another, usually one a line"
    }
  }

  /// Returns the format that a file's name implies; `nil` if it implies none.
  package init?(ofPath path: String) {
    var name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? [][...]
    if name.count > 3, name.suffix(3).elementsEqual(".gz".utf8) { name = name.dropLast(3) }
    guard let point = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch String(decoding: name[point...], as: UTF8.self).lowercased() {
    case ".csv": self = .csv
    case ".tsv", ".tab": self = .tsv
    case ".json": self = .json
    case ".ndjson", ".jsonl": self = .ndjson
    default: return nil
    }
  }
}

extension InputFormat {
  /// Makes the reader of the records of an input.
  func reader(
    of window: ByteWindow, _ name: String, _ names: RecordNames, _ options: DelimitedOptions,
    noteGuess: (CSVDelimiter) -> Void
  ) throws(ImportError) -> any RecordReader {
    try FileSignature.check(window, of: name)
    switch self {
    case .csv:
      if options.isFormatAssumed { try FileSignature.checkIsNotJSON(window, of: name) }
      let (delimiter, options) = try options.completed(by: window, name, noteGuess: noteGuess)
      return try DelimitedRecordReader(window, .csv(delimiter, options.layout), options, of: name)
    case .tsv: return try DelimitedRecordReader(window, .tsv, options, of: name)
    case .json, .ndjson: return JSONRecordReader(window, of: name, names, path: options.path)
    }
  }
}
