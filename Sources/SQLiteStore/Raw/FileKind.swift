#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The kind of file at a path.
package enum FileKind: Hashable, Sendable {
  case missing, regular, directory, pipe, socket, device
  /// A file that can't be examined, which need not be missing; opening it will report why.
  case unknown

  package init(ofPath path: String) {
    var status = stat()
    if stat(path, &status) == 0 { self.init(status) } else { self = errno == ENOENT ? .missing : .unknown }
  }

  package init(ofDescriptor descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) == 0 { self.init(status) } else { self = .unknown }
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFCHR, S_IFBLK: self = .device
    default: self = .unknown
    }
  }

  /// Whether there is a file without any content at a path.
  static func isEmptyFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && Self(status) == .regular && status.st_size == 0
  }

  /// Whether a file of this kind is written in place, rather than created or replaced.
  package var isSpecial: Bool { self != .missing && self != .regular && self != .directory }

  /// The name of a kind of file that can't be a database: opening a pipe waits for its other end, and a device has no end.
  /// `nil` for a file that may be one.
  package var nameUnlessDatabase: String? {
    switch self {
    case .directory: "a directory"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    case .missing, .regular, .unknown: nil
    }
  }
}
