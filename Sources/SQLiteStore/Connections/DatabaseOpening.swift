import Repository

extension ConnectionPool {
  /// Opens a database, and more connections to it as they are needed.
  ///
  /// - Throws: ``RepositoryError`` where the file is no database that can be used.
  convenience init(
    path: String, _ mode: OpenMode, _ journal: JournalMode, _ synchronous: Synchronous, readers: Int, timeout: Duration
  ) throws(RepositoryError) {
    let connection = try Self.waiting(timeout) { () throws(RepositoryError) in
      let connection = try Connection(path: path, mode)
      try connection.checkEncoding()
      if journal == .writeAheadLog, !connection.isReadOnly { _ = try connection.text("PRAGMA journal_mode = WAL") }
      return connection
    }
    // Where the file system has no shared memory, SQLite keeps the mode that it had, and needs its full care there.
    let hasWAL = try connection.text("PRAGMA journal_mode") == "wal"
    if hasWAL, journal == .writeAheadLog, synchronous == .normal {
      try connection.execute("PRAGMA synchronous = NORMAL")
    }
    // A log that somebody kept from being used anew for long would stay as big as it was.
    if hasWAL, !connection.isReadOnly {
      _ = try connection.text("PRAGMA journal_size_limit = \(Connection.walTargetSize)")
    }
    let file = connection.path
    let opened = OpenedConnections()
    opened.add(connection)
    self.init(
      writer: ResourcePool(only: connection, isHeldByThisThread: \.isHeldByThisThread),
      readers: hasWAL && readers > 0
        ? ResourcePool([], capacity: readers, isHeldByThisThread: \.isHeldByThisThread) { () throws(RepositoryError) in
          // Nothing here reads the file, so nothing has to wait for the locks of others, which would block a thread.
          let reader = try Connection(path: file, mode == .readOnly ? .readOnly : .existing)
          try reader.execute("PRAGMA query_only = ON")
          opened.add(reader)
          return reader
        } : nil,
      opened: opened,
      hasWAL: hasWAL && !connection.isReadOnly,
      queuePath: file.isEmpty || connection.isReadOnly ? nil : file + "-queue", timeout: timeout,
      isShared: !file.isEmpty)
  }

  /// Opening blocks its thread for as long as another program is about to recover or to convert the file.
  private static func waiting<Result>(
    _ timeout: Duration, _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    var polling: PollingBackoff?
    while true {
      do throws(RepositoryError) {
        return try body()
      } catch {
        if error.code != .busy { throw error }
        var current = polling ?? PollingBackoff(until: Deadline(in: timeout))
        guard current.waitBlocking() else { throw error }
        polling = current
      }
    }
  }
}

extension Connection {
  /// Opens a connection, without a look at what is in the file.
  fileprivate convenience init(path: String, _ mode: OpenMode) throws(RepositoryError) {
    do throws(ResultCode) {
      self.init(try RawDatabase(path: path, mode: mode))
    } catch {
      throw RepositoryError(error)
    }
    try execute("PRAGMA foreign_keys = ON")
  }

  /// Refuses databases whose texts are not UTF-8. It reads the file: what is no database is noticed here.
  fileprivate func checkEncoding() throws(RepositoryError) {
    let encoding = try text("PRAGMA encoding")
    if encoding != "UTF-8" {
      throw RepositoryError(
        .unsupported, "the database keeps its texts as \(encoding)", reason: "only UTF-8 is supported",
        suggestion: "copy it into a new database with SQLite's own shell: .dump there, .read here")
    }
  }
}
