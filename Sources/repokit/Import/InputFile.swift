#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import CSV

/// A file that can be read more than once, also when it comes through a pipe.
final class InputFile {
  /// What messages call it.
  let name: String
  let format: InputFormat
  /// Its size in bytes.
  let size: Int
  private let descriptor: Int32
  private let start: off_t
  private let isOwned: Bool

  /// Opens a file, or takes the standard input for `-`. What can't be read twice is copied to a temporary file first.
  ///
  /// - Parameters:
  ///   - format: the format, where it is not the one that the name tells.
  ///   - progress: is told how much has been copied.
  init(_ path: String, _ format: InputFormat?, progress: ProgressBar) throws(Failure) {
    let isStandardInput = path == "-"
    let name = isStandardInput ? "standard input" : path
    self.name = name
    self.format = format ?? InputFormat(ofPath: path) ?? .csv
    let opened = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    if opened < 0 {
      let code = errno
      throw code == ENOENT ? Failure("there is no file \(path)") : Failure("\(path) can't be opened", code: code)
    }
    let position = lseek(opened, 0, SEEK_CUR)
    switch FileKind(ofDescriptor: opened) {
    case .regular where position >= 0:
      (descriptor, start, isOwned) = (opened, position, !isStandardInput)
    case .directory:
      if !isStandardInput { close(opened) }
      throw Failure("\(name) is a directory, not a \(self.format.rawValue.uppercased()) file")
    default:
      defer { if !isStandardInput { close(opened) } }
      progress.begin("reading \(name)", total: nil)
      defer { progress.end() }
      let copy = try TemporaryFile.copy(of: opened, name: name) { progress.update(rows: nil, bytes: $0) }
      (descriptor, start, isOwned) = (copy, 0, true)
    }
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size) - Int(start)) : 0
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// Reads the input from its start.
  ///
  /// - Parameter names: for records that have names of their own: the known ones, and what becomes of another.
  func reader(_ names: RecordNames) throws(Failure) -> any RecordReader {
    if lseek(descriptor, start, SEEK_SET) < 0 { throw Failure("\(name) can't be read twice", code: errno) }
    let window = ByteWindow(fileDescriptor: descriptor)
    return switch format {
    case .csv: try CSVRecordReader(window, of: name)
    case .tsv: try TSVRecordReader(window, of: name)
    case .json, .ndjson: JSONRecordReader(window, of: name, names)
    }
  }
}

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
