import Foundation
import PostgresStore
import Query
import Testing
@testable import repokit

/// A schema of a test's own on the PostgreSQL server that `REPOKIT_POSTGRES` names, as `scripts/postgres.sh` prints it.
struct TestSchema {
  static let connection: String? = {
    let connection = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"] ?? ""
    return connection.isEmpty ? nil : connection
  }()

  /// The URI of the database, with the schema as its search path.
  let uri: String
  let store: PostgresStore

  /// Runs a test with a schema.
  static func with(_ body: (TestSchema) async throws -> Void) async throws {
    let server = try #require(connection)
    let name = "repokit_test_\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    let administrator = try PostgresStore(server, connections: 1)
    try await administrator.sql.execute("CREATE SCHEMA \(identifier: name)")
    let uri = uri(server, option: "-csearch_path=\(name)")
    do {
      try await body(TestSchema(uri: uri, store: try PostgresStore(uri, connections: 1)))
    } catch {
      _ = try? await administrator.sql.execute("DROP SCHEMA \(identifier: name) CASCADE")
      throw error
    }
    try await administrator.sql.execute("DROP SCHEMA \(identifier: name) CASCADE")
  }

  /// Runs a statement.
  func execute(_ statements: String...) async throws {
    for sql in statements { try await store.sql.execute(SQLStatement(verbatim: sql)) }
  }

  /// A connection string as a URI: keywords and values become its parameters.
  private static func uri(_ connection: String, option: String) -> String {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))
    func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
    if connection.hasPrefix("postgres") {
      return connection + (connection.contains("?") ? "&" : "?") + "options=\(encoded(option))"
    }
    var parameters: [String] = []
    // Values in quotes may hold blanks; a backslash stands before a quote or another one.
    let pattern = #/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))/#
    for match in connection.matches(of: pattern) {
      let quoted = match.2.map { String($0).replacing(#/\\(.)/#, with: { $0.1 }) }
      parameters.append("\(match.1)=\(encoded(quoted ?? match.3.map(String.init) ?? ""))")
    }
    return "postgresql://?" + (parameters + ["options=\(encoded(option))"]).joined(separator: "&")
  }
}
