#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Repository

extension SQLiteStore {
  /// Copies the database into a file while it is in use. The copy is one state of it, as of the start.
  ///
  /// It is written under another name first, and takes the place of a file that is there when it is complete. In a database
  /// with a write-ahead log, writers need not wait for it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - progress: is told how many pages are copied, every 1,024 pages.
  /// - Throws: ``RepositoryError`` where the file can't be written, the database can't be read, or the task is cancelled;
  ///   the file is as it was then.
  @concurrent
  public func backup(to path: String, progress: (@Sendable (WorkProgress) -> Void)? = nil) async throws(RepositoryError)
  {
    let target = try BackupFile(path: path, of: self)
    try await run(.read) { connection throws(RepositoryError) in try connection.back(up: target, progress) }
    try target.finish()
  }

  /// The same without suspending.
  ///
  /// - Throws: as ``backup(to:progress:)`` does.
  public func backup(to path: String, progress: (@Sendable (WorkProgress) -> Void)? = nil) throws(RepositoryError) {
    let target = try BackupFile(path: path, of: self)
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.back(up: target, progress) }
    try target.finish()
  }
}

/// The file that a backup is written to, gone if the backup is not finished.
private final class BackupFile {
  let path: String
  private let temporaryPath: String
  private var isFinished = false

  init(path: String, of store: SQLiteStore) throws(RepositoryError) {
    self.path = path
    temporaryPath = "\(path).\(UUID().uuidString.prefix(8)).part"
    var isFolder = false
    if path.isEmpty || (FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder) {
      throw RepositoryError(.cannotOpen, "\(path.isEmpty ? "the empty path" : path) is no file to write a backup to")
    }
    if FileName.areSame(path, store.path) {
      throw RepositoryError(
        .cannotOpen, "\(path) is the database itself", suggestion: "choose another path for the backup")
    }
    // To take such a file away would destroy what somebody else, or this store itself, is still writing to the database.
    if let used = ["-wal", "-journal"].first(where: { FileManager.default.fileExists(atPath: path + $0) }) {
      throw RepositoryError(
        .cannotOpen, "\(path) is a database that is in use, or was not closed", reason: "there is a \(path)\(used)",
        suggestion: "choose another path for the backup")
    }
  }

  deinit {
    if !isFinished { Self.remove(temporaryPath) }
  }

  func open() throws(RepositoryError) -> RawDatabase {
    do throws(ResultCode) {
      return try RawDatabase(path: temporaryPath, mode: .create)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Gives the file its name.
  func finish() throws(RepositoryError) {
    isFinished = true
    if !FileName.replace(path, with: temporaryPath) {
      Self.remove(temporaryPath)
      throw RepositoryError(.inputOutput, "\(path) can't be replaced by the backup")
    }
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }
}

extension Connection {
  /// Copies the database, page by page, within one reading transaction.
  fileprivate func back(
    up file: BackupFile, _ progress: ((WorkProgress) -> Void)?
  ) throws(RepositoryError) {
    let target = try file.open()
    let isAlone = !isInTransaction
    if isAlone { try begin(.reading) }
    defer { if isAlone { rollBack(.reading) } }
    do throws(RepositoryError) {
      try copy(to: target) { done, total in progress?(WorkProgress(done: done, total: total)) }
    } catch {
      // What a transaction has written may still be undone: SQLite calls the database locked then.
      // https://www.sqlite.org/c3ref/backup_finish.html
      if error.code != .busy || isAlone { throw error }
      throw RepositoryError(
        .unsupported, "a backup can't be made within a transaction that writes",
        reason: "what it has written may still be undone", suggestion: "make it before or after the transaction")
    }
  }
}
