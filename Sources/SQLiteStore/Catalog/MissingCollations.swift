import Query
package import Repository
import SQL
import SQLStore

/// A collation that a table declares, and that only the program which made the file knows.
package struct MissingCollation: Hashable, Sendable {
  package let name: String
  package let table: String
  /// The indexes in whose order texts are compared by it.
  package let indexes: [String]
  /// Whether the table's definition may have `CHECK` constraints, which may compare texts by it.
  package let mayHaveChecks: Bool
}

extension SQLiteCatalog {
  /// Returns the collations that tables and their indexes declare and the connection does not have, by table and name.
  ///
  /// SQLite opens no index whose collation is missing, as `count(*)` and a check of the file do.
  /// https://www.sqlite.org/datatype3.html#collation
  package func missingCollations() throws(RepositoryError) -> [MissingCollation] {
    let words = "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%collate%'"
    if try integer(words) == 0 { return [] }
    var known: [[UInt8]: Bool] = [:]
    var missing: [MissingCollation] = []
    for table in try tableEntries() where table.type == "table" {
      var indexes: [[UInt8]: (name: String, indexes: [String])] = [:]
      func add(_ collation: String, _ index: String?) throws(RepositoryError) {
        let folded = Name(collation).folded
        if known[folded] == nil { known[folded] = try isKnown(collation) }
        if known[folded] == true { return }
        var entry = indexes[folded] ?? (collation, [])
        if let index, !entry.indexes.contains(index) { entry.indexes.append(index) }
        indexes[folded] = entry
      }
      for column in try columnEntries(ofTable: table.name) {
        if let collation = connection.database.collation(table: table.name, column: column.name) {
          try add(collation, nil)
        }
      }
      for index in try indexEntries(ofTable: table.name) {
        for term in try terms(ofIndex: index.name) { try add(term.collation, index.name) }
      }
      if indexes.isEmpty { continue }
      let checks = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE '%check%'"
      let mayHaveChecks = try integer(checks, [.text(table.name)]) > 0
      missing += indexes.values.sorted { $0.name < $1.name }.map {
        MissingCollation(
          name: $0.name, table: table.name, indexes: $0.indexes, mayHaveChecks: mayHaveChecks)
      }
    }
    return missing
  }

  /// Returns whether the connection has a collation. SQLite's own list of collations has also those that tables only name.
  private func isKnown(_ collation: String) throws(RepositoryError) -> Bool {
    do throws(RepositoryError) {
      try query("SELECT '' < '' COLLATE \(SQLiteDialect().quoted(collation))") { _ in }
      return true
    } catch {
      if error.isOfMissingCollation { return false }
      throw error
    }
  }

  /// Runs a closure while texts are compared by their bytes where a collation is missing, so that a file can be checked apart
  /// from the order of its texts. Nothing may be written meanwhile.
  ///
  /// - Throws: ``/Repository/RepositoryError`` of the closure, or where a stand-in can't be removed again.
  func withStandIns<Content>(
    for missing: [MissingCollation], _ body: () throws(RepositoryError) -> Content
  ) throws(RepositoryError) -> Content {
    let database = connection.database.handle
    let names = Set(missing.map(\.name)).sorted()
    let content = Result { () throws(RepositoryError) in
      do throws(ResultCode) {
        for name in names {
          try RawFunctions.define(collation: name, in: database) { left, right in
            // Equal texts of Swift may be different bytes.
            if left.utf8.elementsEqual(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
          }
        }
      } catch {
        throw RepositoryError(error)
      }
      return try body()
    }
    do throws(ResultCode) {
      for name in names { try RawFunctions.remove(collation: name, in: database) }
    } catch {
      throw RepositoryError(error)
    }
    return try content.get()
  }
}

extension RepositoryError {
  /// Whether SQLite does not know a collation that a statement needs.
  package var isOfMissingCollation: Bool {
    (underlying as? ResultCode)?.message.contains("no such collation sequence") == true
  }
}

extension [MissingCollation] {
  /// Whether a line of SQLite's check is about an order of texts, or about a condition on them, which depends on the collation.
  /// https://www.sqlite.org/src/file/src/pragma.c (`PragTyp_INTEGRITY_CHECK`)
  func concerns(_ line: String) -> Bool {
    contains { missing in
      line == "CHECK constraint failed in \(missing.table)" || line.hasSuffix(" PRIMARY KEY order for \(missing.table)")
        || !line.hasPrefix("wrong # of entries") && missing.indexes.contains { line.hasSuffix(" index \($0)") }
    }
  }
}
