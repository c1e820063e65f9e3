#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Query
import SQLInspection
import SQLStore

/// The names in a database, for completions. Where it can't be read, there are none.
final class DatabaseNames {
  private let database: DatabaseLocation?
  private let timeLimit: Duration
  /// `nil` where it can't be read.
  private lazy var store = database?.openForCompletion()

  /// - Parameters:
  ///   - database: the database that the line names, if any.
  ///   - timeLimit: the time limit for reading the values of a column.
  init(_ database: DatabaseLocation?, timeLimit: Duration) {
    (self.database, self.timeLimit) = (database, timeLimit)
  }

  /// Returns the tables and views of a database, as a command line names it.
  static func tables(of database: String) -> [String] {
    DatabaseNames(DatabaseLocation(database), timeLimit: .zero).tables
  }

  /// The tables and views.
  var tables: [String] { (try? store?.tableNames()) ?? [] }

  /// The part of a table that can be queried; a reference may spell its name in another case.
  func schema(of table: String) -> TableSchema? {
    if let schema = try? store?.queriedTable(table).schema { return schema }
    return tables.first { $0 != table && Name($0).equalsFolded(table) }
      .flatMap { try? store?.queriedTable($0).schema }
  }

  /// The columns of a table.
  func columns(of table: String) -> [ColumnSchema] { schema(of: table)?.columns ?? [] }

  /// The tables whose rows refer to those of another one.
  func tables(referringTo table: TableSchema) -> [TableSchema] {
    tables.compactMap { schema(of: $0) }.filter { !$0.references(to: table).isEmpty }
  }

  /// The distinct values of a column, where they are few and quickly found.
  func values(of column: String, in table: String) async -> [Value] {
    guard let store else { return [] }
    return await withTaskGroup(of: [Value]?.self) { [timeLimit] group in
      group.addTask { (try? await store.sampledValues(of: column, in: table)) ?? [] }
      group.addTask {
        try? await Task.sleep(for: timeLimit)
        return nil
      }
      let first = await group.next() ?? nil
      // Stops the search, or the clock.
      group.cancelAll()
      return first ?? []
    }
  }
}

extension TableSchema {
  /// The references to a table; databases with case-insensitive names may spell it differently.
  func references(to table: TableSchema) -> [ReferenceRule] {
    references.filter { Name($0.table).equalsFolded(table.name) }
  }

  /// The table to which a path leads through a column.
  func table(behind column: String) -> String? {
    let found = references(through: column)
    return found.count == 1 ? found[0].table : nil
  }
}

/// The time limits of a completion, short enough for a key press.
struct CompletionTimeLimit {
  /// For the values of a column.
  let values: Duration
  /// For everything, in seconds.
  let total: UInt32

  /// The time limit for a key press, overridden by `REPOKIT_COMPLETION_SECONDS`: a whole number of seconds for both limits.
  /// For tests, which want the answer of a busy machine too, and for slow disks.
  static var current: CompletionTimeLimit {
    let seconds = getenv("REPOKIT_COMPLETION_SECONDS").flatMap { UInt32(String(cString: $0)) }
    guard let seconds, seconds > 0 else { return CompletionTimeLimit(values: .milliseconds(300), total: 1) }
    return CompletionTimeLimit(values: .seconds(Int64(seconds)), total: seconds)
  }
}
