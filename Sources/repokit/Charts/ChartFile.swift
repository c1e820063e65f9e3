#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written under another name first, so that a reader finds the old one or the new one, and never a part.
struct ChartFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Writes the whole file.
  ///
  /// - Throws: ``Failure`` where it can't be written; what was there is as it was then.
  func write(_ text: String) throws(Failure) {
    if FileKind(ofPath: path) == .directory { throw Failure("\(path) is a directory, not a file to write") }
    // A pipe or a device can't be put in another's place.
    if FileKind(ofPath: path) == .other { return try write(text, to: path, isNew: false) }
    let target = realpath(path, nil)
    defer { free(target) }
    // What a symbolic link leads to is replaced, not the link.
    let final = target.map { String(cString: $0) } ?? path
    let temporary = "\(final).\(getpid()).part"
    do throws(Failure) {
      try write(text, to: temporary, isNew: true)
    } catch {
      unlink(temporary)
      throw error
    }
    var status = stat()
    if stat(final, &status) == 0 { chmod(temporary, status.st_mode & 0o7777) }
    if rename(temporary, final) != 0 {
      let code = errno
      unlink(temporary)
      throw Failure("\(path) can't be written", code: code)
    }
  }

  private func write(_ text: String, to name: String, isNew: Bool) throws(Failure) {
    let descriptor = open(name, O_WRONLY | (isNew ? O_CREAT | O_TRUNC : 0), 0o666)
    if descriptor < 0 { throw Failure("\(path) can't be written", code: errno) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count < 0, code != EINTR {
        close(descriptor)
        throw Failure("\(path) can't be written", code: code)
      }
      rest = rest.dropFirst(max(0, count))
    }
    // Some file systems tell only now that there was no room.
    if close(descriptor) != 0 { throw Failure("\(path) can't be written", code: errno) }
  }
}

/// The system's `write`, whose name the methods above hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
