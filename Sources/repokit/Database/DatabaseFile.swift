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
    let kind = FileKind(ofPath: path)
    if kind == .missing, mode != .create {
      throw Failure("there is no file \(path)", details: ["repokit import makes a new database"])
    }
    if let name = kind.nameUnlessDatabase { throw Failure("\(path) is \(name), not a database") }
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

  /// Refuses to write to the database itself, or to a file that belongs to it.
  func checkIsOther(_ path: String) throws(Failure) {
    guard FileIdentity.belongs(path, toDatabase: self.path) else { return }
    let isItself = FileIdentity.areSame(path, self.path)
    throw Failure("\(path) \(isItself ? "is the database itself" : "belongs to the database")", status: .usageError)
  }

  /// SQLite's code for a journal that has to be rolled back: https://www.sqlite.org/rescode.html#readonly_rollback
  private static let unfinishedChange = 776
}

extension DatabaseFile {
  /// What SQLite could not do with the file.
  func failure(_ error: RepositoryError) -> Failure { Failure(error).at(path) }

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
