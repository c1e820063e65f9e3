import CSystemPostgres
import Model

/// The table through the C functions of libpq alone, as somebody would write it who knows them well and needs nothing but
/// this table: the measure of what everything else costs.
///
/// One connection, for one thread at a time. Each statement is prepared once; values go both ways in their binary forms.
package final class RawServer: @unchecked Sendable {
  static let columns = Pokemon.CodingKeys.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  package static let selectByKey = "SELECT \(columns) FROM pokemon WHERE id = "

  let connection: OpaquePointer
  private var isPrepared = Set<String>()
  var buffer = RowBuffer()

  /// Connects to a server.
  ///
  /// - Parameter string: a connection string.
  package init(_ string: String) throws(RawServerError) {
    guard let connection = PQconnectdb(string) else { throw RawServerError(nil) }
    guard PQstatus(connection) == CONNECTION_OK else {
      defer { PQfinish(connection) }
      throw RawServerError(connection)
    }
    self.connection = connection
    // What it says about tables that exist already.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  /// Runs statements that have no result.
  package func execute(_ sql: String) throws(RawServerError) { PQclear(try checked(PQexec(connection, sql))) }

  /// The first value of a statement's result.
  package func scalar(_ sql: String) throws(RawServerError) -> String {
    let result = try checked(PQexec(connection, sql))
    defer { PQclear(result) }
    return String(cString: PQgetvalue(result, 0, 0))
  }

  /// Prepares the statement of one of the methods at its first use.
  func prepare(_ name: String, _ sql: @autoclosure () -> String) throws(RawServerError) {
    guard isPrepared.insert(name).inserted else { return }
    PQclear(try checked(PQprepare(connection, name, sql(), 0, nil)))
  }

  /// A result that is no failure.
  func checked(_ result: OpaquePointer?) throws(RawServerError) -> OpaquePointer {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COPY_IN, PGRES_PIPELINE_SYNC:
      if let result { return result }
    default: break
    }
    PQclear(result)
    throw RawServerError(connection)
  }
}
