package import Repository

/// A database that must not be replaced by another file, since changes of it are in files beside it.
package enum DatabaseInUse {
  /// Refuses to replace a file beside which there is a journal or a write-ahead log.
  ///
  /// Such a file holds changes that another process, or this one, is still writing to a database there: replacing the database
  /// would destroy them. SQLite names it after the file to which a link leads.
  /// https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
  ///
  /// - Parameters:
  ///   - path: the file, or a link to it.
  ///   - suggestion: the advice what to do about it.
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/cannotOpen``.
  package static func check(_ path: String, suggestion: String) throws(RepositoryError) {
    try check(path, StoreHooks(), suggestion: suggestion)
  }

  static func check(_ path: String, _ hooks: StoreHooks, suggestion: String) throws(RepositoryError) {
    let file = FileIdentity.followingLinks(path)
    // With a journal, opening the database would roll a change back.
    if FileKind(ofPath: file + "-journal") == .missing { closeEmptyLog(beside: file, hooks) }
    guard let used = ["-wal", "-journal"].first(where: { FileKind(ofPath: file + $0) != .missing }) else { return }
    throw RepositoryError(
      .cannotOpen, "\(path) is in use, or was not closed", reason: "there is a \(file)\(used)",
      suggestion: suggestion)
  }

  /// Deletes the log of a database if it is empty and no connection has the database open: one that only reads leaves it
  /// behind. The last connection does that when it is closed, and knows of all others.
  private static func closeEmptyLog(beside path: String, _ hooks: StoreHooks) {
    guard FileKind.isEmptyFile(path + "-wal") else { return }
    let database = try? RawDatabase(path: path.hasPrefix("file:") ? "./\(path)" : path, mode: .existing, hooks)
    _ = try? database?.prepare("SELECT 1 FROM sqlite_schema").step()
  }
}

extension FileIdentity {
  /// Refuses a database beside which a pipe, a folder or a device has the name of its journal or its log: SQLite opens the
  /// journal before it reads anything, and opening a pipe waits for its other end.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/cannotOpen``.
  static func checkCompanions(ofDatabase path: String) throws(RepositoryError) {
    let file = followingLinks(path)
    for end in ["-journal", "-wal", "-shm"] {
      guard let kind = FileKind(ofPath: file + end).nameUnlessDatabase else { continue }
      throw RepositoryError(
        .cannotOpen, "\(file)\(end) is \(kind), and SQLite would use it as a file of the database",
        reason: "SQLite stores changes in files with such names",
        suggestion: "remove the file, which another user may have planted")
    }
  }
}
