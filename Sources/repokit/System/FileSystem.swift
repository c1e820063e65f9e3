#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The kind of file at a path, as far as this tool distinguishes them.
enum FileKind {
  case missing, regular, directory, other

  init(ofPath path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      self.init(status)
    } else {
      // What can't be looked at is not missing; opening it will say why.
      self = errno == ENOENT ? .missing : .other
    }
  }

  init(ofDescriptor descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) == 0 { self.init(status) } else { self = .other }
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    default: self = .other
    }
  }
}

/// A small file that is read at once.
enum TextFile {
  /// More than anybody writes by hand.
  private static let limit = 1 << 20

  /// The file's text; bytes that are not UTF-8 are replaced.
  ///
  /// - Throws: ``Failure`` where it can't be read, or is too large to be such a file.
  static func text(at path: String) throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("\(path) can't be opened", code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if more == 0 { return String(decoding: bytes[..<count], as: UTF8.self) }
      if more > 0 { count += more } else if errno != EINTR { throw Failure("\(path) can't be read", code: errno) }
    }
    throw Failure("\(path) is larger than a megabyte")
  }
}

/// Where a user's files of one kind are, by the XDG Base Directory Specification:
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

  /// This tool's folder, which need not be there; `nil` where the user has no home.
  var path: String? { path { variable in getenv(variable).map { String(cString: $0) } } }

  /// The same in an environment.
  func path(environment: (String) -> String?) -> String? {
    // A path that is not absolute is to be ignored.
    func absolute(_ variable: String) -> String? { environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let folder = absolute(variable) { return folder + "/repokit" }
    return absolute("HOME").map { "\($0)/\(standard)/repokit" }
  }
}

/// A file without a name, which is gone when it is closed.
enum TemporaryFile {
  /// Copies all that can be read from a descriptor.
  ///
  /// - Parameters:
  ///   - source: what is read, to its end.
  ///   - name: what messages call it.
  ///   - progress: is called with the number of bytes that have been copied.
  /// - Returns: the file's descriptor, which the caller has to close.
  static func copy(
    of source: Int32, name: String, progress: (Int) -> Void
  ) throws(Failure) -> Int32 {
    let copy = try make()
    do throws(Failure) {
      var copied = 0
      var buffer = [UInt8](repeating: 0, count: 1 << 17)
      while true {
        try Interruption.check()
        // A request that comes just before a read, or to another thread, would not end it.
        var request = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        let ready = poll(&request, 1, 100)
        if ready == 0 || (ready < 0 && errno == EINTR) { continue }
        let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
        let code = errno
        if count == 0 { return copy }
        if count > 0 {
          try append(buffer[..<count], to: copy)
          copied += count
          progress(copied)
        } else if code != EINTR, code != EAGAIN {
          throw Failure("\(name) can't be read", code: code)
        }
      }
    } catch {
      close(copy)
      throw error
    }
  }

  private static func make() throws(Failure) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let path = "\(folder.isEmpty ? "/tmp" : folder)/repokit.\(number)"
    // Unlike one of mkstemp, none that a program gets which is started meanwhile, such as a pager.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
    if descriptor < 0 { throw Failure("a temporary file can't be made", code: errno) }
    unlink(path)
    return descriptor
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw Failure("a temporary file can't be written", code: errno) }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

/// A file that may come into being, and must not stay behind if nothing was put into it.
struct NewFile {
  private let path: String
  private let wasMissing: Bool

  /// Looks whether the file is there yet.
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
