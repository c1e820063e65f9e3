import Foundation
import PostgresStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// The stores that every suite of this target runs over. A further one is a case here and a line in ``open()``.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite, postgres

  /// The server's, too, where one is named.
  static let allCases: [StoreKind] = [.memory, .sqlite] + (server == nil ? [] : [.postgres])

  /// The connection string of a PostgreSQL server, of whose databases each store has a schema of its own.
  private static let server: String? = {
    let connection = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"] ?? ""
    return connection.isEmpty ? nil : connection
  }()

  /// Opens an empty store.
  func open() throws -> any Store {
    switch self {
    case .memory: MemoryStore()
    case .sqlite: try SQLiteStore.inMemory(timeout: .seconds(120))
    case .postgres: try StoreSchema.open(on: Self.server ?? "")
    }
  }

  var testDescription: String { rawValue }
}

/// The schemas of stores on a server, which are dropped at the end of the process.
private enum StoreSchema {
  private static let names = Mutex<[String]>([])

  static func open(on server: String) throws -> PostgresStore {
    let name = "repokit_fluent_\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    let isFirst = names.withLock { names in
      names.append(name)
      return names.count == 1
    }
    if isFirst { atexit { StoreSchema.drop() } }
    let connection = ConnectionString.extended(server, by: ["options": ConnectionString.option("search_path", name)])
    let store = try PostgresStore(connection, connections: 2, timeout: .seconds(120), notifies: false)
    try store.blocking.sql.execute(SQLStatement(verbatim: "CREATE SCHEMA \(name)"))
    return store
  }

  private static func drop() {
    let connection = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"] ?? ""
    guard let store = try? PostgresStore(connection, connections: 1, notifies: false) else { return }
    for name in names.withLock(\.self) {
      _ = try? store.blocking.sql.execute(SQLStatement(verbatim: "DROP SCHEMA IF EXISTS \(name) CASCADE"))
    }
  }
}

/// Expects that a call is refused with a code.
///
/// - Returns: the error, for what else it tells.
@discardableResult
func expectRefusal(
  _ code: RepositoryError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () async throws -> some Any
) async -> RepositoryError? {
  let error = await #expect(throws: RepositoryError.self, sourceLocation: sourceLocation) { _ = try await call() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}

/// The JSON of a value, its keys sorted.
func json(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
