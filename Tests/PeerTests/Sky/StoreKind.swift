import Foundation
import SQLiteStore
import Testing

/// The stores that every suite of this target runs over. A further one is a case here and a line in ``open()``.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite

  /// Opens an empty store.
  func open() throws -> any Store {
    switch self {
    case .memory: MemoryStore()
    case .sqlite: try SQLiteStore.inMemory()
    }
  }

  var testDescription: String { rawValue }
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
