#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif
import SQLStore
import Synchronization

/// The queue of the writers of all processes: a file next to the database, of which each waiting writer locks a byte.
///
/// SQLite gives its write lock to the first connection that asks once the lock is free, which is usually the one that has just
/// released it. A locked byte makes all other writers wait for its owner; a later writer locks a later byte. The system
/// releases the locks of a process that ends, and the next writer removes a file without locks.
///
/// A suspended process keeps its locks. A waiting writer therefore changes a byte of the file, its heartbeat, whenever it
/// checks the queue, which is every 5 ms; an entry whose heartbeat does not change is skipped until it does.
final class WriteQueue: Sendable {
  private let path: String
  private let database: String
  /// The heartbeats of the preceding entries, and the times since they last changed, by position.
  private let observations = Mutex<[Int64: (beat: UInt8, since: ContinuousClock.Instant)]>([:])

  /// The maximum time without a change of a heartbeat.
  private static let stallLimit = Duration.milliseconds(150)
  /// The heartbeat that a writer sets for an entry that it has found to be stalled, as a mark for the other writers.
  private static let stalled: UInt8 = 0xFF

  init(ofDatabase path: String) {
    database = path
    self.path = path + FileIdentity.writeQueueSuffix
  }

  /// Removes a leftover file.
  ///
  /// - Returns: whether a writer of another process or another connection is waiting, and not stalled.
  func tidyAndCheckTaken() -> Bool {
    // Usually the queue is empty, and this call of about a microsecond is the whole cost.
    guard let file = QueueFile(path, of: database) else { return false }
    if hasMovingEntry(file, before: .max) { return true }
    file.removeIfUnused()
    return false
  }

  /// The status of the file with the name of a queue.
  enum Status {
    case missing, unused, inUse
    /// A file that is no queue, or may not be trusted: writers do without a queue.
    case obstructed
    /// A queue that the current user may not open.
    case inaccessible
  }

  /// Returns what there is by the name of the queue of a database.
  static func status(ofDatabase path: String) -> Status {
    let queue = path + FileIdentity.writeQueueSuffix
    if let file = QueueFile(queue, of: path) { return file.firstEntry(in: 0..<Int64.max) == nil ? .unused : .inUse }
    var file = stat()
    guard lstat(queue, &file) == 0 else { return .missing }
    return isTrusted(file, queue, ofDatabase: path) && access(queue, R_OK | W_OK) != 0 ? .inaccessible : .obstructed
  }

  /// Joins the end of the queue; `nil` if another writer is just joining or leaving it, or if no file can be made.
  func join() -> Ticket? {
    guard let file = QueueFile(path, of: database) ?? QueueFile(creating: path, of: database),
      let position = file.join()
    else { return nil }
    return Ticket(self, file, position)
  }

  /// Returns whether an entry that is not stalled precedes a position.
  private func hasMovingEntry(_ file: QueueFile, before end: Int64) -> Bool {
    // The system reports any of the locks in a range, so that both sides of it have to be checked.
    var ranges = [0..<end]
    while let range = ranges.popLast() {
      guard !range.isEmpty, let locked = file.firstEntry(in: range) else { continue }
      if isMoving(file, at: locked.lowerBound) { return true }
      ranges += [locked.upperBound..<range.upperBound, range.lowerBound..<locked.lowerBound]
    }
    return false
  }

  private func isMoving(_ file: QueueFile, at position: Int64) -> Bool {
    let beat = file.beat(at: position)
    if beat == Self.stalled { return false }
    let now = ContinuousClock.now
    let isStalled = observations.withLock { observations in
      if let seen = observations[position], seen.beat == beat { return now - seen.since >= Self.stallLimit }
      // The observations of old entries need not be kept.
      if observations.count >= 100 { observations = [:] }
      observations[position] = (beat, now)
      return false
    }
    if isStalled { file.setBeat(Self.stalled, at: position) }
    return !isStalled
  }

  /// The ticket of a waiting writer: its entry in the queue, which it leaves with its last reference.
  final class Ticket: WriteQueueTicket {
    private let queue: WriteQueue
    private let file: QueueFile
    private let position: Int64
    private var beat: UInt8

    fileprivate init(_ queue: WriteQueue, _ file: QueueFile, _ position: Int64) {
      (self.queue, self.file, self.position) = (queue, file, position)
      beat = .random(in: 1..<WriteQueue.stalled)
      file.setBeat(beat, at: position)
    }

    deinit { file.leave(position) }

