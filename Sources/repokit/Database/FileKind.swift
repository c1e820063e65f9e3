#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What stands at a path, as far as this tool cares.
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
