import Query
import Repository
import SQL
import SQLStore

// Many rows by one statement: most of the cost of a row is the round trip to the server.
extension PostgresDriver {
  /// Enough rows to make the cost of the round trip and of the lookups in the catalogue negligible, and few enough to be held
  /// in memory twice, and to be written one by one if the server refuses them.
  var rowsWrittenTogether: Int { 4_000 }

  /// Writes rows by `COPY` if they are inserted, and by arrays if they may replace others.
  ///
  /// The server checks references once per statement, and not row by row; so tables for which that matters are excluded.
  /// If the server refuses the rows, they are written row by row: the order of its errors is not that of the contract.
  func writeTogether(
    _ rows: inout [[Value]], into table: TableSchema, by mode: WriteMode, on connection: Connection
  ) throws(RepositoryError) -> Bool {
    let mode = table.primaryKey.isEmpty ? .insert : mode
    var written = rows
    let isWritten = try tryTogether(table, on: connection) { types throws(RepositoryError) in
      guard try assignKeys(to: &written, of: table, on: connection) else { return false }
      switch mode {
      case .insert:
        return try copy(written.count, types, into: table, on: connection) { number in written[number] }
      case .save:
        try merge(written, types, into: table, on: connection)
        return true
      }
    }
    if isWritten { rows = written }
    return isWritten
  }

  /// Inserts rows by one `COPY`, during which they are made: the server processes rows while the next ones are made.
  func insertTogether(
    _ count: Int, into table: TableSchema, on connection: Connection,
    _ makeRow: (_ number: Int) throws(RepositoryError) -> [Value]
  ) throws(RepositoryError) -> Bool {
    try tryTogether(table, on: connection) { types throws(RepositoryError) in
      try copy(count, types, into: table, on: connection, makeRow)
    }
  }

  /// Writes rows together if that is equivalent to writing them one by one.
  ///
  /// - Parameter body: writes the rows, given the types of the table's columns.
  /// - Returns: whether the rows were written; otherwise, nothing was.
  private func tryTogether(
    _ table: TableSchema, on connection: Connection, _ body: (_ types: [TypeID]) throws(RepositoryError) -> Bool
  ) throws(RepositoryError) -> Bool {
    guard connection.isInTransaction, let types = try columnTypes(of: table, on: connection),
      try PostgresCatalog(connection).canWriteRowsTogether(table.name)
    else { return false }
    try connection.begin(.batch)
    do throws(RepositoryError) {
      guard try body(types) else {
        connection.rollBack(to: .batch)
        return false
      }
      try connection.release(.batch)
      return true
    } catch {
      connection.rollBack(to: .batch)
      connection.postgres.forgetParameterTypes()
      guard let fault = error.underlying as? PostgresError, !fault.isConnectionLost, error.code != .cancelled else {
        throw error
      }
      return false
    }
  }

  /// Returns the types of a table's columns, for an insert of all columns; `nil` if the binary format of a type is not known.
  private func columnTypes(of table: TableSchema, on connection: Connection) throws(RepositoryError) -> [TypeID]? {
    let columns = table.columns.indices.map { compiler.dialect.placeholder($0 + 1) }.joined(separator: ", ")
    let sql = "\(start(of: table)) VALUES (\(columns))"
    let types = try connection.postgres.parameterTypes(of: sql)
    return types.allSatisfy { $0.arrayName != nil } ? types : nil
  }

  // MARK: Keys

  /// Generates keys for rows without keys; for rows with keys, advances the sequence beyond their keys.
  ///
  /// - Returns: `false` if only some rows have a key.
  private func assignKeys(
    to rows: inout [[Value]], of table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> Bool {
    guard let position = table.columns.firstIndex(where: \.isGenerated) else { return true }
    let given = rows.compactMap { row -> Int64? in
      if case .integer(let key) = row[position] { key } else { nil }
    }
    let sequence = PostgresDialect().sequence(of: table.columns[position], in: table)
    if given.isEmpty {
      let sql = "SELECT nextval(\(sequence)) FROM generate_series(1, $1::int8)"
      var keys: [Value] = []
      try connection.query(CompiledStatement(sql: sql, bindings: [.integer(Int64(rows.count))])) { row in
        keys.append(.integer(row.integer(0)))
      }
      for (index, key) in keys.enumerated() { rows[index][position] = key }
      return true
    }
    if given.count < rows.count { return false }
    // Between the comparison and `setval`, another session may take a greater number by `nextval`, and the sequence goes back: no
    // lock that a writer may have is in the way of `nextval` ("LOCK TABLE" takes no sequences, and `ALTER SEQUENCE`, which only
    // the owner may run, would hold up all other writers until this transaction ends). The rows that would get those numbers again
    // are then refused as conflicts, each of which takes a number, and nothing is overwritten. Sequences are for generated keys,
    // and keys that are given are mostly those of a copy, into a table to which no other program writes.
    let sql = """
      SELECT setval(\(sequence), $1::int8) WHERE $1 > coalesce(pg_sequence_last_value(\(sequence)::regclass), 0)
      """
    if let greatest = given.filter({ $0 < .max }).max() {
      try connection.execute(sql, [.integer(greatest)])
    }
    return true
  }

  // MARK: Statements

  private func names(of table: TableSchema) -> String {
    table.columns.map { compiler.dialect.quoted($0.name) }.joined(separator: ", ")
  }

  /// Returns an insert of all columns, up to its values.
  private func start(of table: TableSchema) -> String {
    "INSERT INTO \(compiler.dialect.quoted(table.name)) (\(names(of: table)))\(compiler.dialect.insertOverride)"
  }

  /// - Returns: `false` if rows have to be written one by one: some were left out by the table's own rules, or other
  ///   statements were run while rows were made.
  private func copy(
    _ count: Int, _ types: [TypeID], into table: TableSchema, on connection: Connection,
    _ makeRow: (_ number: Int) throws(RepositoryError) -> [Value]
  ) throws(RepositoryError) -> Bool {
    let sql = "COPY \(compiler.dialect.quoted(table.name)) (\(names(of: table))) FROM STDIN (FORMAT binary)"
    var isWritten = true
    try connection.observing(sql) { () throws(RepositoryError) -> Int in
      var number = 0
      let added = try connection.postgres.copy(by: sql) { data throws(RepositoryError) in
        try connection.checkInterruption()
        while number < count, !data.isFull {
          guard data.append(try makeRow(number), types) else { throw Self.unstorableValue }
          number += 1
        }
        if number == count { data.finish() }
        return number < count
      }
      // A trigger may leave rows out, whose keys must not be returned.
      isWritten = added == count
      return added ?? 0
    }
    return isWritten
  }

  /// Inserts a row of arrays, one per column, which the server expands to rows.
  private func merge(
    _ rows: [[Value]], _ types: [TypeID], into table: TableSchema, on connection: Connection
  ) throws(RepositoryError) {
    let arrays = types.enumerated().map { "$\($0 + 1)::\($1.arrayName ?? "")" }.joined(separator: ", ")
    let sql = "\(start(of: table)) SELECT * FROM unnest(\(arrays))" + compiler.dialect.upsert(into: table)
    let lists = table.columns.indices.map { position in
      BoundList(position: position, values: rows.map { $0[position] }, type: table.columns[position].type)
    }
    try connection.execute(
      CompiledStatement(sql: sql, bindings: [Value](repeating: .null, count: lists.count), lists: lists))
  }

  /// The error for a value that its column can't hold. The rows are then written one by one, which finds the column.
  private static let unstorableValue = RepositoryError(
    PostgresError(sqlState: "22000", message: "a value is too large for the column"))
}
