import CSystemSQLite
package import Model

extension RawPokedex {
  package func all(_ expected: Int = 0) throws(RawError) -> [Pokemon] {
    try statement(.all, "\(Self.select) ORDER BY id").pokemonList(reserving: expected)
  }

  package func allValues(_ expected: Int = 0) throws(RawError) -> [[RawValue]] {
    let statement = try statement(.all, "\(Self.select) ORDER BY id")
    defer { statement.reset() }
    var rows: [[RawValue]] = []
    rows.reserveCapacity(expected)
    while try statement.step() { rows.append(statement.values(10)) }
    return rows
  }

  package func find(_ id: Int) throws(RawError) -> Pokemon? {
    let statement = try statement(.find, "\(Self.select) WHERE id = ?")
    defer { statement.reset() }
    statement.bind(id, at: 1)
    return try statement.step() ? statement.pokemon() : nil
  }

  /// Always the same number of keys, so that one statement serves.
  package func find(_ ids: [Int]) throws(RawError) -> [Pokemon] {
    let statement = try statement(
      .findMany,
      "\(Self.select) WHERE id IN (\(ids.map { _ in "?" }.joined(separator: ", "))) ORDER BY id")
    for (position, id) in ids.enumerated() { statement.bind(id, at: Int32(position + 1)) }
    return try statement.pokemonList(reserving: ids.count)
  }

  /// Keys as one text, which SQLite takes apart: a statement with ten thousand placeholders takes longer to prepare.
  package func find(list ids: [Int]) throws(RawError) -> [Pokemon] {
    let statement = try statement(
      .list, "\(Self.select) WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id")
    var json: [UInt8] = []
    json.reserveCapacity(ids.count * 7 + 2)
    json.append(UInt8(ascii: "["))
    for id in ids {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.append(contentsOf: String(id).utf8)
    }
    json.append(UInt8(ascii: "]"))
    return try json.withUnsafeBufferPointer { bytes throws(RawError) in
      statement.bind(static: bytes, at: 1)
      return try statement.pokemonList(reserving: ids.count)
    }
  }

  package func filter(_ question: FilterQuestion) throws(RawError) -> [Pokemon] {
    let statement = try statement(
      .filter,
      """
      \(Self.select) WHERE id >= ? AND id < ? AND weight > ? AND type <> ? \
      ORDER BY weight DESC, name LIMIT 20
      """)
    statement.bind(question.ids.lowerBound, at: 1)
    statement.bind(question.ids.upperBound, at: 2)
    statement.bind(question.weight, at: 3)
    statement.bind(question.type.rawValue, at: 4)
    return try statement.pokemonList(reserving: 20)
  }

  package func scan(_ question: FilterQuestion) throws(RawError) -> [Pokemon] {
    let statement = try statement(
      .scan, "\(Self.select) WHERE weight > ? AND type <> ? ORDER BY weight DESC, name LIMIT 20")
    statement.bind(question.weight, at: 1)
    statement.bind(question.type.rawValue, at: 2)
    return try statement.pokemonList(reserving: 20)
  }

  package func count(_ question: FilterQuestion) throws(RawError) -> Int {
    let statement = try statement(.count, "SELECT count(*) FROM pokemon WHERE weight > ? AND type <> ?")
    defer { statement.reset() }
    statement.bind(question.weight, at: 1)
    statement.bind(question.type.rawValue, at: 2)
    return try statement.step() ? statement.integer(0) : 0
  }

  package func contains(_ word: String) throws(RawError) -> [Pokemon] {
    let statement = try statement(.contains, "\(Self.select) WHERE instr(text, ?) > 0 ORDER BY id")
    statement.bind(word, at: 1)
    return try statement.pokemonList()
  }

  /// A prefix is a range of texts.
  package func hasPrefix(_ word: String) throws(RawError) -> [Pokemon] {
    let statement = try statement(.hasPrefix, "\(Self.select) WHERE text >= ? AND text < ? ORDER BY id")
    statement.bind(word, at: 1)
    statement.bind(Self.after(prefix: word), at: 2)
    return try statement.pokemonList()
  }

  /// `GLOB` takes less time here than `substr`; the word has none of its special characters.
  package func hasSuffix(_ word: String) throws(RawError) -> [Pokemon] {
    let statement = try statement(.hasSuffix, "\(Self.select) WHERE text GLOB ? ORDER BY id")
    statement.bind("*\(word)", at: 1)
    return try statement.pokemonList()
  }

  package func nameHasPrefix(_ word: String) throws(RawError) -> [Pokemon] {
    let statement = try statement(.namePrefix, "\(Self.select) WHERE name >= ? AND name < ? ORDER BY id")
    statement.bind(word, at: 1)
    statement.bind(Self.after(prefix: word), at: 2)
    return try statement.pokemonList()
  }

  package func page(after name: String) throws(RawError) -> [Pokemon] {
    let statement = try statement(.page, "\(Self.select) WHERE name > ? ORDER BY name LIMIT 20")
    statement.bind(name, at: 1)
    return try statement.pokemonList(reserving: 20)
  }

  package func page(at offset: Int) throws(RawError) -> [Pokemon] {
    let statement = try statement(.offset, "\(Self.select) ORDER BY name LIMIT 20 OFFSET ?")
    statement.bind(offset, at: 1)
    return try statement.pokemonList(reserving: 20)
  }

  /// The least text that is greater than all with a prefix of ASCII.
  package static func after(prefix: String) -> String {
    var bytes = Array(prefix.utf8)
    if let last = bytes.popLast() { bytes.append(last + 1) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
