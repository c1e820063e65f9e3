import Query
package import Repository
import SQL
import SQLInspection
import SQLStore
import SQLiteStore

// SQLite refuses to drop a column for the first definition that it finds in the way, and tells of no other one. The others are
// found by dropping those before, which is undone. https://www.sqlite.org/lang_altertable.html#altertabdropcol
extension SQLiteCatalog {
  package func drop(column: String, of table: String) throws(RepositoryError) {
    let statement = SQLStatement(verbatim: connection.compiler.dropColumn(column, from: table))
    do throws(RepositoryError) {
      try connection.driver.changeSchema(statement, on: connection)
    } catch {
      guard let first = Obstacle(error) else { throw error }
      throw try obstacles(from: first, to: statement).error(column, of: table, error)
    }
  }

  private func obstacles(from first: Obstacle, to statement: SQLStatement) throws(RepositoryError) -> [Obstacle] {
    try connection.begin(.trial)
    defer { connection.rollBack(to: .trial) }
    var obstacles = [first]
    while let last = obstacles.last, last.isDroppable {
      do throws(RepositoryError) {
        try connection.execute("DROP \(last.kind.uppercased()) \(connection.compiler.dialect.quoted(last.name))")
        try connection.driver.changeSchema(statement, on: connection)
        break
      } catch {
        guard let next = Obstacle(error), next != last else { break }
        obstacles.append(next)
      }
    }
    return obstacles
  }
}

/// A definition that keeps a column from being dropped, as SQLite's message names it.
private struct Obstacle: Equatable {
  /// `index`, `view`, `trigger` or `table`.
  let kind: String
  let name: String
  /// Whether it is invalid only without the column, so that it names it.
  let namesColumn: Bool

  var isDroppable: Bool { kind != "table" }

  /// Reads "error in view heavy after drop column: no such column: weight".
  init?(_ error: RepositoryError) {
    let start = "error in "
    guard let message = SQLiteDriver.message(of: error), message.hasPrefix(start) else { return nil }
    let words = message.dropFirst(start.count)
    guard let kind = ["index", "view", "trigger", "table"].first(where: { words.hasPrefix("\($0) ") }) else {
      return nil
    }
    let rest = words.dropFirst(kind.count + 1)
    let end = rest.firstRange(of: " after drop column: ") ?? rest.firstRange(of: ": ")
    guard let end else { return nil }
    self.kind = kind
    name = String(rest[..<end.lowerBound])
    namesColumn = rest[end] != ": "
  }
}

extension [Obstacle] {
  /// The error that names all of them.
  fileprivate func error(_ column: String, of table: String, _ error: RepositoryError) -> RepositoryError {
    func names(_ obstacles: [Obstacle]) -> String {
      obstacles.map { "the \($0.kind) \($0.name)" }.joined(separator: " and ")
    }
    let (naming, broken) = (filter { $0.namesColumn && $0.isDroppable }, filter { !$0.namesColumn })
    let isInRule = contains { !$0.isDroppable && $0.namesColumn }
    let reasons = [
      naming.isEmpty ? nil : "\(names(naming)) \(naming.count == 1 ? "uses" : "use") the column",
      isInRule ? "a constraint or a computed column of \(table) uses the column" : nil,
      broken.isEmpty
        ? nil
        : "SQLite can't drop a column while \(names(broken)) \(broken.count == 1 ? "is" : "are") broken",
    ]
    let reason = reasons.compactMap(\.self).joined(separator: "; ")
    return RepositoryError(
      .unsupported, "can't drop \(column) of \(table)", reason: reason,
      suggestion: isInRule
        ? "make a table without the column, and move the rows"
        : "drop these objects first, and create them again without the column",
      sql: error.sql, storeCode: error.storeCode, underlying: error)
  }
}
