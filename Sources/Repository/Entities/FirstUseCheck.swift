import Query
import Synchronization

/// Finds mistakes in a schema that compile: columns in another order than the initialiser's parameters, and a primary key
/// that is not the element's `id`.
///
/// The first elements that a schema writes or reads make the way there and back once more. Where two columns come back
/// with each other's values, the order is wrong.
final class FirstUseCheck: Sendable {
  /// Elements with the same value in both columns tell nothing, so more than one is looked at.
  private let remaining = Atomic(64)

  var isPending: Bool { remaining.load(ordering: .relaxed) > 0 }

  /// Compares a row with what became of it on the way there and back.
  ///
  /// - Parameters:
  ///   - id: what identifies the element that the row keeps.
  ///   - written: the row.
  ///   - again: the row of the element that was read from it.
  func problem(
    _ table: TableSchema, id: some PrimaryKey, written: [Value], readAs again: [Value]
  ) -> RepositoryError? {
    remaining.subtract(1, ordering: .relaxed)
    let changed = written.indices.filter { written[$0] != again[$0] }
    // The same values in other columns, be it two that were swapped or more that were moved round.
    if let first = changed.first, changed.map({ written[$0] }).sorted() == changed.map({ again[$0] }).sorted(),
      let second = changed.first(where: { written[$0] == again[first] })
    {
      return .swappedColumns(table.columns[first].name, table.columns[second].name, in: table)
    }
    if let key = try? id.keyValues(), !table.primaryKey.isEmpty, key != table.primaryKey.map({ again[$0] }) {
      return .keyIsNotID(table)
    }
    return nil
  }
}
