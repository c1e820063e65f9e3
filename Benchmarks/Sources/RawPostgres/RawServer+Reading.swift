import CSystemPostgres
package import Model

extension RawServer {
  /// All rows, each of which is read as it arrives.
  package func all() throws(RawServerError) -> [Pokemon] {
    try prepare("all", "SELECT \(Self.columns) FROM pokemon ORDER BY id")
    guard PQsendQueryPrepared(connection, "all", 0, nil, nil, nil, 1) == 1, PQsetSingleRowMode(connection) == 1 else {
      throw RawServerError(connection)
    }
    var list: [Pokemon] = []
    while let result = PQgetResult(connection) {
      let result = try checked(result)
      defer { PQclear(result) }
      if PQntuples(result) == 1 { list.append(pokemon(result)) }
    }
    return list
  }

  package func find(_ id: Int) throws(RawServerError) -> Pokemon? {
    try prepareFind()
    let answer = withKey(id) { values, lengths, formats in
      PQexecPrepared(connection, "find", 1, values, lengths, formats, 1)
    }
    let result = try checked(answer)
    defer { PQclear(result) }
    return PQntuples(result) == 1 ? pokemon(result) : nil
  }

  /// Rows by their keys, all of which are asked for before the first answer is read.
  /// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
  package func find(pipelined ids: [Int]) throws(RawServerError) -> [Pokemon?] {
    try prepareFind()
    guard PQenterPipelineMode(connection) == 1 else { throw RawServerError(connection) }
    for id in ids {
      let isSent = withKey(id) { values, lengths, formats in
        PQsendQueryPrepared(connection, "find", 1, values, lengths, formats, 1)
      }
      if isSent != 1 { throw RawServerError(connection) }
    }
    guard PQpipelineSync(connection) == 1 else { throw RawServerError(connection) }
    var found: [Pokemon?] = []
    found.reserveCapacity(ids.count)
    for _ in ids {
      let result = try checked(PQgetResult(connection))
      found.append(PQntuples(result) == 1 ? pokemon(result) : nil)
      PQclear(result)
      // The end of this statement's results.
      PQclear(PQgetResult(connection))
    }
    PQclear(try checked(PQgetResult(connection)))
    guard PQexitPipelineMode(connection) == 1 else { throw RawServerError(connection) }
    return found
  }

  private func prepareFind() throws(RawServerError) { try prepare("find", "\(Self.selectByKey)$1") }

  /// Lends a key as the parameters of a statement.
  @inline(__always)
  private func withKey<Result>(
    _ id: Int, _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
  ) -> Result {
    withUnsafeBytes(of: id.bigEndian) { bytes in
      var value = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var (length, format): (Int32, Int32) = (8, 1)
      return body(&value, &length, &format)
    }
  }

  // MARK: The row

  @inline(__always)
  private func pokemon(_ row: OpaquePointer) -> Pokemon {
    Pokemon(
      id: integer(row, 0), name: text(row, 1), type: PokemonType(rawValue: text(row, 2)) ?? .normal,
      secondType: optionalText(row, 3).flatMap(PokemonType.init(rawValue:)), weight: real(row, 4), height: real(row, 5),
      generation: integer(row, 6), isLegendary: integer(row, 7) != 0, habitat: optionalText(row, 8),
      text: text(row, 9))
  }

  @inline(__always)
  private func integer(_ row: OpaquePointer, _ column: Int32) -> Int {
    Int(bigEndian: UnsafeRawPointer(PQgetvalue(row, 0, column)).loadUnaligned(as: Int.self))
  }

  @inline(__always)
  private func real(_ row: OpaquePointer, _ column: Int32) -> Double {
    Double(bitPattern: UInt64(bigEndian: UnsafeRawPointer(PQgetvalue(row, 0, column)).loadUnaligned(as: UInt64.self)))
  }

  @inline(__always)
  private func text(_ row: OpaquePointer, _ column: Int32) -> String {
    let bytes = UnsafeRawBufferPointer(start: PQgetvalue(row, 0, column), count: Int(PQgetlength(row, 0, column)))
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  private func optionalText(_ row: OpaquePointer, _ column: Int32) -> String? {
    PQgetisnull(row, 0, column) != 0 ? nil : text(row, column)
  }
}
