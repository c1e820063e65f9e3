#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that may come into being, and must not stay behind if nothing was put into it.
struct NewFile {
  private let path: String
  private let wasMissing: Bool

  /// Looks whether the file is there yet.
  init(at path: String) {
    self.path = path
    wasMissing = FileKind(ofPath: path) == .missing
  }

  /// Removes the file if it was not there before. One that is no longer empty is somebody else's by now.
  func removeIfEmpty() {
    var status = stat()
    guard wasMissing, let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    if stat(resolved, &status) == 0, status.st_size == 0 { unlink(resolved) }
  }
}
