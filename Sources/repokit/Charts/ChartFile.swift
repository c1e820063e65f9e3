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
    if FileKind(ofPath: path) == .other { return try write(text, to: try open(path, O_WRONLY)) }
    let target = realpath(path, nil)
    defer { free(target) }
    // What a symbolic link leads to is replaced, not the link.
    let final = target.map { String(cString: $0) } ?? path
    let temporary = "\(final).\(getpid()).part"
    // A file of that name is somebody else's.
    let descriptor = try open(temporary, O_WRONLY | O_CREAT | O_EXCL)
    do throws(Failure) {
      var status = stat()
      if stat(final, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
      try write(text, to: descriptor)
      if rename(temporary, final) != 0 { throw Failure("\(path) can't be written", code: errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private func open(_ name: String, _ flags: Int32) throws(Failure) -> Int32 {
    let descriptor = systemOpen(name, flags, 0o666)
    if descriptor < 0 { throw Failure("\(path) can't be written", code: errno) }
    return descriptor
  }

  /// Writes the text, and closes the file.
  private func write(_ text: String, to descriptor: Int32) throws(Failure) {
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

/// The system's `open`, whose name a method above hides.
private func systemOpen(_ name: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(name, flags, mode) }

/// The system's `write`, whose name the methods above hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
