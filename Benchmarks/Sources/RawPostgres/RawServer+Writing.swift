import CSystemPostgres
package import Model

extension RawServer {
  private static let placeholders = (1...10).map { "$\($0)" }.joined(separator: ", ")
  private static let upsert: String = {
    let names = Pokemon.CodingKeys.allCases.dropFirst().map { "\"\($0.rawValue)\"" }
    return "ON CONFLICT (id) DO UPDATE SET " + names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  }()

  /// Inserts rows by `COPY`.
  package func insert(_ list: [Pokemon]) throws(RawServerError) { try copy(list, into: "pokemon") }

  /// Inserts rows, or puts them in the place of those that have their keys, in one transaction: they are copied into a table
  /// of their own first.
  package func save(_ list: [Pokemon]) throws(RawServerError) {
    try execute("BEGIN")
    try execute("CREATE TEMPORARY TABLE IF NOT EXISTS saved (LIKE pokemon) ON COMMIT DELETE ROWS")
    try copy(list, into: "saved")
    try execute("INSERT INTO pokemon (\(Self.columns)) SELECT \(Self.columns) FROM saved \(Self.upsert)")
    try execute("COMMIT")
  }

  /// Saves rows one by one in a transaction that is as if it were the only one.
  package func save(oneByOne list: [Pokemon]) throws(RawServerError) {
    let names: [(name: String, sql: String)] = [
      ("begin", "BEGIN ISOLATION LEVEL SERIALIZABLE"),
      ("save", "INSERT INTO pokemon (\(Self.columns)) VALUES (\(Self.placeholders)) \(Self.upsert)"),
      ("commit", "COMMIT"),
    ]
    for (name, sql) in names { try prepare(name, sql) }
    PQclear(try checked(PQexecPrepared(connection, "begin", 0, nil, nil, nil, 1)))
    for pokemon in list {
      buffer.removeAll()
      buffer.append(pokemon)
      let answer = buffer.withParameters { values, lengths, formats in
        PQexecPrepared(connection, "save", 10, values, lengths, formats, 1)
      }
      PQclear(try checked(answer))
    }
    PQclear(try checked(PQexecPrepared(connection, "commit", 0, nil, nil, nil, 1)))
  }

  private func copy(_ list: [Pokemon], into table: String) throws(RawServerError) {
    try execute("COPY \(table) (\(Self.columns)) FROM STDIN (FORMAT binary)")
    buffer.removeAll()
    buffer.appendCopyHeader()
    for pokemon in list {
      buffer.append(pokemon)
      if buffer.count > 1 << 16 { try sendBuffer() }
    }
    buffer.appendCopyEnd()
    try sendBuffer()
    guard PQputCopyEnd(connection, nil) == 1 else { throw RawServerError(connection) }
    while let result = PQgetResult(connection) { PQclear(try checked(result)) }
  }

  private func sendBuffer() throws(RawServerError) {
    let isSent = buffer.withBytes { PQputCopyData(connection, $0.baseAddress, Int32($0.count)) }
    guard isSent == 1 else { throw RawServerError(connection) }
    buffer.removeAll()
  }
}
