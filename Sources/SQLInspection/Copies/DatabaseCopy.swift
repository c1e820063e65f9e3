import Query
import Repository
package import SQLStore

/// The tables of one database that are copied into another, those that others refer to first.
package struct DatabaseCopy {
  package let tables: [TableCopy]
  /// The names of the views and virtual tables, which are left out since they have no rows of their own.
  package let leftOut: [String]

  /// Finds out what is to be copied, from the state of the database in which the rows are read afterwards.
  ///
  /// - Parameters:
  ///   - names: the tables; all where there are none.
  ///   - isVerbatim: whether the other database takes the statements of this one.
  /// - Throws: ``/Repository/RepositoryError`` for what can't be copied, or can't be read.
  package init(of store: SQLDatabase, tables names: [String], isVerbatim: Bool) throws {
    for name in names { _ = try store.schema(ofTable: name) }
    var definitions: [TableDefinition] = []
    var leftOut: [String] = []
    for (name, result) in try store.definitions() where names.isEmpty || names.contains(named: name) {
      if names.isEmpty, try store.isView(name) {
        leftOut.append("the view \(name)")
        continue
      }
      let definition = try Self.readable(result, of: name)
      switch definition.kind {
      case .table: definitions.append(definition)
      case .shadow where names.isEmpty: break
      case let kind where names.isEmpty: leftOut.append("the \(kind.rawValue) table \(name)")
      default:
        throw RepositoryError(
          .unsupported, "repokit can't copy \(name), which is not a plain table",
          reason: "a view has no rows of its own, and another program stores the rows of a virtual table",
          suggestion: "repokit dump writes views and virtual tables too")
      }
    }
    self.leftOut = leftOut
    let copied = definitions.map(\.schema.name)
    let others = try store.tableNames().filter { !copied.contains(named: $0) }
    tables = try Self.inReferenceOrder(definitions).map { definition in
      isVerbatim
        ? try TableCopy(verbatim: definition, in: store, others: others)
        : try TableCopy(portable: definition, in: store)
    }
  }

  /// Returns the tables in an order in which those that others refer to come first, as far as no references form a cycle.
  private static func inReferenceOrder(_ definitions: [TableDefinition]) -> [TableDefinition] {
    var (waiting, ordered) = (definitions, [TableDefinition]())
    while !waiting.isEmpty {
      let names = waiting.map(\.schema.name)
      let index = waiting.firstIndex { definition in
        !definition.references.contains { $0.table != definition.schema.name && names.contains(named: $0.table) }
      }
      ordered.append(waiting.remove(at: index ?? 0))
    }
    return ordered
  }

  private static func readable(
    _ result: Result<TableDefinition, RepositoryError>, of name: String
  ) throws(RepositoryError) -> TableDefinition {
    do throws(RepositoryError) {
      return try result.get()
    } catch {
      throw RepositoryError(
        error.code, "can't copy \(name)",
        reason: [error.summary, error.reason].compactMap(\.self).joined(separator: ": "),
        suggestion: "name the tables to copy, without \(name)")
    }
  }
}

extension SQLDatabase {
  fileprivate func isView(_ name: String) throws(RepositoryError) -> Bool {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.catalog.isView(name) }
  }
}
