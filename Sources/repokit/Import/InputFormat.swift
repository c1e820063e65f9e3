/// The forms in which rows can be read.
enum InputFormat: String, CaseIterable {
  case csv, tsv, json, ndjson

  /// What the format is like, for the help.
  var help: String {
    switch self {
    case .csv: "RFC 4180 under a line of names; an empty field is null, a quoted empty one the empty text"
    case .tsv: "a line a row under a line of names; null is \\N, and tabs and line breaks are \\t and \\n"
    case .json: "an array of objects"
    case .ndjson: "one object after the other, usually one a line"
    }
  }

  /// The format that a file's name tells; `nil` where it tells none.
  init?(ofPath path: String) {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? [][...]
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
