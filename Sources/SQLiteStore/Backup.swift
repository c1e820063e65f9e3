#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Repository
public import SQLStore

extension SQLiteStore {
  /// Copies the database into a file while it is in use. The copy is a snapshot as of the start.
  ///
  /// The copy is first written under another name, and replaces an existing file only when it is complete. In a database with
  /// a write-ahead log, writers need not wait for the backup.
  ///
  /// - Parameters:
  ///   - path: the file, or a link to it, which is kept.
  ///   - progress: receives the number of copied pages, every 1,024 pages.
  /// - Throws: ``/Repository/RepositoryError`` if the file can't be written, the database can't be read, or the task is
  ///   cancelled; the file is then unchanged.
  @concurrent
  public func backup(to path: String, progress: (@Sendable (WorkProgress) -> Void)? = nil) async throws(RepositoryError)
  {
    let target = try BackupFile(path: path, of: self)
    try await run(.read) { connection throws(RepositoryError) in
      try target.copy(from: connection, progress)
    }
    try target.finish()
  }

  /// Copies the database into a file that is checked before it gets its name, and replaces no file unless requested.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - replacing: whether the copy may replace an existing file.
  ///   - progress: receives the number of copied pages, every 1,024 pages.
  ///   - check: called when all pages are copied, before the copy is read and checked.
  /// - Returns: the damage of the copy, which is then deleted; empty if there is none.
  /// - Throws: as ``backup(to:progress:)`` does; with the code ``/Repository/RepositoryError/Code/cannotOpen`` for an existing
  ///   file.
  @concurrent
  package func checkedBackup(
    to path: String, replacing: Bool, progress: (@Sendable (WorkProgress) -> Void)? = nil,
    check: @Sendable () -> Void = {}
  ) async throws(RepositoryError) -> [IntegrityProblem] {
    let target = try BackupFile(path: path, of: self, isReplacing: replacing)
    try await run(.read) { connection throws(RepositoryError) in
      try target.copy(from: connection, progress)
    }
    check()
    let problems = try await target.damages()
    if problems.isEmpty { try target.finish() }
    return problems
  }

}

extension BlockingStore<SQLiteStore> {
  /// Copies the database into a file as ``SQLiteStore/backup(to:progress:)`` does.
  ///
  /// - Throws: as ``SQLiteStore/backup(to:progress:)`` does, except for cancellation.
  public func backup(to path: String, progress: (@Sendable (WorkProgress) -> Void)? = nil) throws(RepositoryError) {
    let target = try BackupFile(path: path, of: base)
    try base.runBlocking(.read) { connection throws(RepositoryError) in
      try target.copy(from: connection, progress)
    }
    try target.finish()
  }
}

/// The file to which a backup is written, deleted unless the backup is finished.
private final class BackupFile {
  let path: String
  private let temporaryPath: String
  /// The path of the database, empty for one in memory.
  private let source: String
  private let isReplacing: Bool
  private let driver: SQLiteDriver
  private var target: RawDatabase?
  private var isFinished = false

  init(path: String, of store: SQLiteStore, isReplacing: Bool = true) throws(RepositoryError) {
    // A link is kept, and the file that it leads to is replaced, or made.
    self.path = FileIdentity.followingLinks(path)
    self.isReplacing = isReplacing
    source = store.path
    driver = store.sqlite
    // SQLite may interpret a name that starts like a URI as one: https://www.sqlite.org/uri.html
    temporaryPath = "\(self.path.hasPrefix("file:") ? "./" : "")\(self.path).\(UUID().uuidString.prefix(8)).part"
    var isFolder = false
    // The system reads a path up to a NUL, which would be another file.
    if path.utf8.contains(0) {
      throw RepositoryError(
        .cannotOpen, "the path of the backup contains a NUL character", suggestion: "choose another path for the backup"
      )
    }
    if path.isEmpty || (FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder) {
      throw RepositoryError(
        .cannotOpen, "can't write a backup to \(path.isEmpty ? "the empty path" : path)",
        suggestion: "choose another path for the backup")
    }
    if FileIdentity.belongs(path, toDatabase: store.path) {
      let isItself = FileIdentity.areSame(path, store.path)
      throw RepositoryError(
        .cannotOpen, "\(path) \(isItself ? "is the database itself" : "belongs to the database")",
        suggestion: "choose another path for the backup")
    }
    if let database = FileIdentity.database(withFile: path) {
      throw .takenName(path, by: database, suggestion: "choose another path for the backup")
    }
    if !isReplacing, FileManager.default.fileExists(atPath: path) { throw existingFileError() }
    try DatabaseInUse.check(path, driver.hooks, suggestion: "choose another path for the backup")
  }

