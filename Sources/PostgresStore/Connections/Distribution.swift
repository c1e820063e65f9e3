import Query
import Repository
import SQL
import SQLStore

// What a database whose tables are spread over several servers by Citus can't keep, and how it names things.
extension PostgresDriver {
  /// Refuses a table with a rule of uniqueness that no server could keep alone.
  func checkDistribution(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    guard case .by(let column) = table.distribution, let rule = table.undistributableRule else { return }
    let look = CompiledStatement(sql: "SELECT (\(PostgresDialect.isDistributing))::int", bindings: [])
    guard try connection.integer(look) == 1 else { return }
    let columns = rule.joined(separator: " and ")
    throw RepositoryError(
      .unsupported, "\(columns) can't be unique in \(table.name)",
      reason: "its rows are distributed by \(column), and each server looks at its own alone",
      suggestion:
        "make \(column) a part of the key and of each rule of uniqueness, or distribute the table as reference")
  }
}

extension PostgresError {
  /// The error by the names that the program knows. Citus keeps a table as many, which are called `pokemon_102009`, and hands an
  /// error of one on by its message alone; so do the names of its constraints end. A deletion names the table that it was in, the
  /// constraint and the table that refers, everything else the table and the constraint, or the constraint alone.
  ///
  /// - Parameter table: the one that was written to.
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
