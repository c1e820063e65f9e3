/// A statement as a session has it prepared: its name there, what it takes and what it gives.
struct PreparedPlan {
  /// The name; `nil` for a statement that is sent as a whole each time.
  let name: String?
  let sql: String
  let parameters: [TypeID]
  let columns: [ResultColumn]
  let decoders: [ColumnDecoder]
  /// Whether all columns are sent in their types' own forms.
  let isBinary: Bool

  /// Has a statement prepared.
  ///
  /// - Parameters:
  ///   - types: of its parameters, as far as they are not left to the server.
  ///   - name: by which the session keeps it; `nil` where it is to keep nothing.
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
