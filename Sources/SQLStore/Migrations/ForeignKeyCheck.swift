import Query
package import Repository

// The replacement of a table may break foreign keys on its way, so they are checked at its end: SQLite does not enforce them
// meanwhile.
extension SQLTransaction {
  /// Runs a closure in a transaction of the kind ``TransactionKind/rebuilding``, and throws if more rows refer to missing rows
  /// afterwards than before.
  package func checkingReferences<Result>(_ body: () throws -> Result) throws -> Result {
    let broken = try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.catalog.brokenReferenceCounts()
    }
    let result = try body()
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.checkReferences(since: broken)
    }
    return result
  }
}

extension Connection {
  /// Checks that no more rows refer to missing rows than before.
  func checkReferences(since before: [[Value]: Int]) throws(RepositoryError) {
    let broken = try catalog.brokenReferenceCounts().filter { $0.value > before[$0.key] ?? 0 }
    guard let (key, count) = broken.min(by: { "\($0.key)" < "\($1.key)" }), case .text(let table) = key[0],
      case .text(let parent) = key[1]
    else { return }
    throw .brokenReferences(count, of: table, to: parent)
  }
}

extension RepositoryError {
  /// Returns the error for rows that would refer to missing rows once a table is replaced.
  package static func brokenReferences(_ count: Int, of table: String, to parent: String) -> RepositoryError {
    RepositoryError(
      .constraint,
      "\(count.of("row")) of \(table) would refer to missing rows of \(parent)",
      reason: "foreign keys are checked once all rows are written")
  }
}
