import Query
import SQLiteStore

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
      .conflict, .constraint, .missingReference, .stillReferenced, .invalidValue, .invalidQuery, .missingTable,
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
