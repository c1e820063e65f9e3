#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Query
import SQLiteStore

/// A database file, as it was named on the command line.
struct DatabaseFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Opens the file as it is.
  func open(_ mode: OpenMode) throws(Failure) -> SQLiteStore {
    switch FileKind(ofPath: path) {
    case .missing where mode != .create:
      throw Failure("there is no file \(path)", details: ["repokit import makes a new database"])
    case .directory:
      throw Failure("\(path) is a directory, not a database")
    default: break
    }
    do throws(RepositoryError) {
      do throws(RepositoryError) {
        return try store(mode)
      } catch {
        guard mode == .readOnly, error.storeCode == Self.unfinishedChange else { throw error }
        // A program was stopped amid a change. Opening the file to write undoes that.
        _ = try store(.existing)
        return try store(mode)
      }
    } catch {
      throw failure(error)
    }
  }

  private func store(_ mode: OpenMode) throws(RepositoryError) -> SQLiteStore {
    // The file may be another program's, so its journal mode is left alone.
    let store = try SQLiteStore(path: path, mode: mode, journal: .unchanged)
    OpenStores.add(store)
    return store
  }

  /// SQLite's code for a journal that has to be rolled back: https://www.sqlite.org/rescode.html#readonly_rollback
  private static let unfinishedChange = 776
}

extension DatabaseFile {
  /// What SQLite could not do with the file, and who was in the way.
  func failure(_ error: RepositoryError) -> Failure {
    let failure = Failure(error).at(path)
    guard error.code == .busy, let holder = LockHolder(ofDatabase: path) else { return failure }
    return failure.adding("it is held by \(holder)")
  }

  /// Any error, of which one of the file, rather than of a row or of the command, says which file.
  func failure(translating error: any Error) -> Failure {
    guard let error = error as? RepositoryError else { return Failure(translating: error) }
    if let cause = error.underlying as? QueryError { return Failure(cause) }
    let ofRows: [RepositoryError.Code] = [
      .conflict, .constraint, .foreignKeyViolation, .restrictViolation, .invalidValue, .invalidQuery, .missingTable,
      .unsupported,
    ]
    return ofRows.contains(error.code) ? Failure(error) : failure(error)
  }

  /// Does something with the file.
  func translating<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do {
      return try body()
    } catch {
      throw failure(translating: error)
    }
  }
}

/// The process that keeps others from a database.
///
/// The files themselves are left alone: to close one gives up all locks that this process has on it, whoever of its own
/// took them. https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
struct LockHolder {
  let process: pid_t

  /// Looks who has a lock on a database, if the system has a list of them, as Linux does.
  init?(ofDatabase path: String) {
    // The bytes that SQLite locks of a file, and of the one beside it where there is a write-ahead log.
    // https://www.sqlite.org/lockingv3.html and https://www.sqlite.org/walformat.html#wal_locks
    let database = FileLocks(ofPath: path, in: 0x4000_0000..<0x4000_0200)
    let log = FileLocks(ofPath: path + "-shm", in: 120..<123)
    // Who only reads is in the way where there is no log, and nobody writes.
    guard let process = database?.writer ?? log?.writer ?? (log == nil ? database?.reader : nil) else { return nil }
    self.process = process
  }
}

extension LockHolder: CustomStringConvertible {
  /// `process 4711`, after its name where the system has a file that tells.
  var description: String {
    let number = "process \(process)"
    guard let file = fopen("/proc/\(process)/comm", "r") else { return number }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 64)
    guard fgets(&bytes, Int32(bytes.count), file) != nil else { return number }
    let name = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(TerminalText.visible(name)), \(number)"
  }
}

/// Which other processes have locks on a part of a file, as the system lists them, without opening the file.
///
/// `2: POSIX  ADVISORY  WRITE 4711 fe:00:253853 1073741824 1073742335`: https://man7.org/linux/man-pages/man5/proc_locks.5.html
struct FileLocks {
  private(set) var writer: pid_t?
  private(set) var reader: pid_t?

  /// Looks at the list; `nil` where there is no such file.
  init?(ofPath path: String, in range: Range<UInt64>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard let list = fopen("/proc/locks", "r") else { return }
    defer { fclose(list) }
    let (device, file) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    var bytes = [CChar](repeating: 0, count: 256)
    while fgets(&bytes, Int32(bytes.count), list) != nil {
      let line = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      // Who waits for a lock is behind an arrow, and has none.
      let words = line.split(separator: " ")
      guard words.count == 8, words[1] == "POSIX", let process = pid_t(words[4]), process > 0, process != getpid(),
        Self.isFile(words[5], device, file), let first = UInt64(words[6]), first < range.upperBound,
        UInt64(words[7]) ?? .max >= range.lowerBound
      else { continue }
      if words[3] == "WRITE" { writer = writer ?? process } else { reader = reader ?? process }
    }
  }

  /// Whether a device's two numbers and a file's, `fe:00:253853`, are those of a file.
  private static func isFile(_ text: Substring, _ device: UInt64, _ file: UInt64) -> Bool {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let major = UInt64(parts[0], radix: 16), let minor = UInt64(parts[1], radix: 16) else {
      return false
    }
    // https://man7.org/linux/man-pages/man3/makedev.3.html
    return major == (device >> 8 & 0xFFF | device >> 32 & ~0xFFF) && minor == (device & 0xFF | device >> 12 & ~0xFF)
      && UInt64(parts[2]) == file
  }
}