    /// Changes the heartbeat that the other writers observe.
    ///
    /// - Returns: whether no entry that is not stalled precedes this one.
    func beatAndCheckFirst() -> Bool {
      beat = beat + 1 == WriteQueue.stalled ? 1 : beat + 1
      file.setBeat(beat, at: position)
      return !queue.hasMovingEntry(file, before: position)
    }
  }
}

extension WriteQueue {
  fileprivate static func isTrusted(_ file: stat, _ path: String, ofDatabase database: String) -> Bool {
    var (original, folder) = (stat(), stat())
    return stat(database, &original) == 0 && stat(FileIdentity.folder(of: path), &folder) == 0
      && isTrusted(file, database: original, folder: folder, user: geteuid())
  }

  /// Returns whether a file is for the queue of a database: a lock of its owner, or of another user who may write to it, makes
  /// the writers wait.
  ///
  /// In a folder such as `/tmp`, any user can create a file of that name first. Only those who may write to the database can
  /// hold its writers up anyway: its owner, and everyone or the members of its group, if it is theirs to write to.
  static func isTrusted(_ file: stat, database: stat, folder: stat, user: uid_t) -> Bool {
    if file.st_mode & S_IFMT != S_IFREG || file.st_mode & 0o022 & ~database.st_mode != 0 { return false }
    if database.st_mode & 0o002 != 0 { return true }
    let isOfGroup = file.st_gid == database.st_gid
    if file.st_mode & 0o020 != 0, !isOfGroup { return false }
    if file.st_uid == database.st_uid || file.st_uid == user { return true }
    // A file may get the group of its folder, of which its owner need not be a member.
    return database.st_mode & 0o020 != 0 && isOfGroup && folder.st_mode & 0o002 == 0
  }
}

/// The open file of the queue.
///
/// It begins with a header, by which it differs from a file of another program. The first byte is locked while an entry is
/// added or removed. The size of the file is the position after the latest entry; on the disk, the file takes only the space of
/// the header and of the heartbeats.
private final class QueueFile {
  private let path: String
  private let descriptor: Int32
  private static let header = Array("repokit queue 1\0".utf8)
  private static let entryLock: Int64 = 0
  /// The position of the first entry, after the header.
  private static let start: Int64 = 16
  /// The number of heartbeats that fit one page. Two entries at this distance share a byte, and each then changes it for the
  /// other.
  private static let beatCount: Int64 = 4_096 - start
  /// The greatest size of a file that is taken for a queue: even a writer each microsecond would need 146,000 years to get there,
  /// and a file system in memory has files up to `Int64.max`, which have no room for another entry.
  private static let greatestSize: Int64 = 1 << 62

