#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import CSV

/// A file of rows that can be read more than once.
package final class InputFile {
  /// What messages call it.
  package let name: String
  package let format: InputFormat
  /// Its size in bytes.
  package let size: Int
  private let descriptor: Int32
  private let start: off_t
  private let isOwned: Bool

  /// An input that starts at the descriptor's offset; the descriptor has to be that of a regular file.
  ///
  /// - Parameters:
  ///   - descriptor: is closed in the end where it is owned.
  ///   - name: what messages call it.
  package init(descriptor: Int32, isOwned: Bool, name: String, format: InputFormat) {
    (self.descriptor, self.isOwned, self.name, self.format) = (descriptor, isOwned, name, format)
    start = max(0, lseek(descriptor, 0, SEEK_CUR))
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size) - Int(start)) : 0
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// Reads the input from its start.
  ///
  /// - Parameter names: for records that have names of their own: the known ones, and what becomes of another.
  package func reader(_ names: RecordNames) throws(ImportError) -> any RecordReader {
    if lseek(descriptor, start, SEEK_SET) < 0 { throw ImportError("\(name) can't be read twice", code: errno) }
    let window = ByteWindow(fileDescriptor: descriptor)
    return switch format {
    case .csv: try CSVRecordReader(window, of: name)
    case .tsv: try TSVRecordReader(window, of: name)
    case .json, .ndjson: JSONRecordReader(window, of: name, names)
    }
  }
}

/// The forms in which rows can be read.
package enum InputFormat: String, CaseIterable, Sendable {
  case csv, tsv, json, ndjson

  /// What the format is like, for the help.
  package var help: String {
    switch self {
    case .csv: "RFC 4180 under a line of names; an empty field is null, a quoted empty one the empty text"
    case .tsv: "a line a row under a line of names; null is \\N, and tabs and line breaks are \\t and \\n"
    case .json: "an array of objects"
    case .ndjson: "one object after the other, usually one a line"
    }
  }

  /// The format by a file's name; `nil` where the name implies none.
  package init?(ofPath path: String) {
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
