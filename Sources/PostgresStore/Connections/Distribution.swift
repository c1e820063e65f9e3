import Query
import Repository
import SQL
import SQLStore

// The limits of a database whose tables Citus distributes over several servers, and the names of objects there.
extension PostgresDriver {
  /// Throws for a table with a unique constraint that no server could enforce on its own.
  func checkDistribution(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    guard case .by(let column) = table.distribution, let rule = table.undistributableRule else { return }
    let look = CompiledStatement(sql: "SELECT (\(PostgresDialect.isDistributing))::int", bindings: [])
    guard try connection.integer(look) == 1 else { return }
    let columns = rule.joined(separator: " and ")
    throw RepositoryError(
      .unsupported, "\(columns) can't be unique in \(table.name)",
      reason: "the table distributes rows by \(column), and each server checks only its own rows",
      suggestion:
        "make \(column) a part of the primary key and of each unique constraint, or distribute the table as reference")
  }
}

extension PostgresError {
  /// Returns the error with the names that the program knows; `nil` if it names no shard. Citus stores a table as shards, which
  /// are called `pokemon_102009`, and reports an error in a shard by its message only; the names of the shard's constraints have
  /// the same suffix. The message about a deletion names the table of the deleted row, the constraint and the referring table;
  /// other messages name the table and the constraint, or only the constraint.
  ///
  /// - Parameter table: the table that was written to.
  func withoutShard(of table: String) -> PostgresError? {
    let quoted = message.matches(of: #/"([^"]+)_(\d+)"/#)
    guard errorClass == "23", let shard = self.table.flatMap(Self.shardNumber) ?? quoted.last.map({ String($0.2) })
    else { return nil }
    func base(_ name: String) -> String? { name.hasSuffix("_\(shard)") ? String(name.dropLast(shard.count + 1)) : nil }
    let quotedNames = quoted.filter { $0.2 == shard }.map { String($0.1) }
    let names = quoted.count > 2 ? quotedNames.reversed() : quotedNames
    let known = PostgresError(
      sqlState: sqlState, message: message, detail: detail, hint: hint,
      table: self.table.flatMap(base) ?? (names.count > 1 ? names[0] : table), column: column,
      constraint: constraint.flatMap(base) ?? names.last, isConnectionLost: isConnectionLost)
    return known.table == self.table && known.constraint == constraint ? nil : known
  }

  private static func shardNumber(_ name: String) -> String? {
    name.wholeMatch(of: #/.+_(\d+)/#).map { String($0.1) }
  }
}
