import Query
import Synchronization

/// The tables that the repositories of a store have declared: what a database's texts are, which it does not know itself.
final class TableDeclarations: Sendable {
  struct Content {
    /// The number of changes.
    var revision = 0
    /// The columns by the names of their tables.
    var columns: [Name: [Name: ColumnSchema]] = [:]
  }

  private let content = Mutex(Content())

  /// Adds the columns of a table, as a schema declares them. One that leaves columns out changes nothing of these.
  func add(_ table: TableSchema) {
    content.withLock { content in
      var columns = content.columns[Name(table.name)] ?? [:]
      let declared = Dictionary(table.columns.map { (Name($0.name), $0) }) { first, _ in first }
      columns.merge(declared) { _, new in new }
      let isSame = columns.allSatisfy { name, column in
        guard let known = content.columns[Name(table.name)]?[name] else { return false }
        return known.format == column.format && known.mayHoldJSON == column.mayHoldJSON
      }
      if isSame { return }
      content.columns[Name(table.name)] = columns
      content.revision += 1
    }
  }

  var current: Content { content.withLock { $0 } }
  var revision: Int { content.withLock { $0.revision } }
}
