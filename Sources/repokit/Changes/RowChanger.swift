import Query
import SQLiteStore

/// Changes rows of a table, after somebody has agreed to exactly that.
struct RowChanger {
  let arguments: ChangeArguments
  let words: ChangeWords

  /// Tries the change or makes it, as the arguments say.
  ///
  /// - Parameter change: makes the change, once the table's columns are known.
  /// - Returns: what was changed; `nil` where it was a dry run, or there was nothing to change.
  func run(
    on console: Console, _ change: (TableSchema) throws(Failure) -> RowChange
  ) async throws -> ChangeReport? {
    let consent = arguments.consent
    try consent.checkPossible(console)
    let store = try arguments.database.open(.existing)
    let table = try arguments.database.translating { try store.schema(ofTable: arguments.table) }
    let change = try change(table)

    if consent.isDryRun {
      let report = try rehearse(change, in: store, detail: .rows)
      try ChangedRows(report).print(as: arguments.format ?? console.format, on: console)
      console.report(words.message(of: report, in: .conditional))
      return nil
    }
    if consent.isGiven {
      let report = try make(change, in: store, detail: .counts)
      console.report(words.message(of: report, in: .past))
      return report
    }
    // Nobody else has to wait until somebody has answered: the change is undone, and made once more.
    let rehearsal = try rehearse(change, in: store, detail: .identity)
    if rehearsal.count == 0 {
      console.report(words.message(of: rehearsal, in: .past))
      return nil
    }
    try await consent.confirm(words.confirmation(of: rehearsal), on: console)
    let report = try make(change, in: store, detail: .identity, expecting: rehearsal)
    console.report(words.message(of: report, in: .past))
    return report
  }

  private func rehearse(
    _ change: RowChange, in store: SQLiteStore, detail: ChangeDetail
  ) throws(Failure) -> ChangeReport {
    do {
      return try store.rehearse { try $0.change(change, in: arguments.table, detail: detail) }
    } catch {
      throw arguments.database.failure(translating: error)
    }
  }

  private func make(
    _ change: RowChange, in store: SQLiteStore, detail: ChangeDetail, expecting rehearsal: ChangeReport? = nil
  ) throws(Failure) -> ChangeReport {
    do {
      return try store.transaction { transaction in
        let report = try transaction.change(change, in: arguments.table, detail: detail)
        if let rehearsal, !report.isSame(as: rehearsal) {
          throw Failure(
            "\(report.table.name) was changed by somebody else meanwhile, so nothing was done",
            details: ["what you agreed to is no longer what would happen", "run the command again to see what is"])
        }
        return report
      }
    } catch {
      throw arguments.database.failure(translating: error)
    }
  }
}
