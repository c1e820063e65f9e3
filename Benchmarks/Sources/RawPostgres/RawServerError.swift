import CSystemPostgres

/// What the server, or the library about the connection, refused to do.
package struct RawServerError: Error, CustomStringConvertible {
  package let description: String

  init(_ connection: OpaquePointer?) {
    description = "PostgreSQL: \(String(cString: PQerrorMessage(connection)))"
  }
}
