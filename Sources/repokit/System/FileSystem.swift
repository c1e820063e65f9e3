#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

import SQLiteStore

/// A small file that is read at once.
enum TextFile {
  /// More than anyone writes by hand.
  private static let limit = 1 << 20

  /// The file's text; bytes that are not UTF-8 are replaced.
  ///
  /// - Throws: ``Failure`` where it can't be read, or is too large to be such a file.
  static func text(at path: String) throws(Failure) -> String {
    String(decoding: try BinaryFile.bytes(at: path, limit: limit, "a megabyte"), as: UTF8.self)
  }
}

/// A file whose bytes are a value.
enum BinaryFile {
  /// As much as a value of SQLite or PostgreSQL holds.
  private static let limit = 1_000_000_000

  /// The bytes.
  ///
  /// - Throws: ``Failure`` where they can't be read, or are more than a value holds.
  static func bytes(at path: String) throws(Failure) -> [UInt8] {
    try bytes(at: path, limit: limit, "the size limit of a value")
  }

  fileprivate static func bytes(at path: String, limit: Int, _ limitText: String) throws(Failure) -> [UInt8] {
    let isLarger = Failure("\(path) is larger than \(limitText)")
    if FileSize.bytes(of: path) > limit { throw isLarger }
    let bytes = try prefix(of: path, byteCount: limit + 1)
    if bytes.count > limit { throw isLarger }
    return bytes
  }

  /// The first bytes of a file, or all of a smaller one.
  ///
  /// - Throws: ``Failure`` where they can't be read.
  static func prefix(of path: String, byteCount: Int) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("can't open \(path)", code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(byteCount, 1 << 16))
    while bytes.count < byteCount {
      let wanted = min(part.count, byteCount - bytes.count)
      let more = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, wanted) }
      if more == 0 { return bytes }
      if more > 0 {
        bytes += part[..<more]
      } else if errno != EINTR {
        throw Failure("can't read \(path)", code: errno)
      }
    }
    return bytes
  }
}

/// The size of a file.
enum FileSize {
  /// The number of bytes of rows that are read fast enough for a key press.
  private static let quicklyRead = 1 << 20

  /// Returns the size of a file in bytes; 0 where it is missing.
  static func bytes(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether a path is that of a small file, rather than of a pipe.
  static func isSmall(_ path: String) -> Bool {
    var status = stat()
    return FileKind(ofPath: path) == .regular && stat(path, &status) == 0 && status.st_size <= quicklyRead
  }
}

/// A folder of a user's files of one kind, by the XDG Base Directory Specification:
/// https://specifications.freedesktop.org/basedir-spec/latest/
enum UserFolder {
  case configuration
  case state

  private var variable: String {
    switch self {
    case .configuration: "XDG_CONFIG_HOME"
    case .state: "XDG_STATE_HOME"
    }
  }

  private var standard: String {
    switch self {
    case .configuration: ".config"
    case .state: ".local/state"
    }
  }

  /// This tool's folder, which may be missing; `nil` where the user has no home.
  var path: String? { path { variable in getenv(variable).map { String(cString: $0) } } }

  /// The same in an environment.
  func path(environment: (String) -> String?) -> String? {
    // A path that is not absolute is to be ignored.
    func absolute(_ variable: String) -> String? { environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let folder = absolute(variable) { return folder + "/repokit" }
    return absolute("HOME").map { "\($0)/\(standard)/repokit" }
  }
}

/// A file that may come into being, and must not stay behind if nothing was put into it.
struct NewFile {
  private let path: String
  private let wasMissing: Bool

  /// Checks whether the file exists already.
  init(at path: String) {
    self.path = path
    wasMissing = FileKind(ofPath: path) == .missing
  }

  /// Removes the file if it was missing before and is still empty. Other contents come from another program.
  func removeIfEmpty() {
    var status = stat()
    guard wasMissing, let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    if stat(resolved, &status) == 0, status.st_size == 0 { unlink(resolved) }
  }
}
