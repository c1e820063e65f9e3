package import GRDB
import Model

/// The table through GRDB: a pool with a write-ahead log, as its documentation advises for programs that read much.
package final class Peer: Sendable {
  static let columns = Pokemon.CodingKeys.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  static let select = "SELECT \(columns) FROM \"pokemon\""

  package let pool: DatabasePool

  /// Opens a database file, and makes it if it does not exist. The journal, `synchronous` and foreign keys are GRDB's
  /// own, which are those of the others.
  ///
  /// - Parameters:
  ///   - pragmas: what is set beside them.
  ///   - definitions: the statements that make the table.
  package init(path: String, pragmas: [String] = [], creating definitions: [String] = []) throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 8
    configuration.prepareDatabase { database in
      for pragma in pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    if definitions.isEmpty { return }
    try pool.write { database in
      for definition in definitions { try database.execute(sql: definition) }
    }
  }

  /// The first column of the first row of a statement, on the connection that writes.
  package func scalar(_ sql: String) throws -> String? {
    try pool.writeWithoutTransaction { try String.fetchOne($0, sql: sql) }
  }
}