  deinit {
    if !isFinished { Self.remove(temporaryPath) }
  }

  private func open() throws(RepositoryError) -> RawDatabase {
    let database: RawDatabase
    do throws(RepositoryError) {
      // SQLite would create the file with the permissions of a new one: another user could open it before they are changed, and
      // read the whole copy later.
      let isPrivate = !source.isEmpty && FileIdentity.createPrivately(temporaryPath)
      // Where no file can be created, SQLite tells the reason. A file that is there already belongs to another program.
      if !source.isEmpty, !isPrivate, FileKind(ofPath: temporaryPath) != .missing {
        throw RepositoryError(.cannotOpen, "can't create \(temporaryPath)", suggestion: "try again")
      }
      let mode = source.isEmpty || isPrivate ? OpenMode.create : .existing
      database = try RawDatabase(path: temporaryPath, mode: mode, driver.hooks)
    } catch {
      throw error.explained(forFile: temporaryPath)
    }
    target = database
    return database
  }

  /// Checks whether the copy is damaged, without its foreign keys, which are as in the original.
  ///
  /// The check uses the connection that made the copy: another connection would leave a write-ahead log next to the file if
  /// the file is read-only.
  func damages() async throws(RepositoryError) -> [IntegrityProblem] {
    guard let target else { return [] }
    self.target = nil
    return try await Connection(SQLiteConnection(target), of: driver, isObserved: false).cancellable {
      connection throws(RepositoryError) in
      try SQLiteCatalog(connection).damages()
    }
  }

  /// Gives the file its name.
  func finish() throws(RepositoryError) {
    // The file must be closed before it gets its name.
    target = nil
    if !source.isEmpty { FileIdentity.copyPermissions(of: source, to: temporaryPath) }
    // The file may have been created in the meantime.
    switch AtomicRename.rename(temporaryPath, to: path, replacing: isReplacing) {
    case .renamed: isFinished = true
    case .taken: throw existingFileError()
    case .failed: throw RepositoryError(.inputOutput, "can't replace \(path) with the backup")
    }
  }

  private func existingFileError() -> RepositoryError {
    RepositoryError(.cannotOpen, "the file \(path) already exists", suggestion: "choose another path for the backup")
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Copies the database, page by page, within one read transaction.
  func copy(from connection: Connection, _ progress: ((WorkProgress) -> Void)?) throws(RepositoryError) {
    let target = try open()
    let isAlone = !connection.isInTransaction
    if isAlone { try connection.begin(.reading) }
    defer { if isAlone { connection.rollBack(.reading) } }
    do throws(ResultCode) {
      let backup = try RawBackup(of: connection.database, to: target)
      var isComplete = false
      while !isComplete {
        isComplete = try !backup.step(pages: 1_024)
        progress?(WorkProgress(done: backup.pageCount - backup.remainingCount, total: backup.pageCount))
        if connection.wasInterrupted { throw .interrupted }
      }
    } catch {
      let error = RepositoryError(error)
      // The changes of a transaction may still be rolled back: SQLite then reports the database as locked.
      // https://www.sqlite.org/c3ref/backup_finish.html
      if error.code != .busy || isAlone { throw error }
      throw RepositoryError(
        .unsupported, "can't make a backup within a transaction that writes",
        reason: "the transaction can still roll back its changes",
        suggestion: "make the backup before or after the transaction")
    }
  }
}