  private init(_ path: String, _ descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

  /// Opens the file; `nil` if there is no file, or it is not the queue of the database.
  convenience init?(_ path: String, of database: String) {
    // Almost every commit finds no file here, so nothing is allocated before the file is open, not even for the path. Without
    // `O_NONBLOCK`, opening a pipe with that name would wait for its other end.
    let descriptor = path.withCString { open($0, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    if descriptor < 0 { return nil }
    self.init(path, descriptor)
    guard isTrusted(by: database), hasHeader else { return nil }
  }

  /// Creates the file, accessible only to users who may write to the database: a process that may only read the database could
  /// otherwise block its writers by a lock.
  convenience init?(creating path: String, of database: String) {
    var (original, file) = (stat(), stat())
    // A file of another program keeps the name; `link` would notice it, too, but each waiting writer tries every 5 ms.
    guard stat(database, &original) == 0, lstat(path, &file) != 0 else { return nil }
    // The file gets its name when it is complete, so that no process sees it without its header.
    let number = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
    let temporaryPath = "\(path).\(number).part"
    let descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600 as mode_t)
    if descriptor < 0 { return nil }
    self.init(path, descriptor)
    defer { unlink(temporaryPath) }
    // As SQLite does with the files that it makes: https://www.sqlite.org/src/file/src/os_unix.c (robustFchown). Other users may
    // give a file to their own groups.
    _ = fchown(descriptor, geteuid() == 0 ? original.st_uid : uid_t.max, original.st_gid)
    guard fstat(descriptor, &file) == 0 else { return nil }
    var writing = original.st_mode & 0o222
    if file.st_gid != original.st_gid, writing & 0o002 == 0 { writing &= ~0o020 }
    guard fchmod(descriptor, 0o600 | writing | writing << 1) == 0, isTrusted(by: database),
      pwrite(descriptor, Self.header, Self.header.count, 0) == Self.header.count
    else { return nil }
    if link(temporaryPath, path) == 0 { return }
    // Some file systems have no hard links.
    if errno == EEXIST || AtomicRename.renameByReservation(temporaryPath, to: path) != .renamed { return nil }
  }

  private func isTrusted(by database: String) -> Bool {
    var file = stat()
    return fstat(descriptor, &file) == 0 && Int64(file.st_size) <= Self.greatestSize
      && WriteQueue.isTrusted(file, path, ofDatabase: database)
  }

  private var hasHeader: Bool {
    var bytes = [UInt8](repeating: 0, count: Self.header.count)
    return pread(descriptor, &bytes, bytes.count, 0) == bytes.count && bytes == Self.header
  }

  deinit { close(descriptor) }

  /// Locks the next position.
  func join() -> Int64? {
    // The last writer may have removed the file: an entry in a removed file is invisible to other processes.
    guard lock(Self.entryLock) else { return nil }
    defer { unlock(Self.entryLock) }
    guard isStillLinked, let position = nextPosition(), lock(position) else { return nil }
    return position
  }

  /// Unlocks a position.
  func leave(_ position: Int64) {
    unlock(position)
    removeIfUnused()
  }

  /// Removes the file if it has no entries. A locked first byte means that another writer needs the file. The file may also
  /// have been removed already, and the file that has its name now may be in use.
  func removeIfUnused() {
    guard lock(Self.entryLock) else { return }
    if isStillLinked, firstEntry(in: 0..<Int64.max) == nil { unlink(path) }
    unlock(Self.entryLock)
  }

  private func nextPosition() -> Int64? {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return nil }
    let position = max(Int64(file.st_size), Self.start)
    // Another program may have made the file longer since it was opened.
    guard position <= Self.greatestSize else { return nil }
    return ftruncate(descriptor, off_t(position + 1)) == 0 ? position : nil
  }

  private var isStillLinked: Bool {
    var (opened, present) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }

  // MARK: Beats

  func beat(at position: Int64) -> UInt8 {
    var beat: UInt8 = 0
    return pread(descriptor, &beat, 1, Self.offset(position)) == 1 ? beat : 0
  }

  func setBeat(_ beat: UInt8, at position: Int64) {
    var beat = beat
    _ = pwrite(descriptor, &beat, 1, Self.offset(position))
  }

  private static func offset(_ position: Int64) -> off_t { off_t(start + (position - start) % beatCount) }

  // MARK: Locks
  //
  // These locks belong to an open file rather than to the process, so that two stores of a process see each other's locks.
  // https://man7.org/linux/man-pages/man2/fcntl_locking.2.html

  // Swift does not import the names of the commands. A system without such locks refuses the commands, and writers are then
  // unordered.
  #if canImport(Darwin)
    private static let (setLock, getLock): (Int32, Int32) = (90, 92)
  #else
    private static let (setLock, getLock): (Int32, Int32) = (37, 36)
  #endif

  private static func lock(_ type: Int32, on range: Range<Int64>) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(range.lowerBound)
    // 0 for all following bytes.
    lock.l_len = range.upperBound == .max ? 0 : off_t(range.count)
    return lock
  }

  private func lock(_ position: Int64) -> Bool {
    var lock = Self.lock(Int32(F_WRLCK), on: position..<position + 1)
    return fcntl(descriptor, Self.setLock, &lock) == 0
  }

  private func unlock(_ position: Int64) {
    var lock = Self.lock(Int32(F_UNLCK), on: position..<position + 1)
    _ = fcntl(descriptor, Self.setLock, &lock)
  }

  /// Returns a part of a range of entries that other writers have locked for writing. Locks for reading, which any reader of the
  /// file can take, don't count.
  func firstEntry(in range: Range<Int64>) -> Range<Int64>? {
    let range = range.clamped(to: Self.start..<Int64.max)
    if range.isEmpty { return nil }
    var lock = Self.lock(Int32(F_RDLCK), on: range)
    guard fcntl(descriptor, Self.getLock, &lock) == 0, Int32(lock.l_type) != Int32(F_UNLCK) else { return nil }
    let start = Int64(lock.l_start)
    let (end, isBeyond) = start.addingReportingOverflow(Int64(lock.l_len))
    return (start..<(lock.l_len == 0 || isBeyond ? .max : max(start, end))).clamped(to: range)
  }
}
