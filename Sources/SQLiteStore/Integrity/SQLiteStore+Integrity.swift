import Repository

extension SQLiteStore {
  /// Looks for what is wrong with the database: damaged pages, rows that break rules of their table, foreign keys that
  /// lead nowhere, texts that are not UTF-8, views and triggers that name what is gone.
  ///
  /// Everything is read, so it takes as long as the database is big. A bit that has changed within a value can't be
  /// noticed: SQLite keeps no checksums.
  ///
  /// - Returns: the problems, at most a hundred of damage; none where all is well.
  /// - Throws: ``RepositoryError`` where the file can't be read.
  public func integrityCheck() throws(RepositoryError) -> [IntegrityProblem] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.integrityProblems() }
  }

  /// The same, away from the caller's executor; it is stopped when the task is cancelled.
  ///
  /// - Returns: the problems, at most a hundred of damage; none where all is well.
  /// - Throws: ``RepositoryError`` where the file can't be read.
  @concurrent
  public func integrityCheck() async throws(RepositoryError) -> [IntegrityProblem] {
    try await run(.read) { connection throws(RepositoryError) in try connection.integrityProblems() }
  }
}
