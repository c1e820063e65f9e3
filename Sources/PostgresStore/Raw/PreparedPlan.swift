/// A statement as it is prepared in a session: its name in the session, its parameters and its columns.
struct PreparedPlan {
  /// The name; `nil` for a statement that is sent in full each time.
  let name: String?
  let sql: String
  let parameters: [TypeID]
  let columns: [ResultColumn]
  let decoders: [ColumnDecoder]
  /// Whether all columns are sent in binary format.
  let isBinary: Bool

  /// Prepares a statement.
  ///
  /// - Parameters:
  ///   - types: the types of the parameters, as far as the server does not infer them.
  ///   - name: the name in the session; `nil` if the session keeps no statements.
  init(
    of sql: String, _ types: [TypeID] = [], named name: String?, in session: ServerSession
  ) throws(PostgresError) {
    self.name = name
    self.sql = sql
    if let name {
      (parameters, columns) = try session.prepare(name, sql, types)
    } else {
      (parameters, columns) = try session.describe(sql, types)
    }
    (decoders, isBinary) = ColumnDecoder.decoders(of: columns)
  }
}
