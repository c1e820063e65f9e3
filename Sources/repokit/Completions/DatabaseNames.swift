import Query
import SQLiteStore

/// What is in a database, for those who complete its names. Whatever is wrong with the file, there are just no names.
final class DatabaseNames {
  private let path: String?
  private let patience: Duration
  /// `nil` where the file can't be read.
  private lazy var store = path.flatMap(Self.open)

  /// - Parameters:
  ///   - path: the file, if the line names one.
  ///   - patience: how long the values of a column are looked for.
  init(path: String?, patience: Duration) {
    (self.path, self.patience) = (path, patience)
  }

  private static func open(_ path: String) -> SQLiteStore? {
    // Nothing is waited for, and nothing is mended: a key is not what somebody presses to change a file.
    guard FileKind(ofPath: path) == .regular else { return nil }
    return try? SQLiteStore(path: path, mode: .readOnly, journal: .unchanged, timeout: .milliseconds(100))
  }

  /// The tables and views.
  var tables: [String] { (try? store?.tableNames()) ?? [] }

  /// The columns of a table.
  func columns(of table: String) -> [ColumnSchema] { (try? store?.schema(ofTable: table).columns) ?? [] }

  /// The different values of a column, where they are few and soon found.
  func values(of column: String, in table: String) async -> [Value] {
    guard let store else { return [] }
    return await withTaskGroup(of: [Value]?.self) { [patience] group in
      group.addTask { (try? await store.sampledValues(of: column, in: table)) ?? [] }
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      let first = await group.next() ?? nil
      // Stops the search, or the clock.
      group.cancelAll()
      return first ?? []
    }
  }
}
