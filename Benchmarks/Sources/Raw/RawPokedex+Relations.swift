import CSystemSQLite
package import Model

// Rows that are told by those that they refer to, and by what is worked out of them.
extension RawPokedex {
  private static let selectCatches = "SELECT c.id, c.trainer, c.level, c.weight, c.place"

  package func catches(ofTrainer name: String) throws(RawError) -> [Catch] {
    let statement = try statement(
      .catchesOfTrainer,
      "\(Self.selectCatches) FROM catch c JOIN trainer t ON t.id = c.trainer WHERE t.name = ? ORDER BY c.id")
    statement.bind(name, at: 1)
    return try statement.catchList()
  }

  package func countCatches(badges: Int, level: Int) throws(RawError) -> Int {
    let statement = try statement(
      .catchCount,
      "SELECT count(*) FROM catch c JOIN trainer t ON t.id = c.trainer WHERE t.badges > ? AND c.level > ?")
    defer { statement.reset() }
    statement.bind(badges, at: 1)
    statement.bind(level, at: 2)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Rows of a window by what is computed of them.
  package func pokemon(in ids: Range<Int>, heavierForHeightThan ratio: Double) throws(RawError) -> [Pokemon] {
    let statement = try statement(
      .ratioFilter, "\(Self.select) WHERE id >= ? AND id < ? AND weight / height > ? ORDER BY id")
    statement.bind(ids.lowerBound, at: 1)
    statement.bind(ids.upperBound, at: 2)
    statement.bind(ratio, at: 3)
    return try statement.pokemonList()
  }

  package func count(heavierForHeightThan ratio: Double) throws(RawError) -> Int {
    let statement = try statement(.ratioCount, "SELECT count(*) FROM pokemon WHERE weight / height > ?")
    defer { statement.reset() }
    statement.bind(ratio, at: 1)
    return try statement.step() ? statement.integer(0) : 0
  }

  package func count(generationAndNumber sum: Int) throws(RawError) -> Int {
    let statement = try statement(.numberCount, "SELECT count(*) FROM pokemon WHERE generation * 100 + id > ?")
    defer { statement.reset() }
    statement.bind(sum, at: 1)
    return try statement.step() ? statement.integer(0) : 0
  }

  package func count(generationAndName sum: Int) throws(RawError) -> Int {
    let statement = try statement(
      .lengthCount, "SELECT count(*) FROM pokemon WHERE generation * 2 + length(name) > ?")
    defer { statement.reset() }
    statement.bind(sum, at: 1)
    return try statement.step() ? statement.integer(0) : 0
  }
}

extension RawStatement {
  /// All rows that are left, and the end of this use.
  fileprivate func catchList() throws(RawError) -> [Catch] {
    defer { reset() }
    var list: [Catch] = []
    while try step() {
      list.append(
        Catch(id: integer(0), trainer: integer(1), level: integer(2), weight: real(3), place: text(4)))
    }
    return list
  }
}
