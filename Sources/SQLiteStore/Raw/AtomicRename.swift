#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Atomic and durable renames of files: a file that is written next to another takes its name once all of it is on the disk.
/// https://pubs.opengroup.org/onlinepubs/9799919799/functions/rename.html
package enum AtomicRename {
  /// The result of a rename.
  package enum Result: Equatable {
    case renamed
    /// The name is in use by another file, which is kept.
    case taken
    /// An error, with the system's error number.
    case failed(Int32)
  }

  /// Renames a file, all of which is on the disk, within its folder. Afterwards the name is on the disk too.
  ///
  /// - Parameter replacing: whether an existing file with the name is replaced; at no time does the name lead to no file.
  package static func rename(_ file: String, to path: String, replacing: Bool) -> Result {
    let result = replacing ? replace(path, by: file) : renameUnlessTaken(file, to: path)
    if result == .renamed { synchronizeFolder(of: path) }
    return result
  }

  /// Renames to a name that must not exist: a link, unlike a rename, never replaces another file.
  private static func renameUnlessTaken(_ file: String, to path: String) -> Result {
    if link(file, path) != 0 { return errno == EEXIST ? .taken : renameByReservation(file, to: path) }
    unlink(file)
    return .renamed
  }

  /// Renames a file on a file system without hard links, such as on disks for cameras: an empty file reserves the name until
  /// then.
  package static func renameByReservation(_ file: String, to path: String) -> Result {
    let place = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
    if place < 0 { return errno == EEXIST ? .taken : .failed(errno) }
    close(place)
    let result = replace(path, by: file)
    if result != .renamed { unlink(path) }
    return result
  }

  private static func replace(_ path: String, by file: String) -> Result {
    systemRename(file, path) == 0 ? .renamed : .failed(errno)
  }

  /// Synchronizes the folder of a file: a new name is durable only once its folder is.
  private static func synchronizeFolder(of path: String) {
    let descriptor = open(FileIdentity.folder(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The system's `rename`, whose name a method above hides.
private func systemRename(_ file: String, _ path: String) -> Int32 { rename(file, path) }
