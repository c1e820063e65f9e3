import Query
import SQLiteStore

/// What rules, indexes and triggers a table has, in lines below its columns; nothing of what there is none of.
struct SchemaSections {
  private let table: TableDefinition

  init(_ table: TableDefinition) {
    self.table = table
  }

  var lines: [String] {
    section("unique together", uniqueSets) + section("references", references) + section("checks", table.checks)
      + section("indexes", indexes) + section("triggers", table.triggers)
  }

  private func section(_ title: String, _ entries: [String]) -> [String] {
    entries.isEmpty ? [] : ["  \(title)"] + entries.map { "    \($0)" }
  }

  /// Those that no statement names and no column says of itself.
  private var uniqueSets: [String] {
    table.indexes.filter { $0.origin == .uniqueRule && $0.terms.count > 1 }.map { terms(of: $0) }
  }

  private var indexes: [String] {
    table.indexes.filter { $0.origin == .statement }.map { index in
      let condition = index.condition.map { " where \($0)" } ?? ""
      return "\(index.name): \(index.isUnique ? "unique " : "")\(terms(of: index))\(condition)"
    }
  }

  private func terms(of index: IndexDetails) -> String {
    index.terms.map { term in
      let own = table.columns.first { $0.schema.name == term.column }?.collation
      // A collation that is the column's own says nothing.
      let collation = term.collation?.uppercased() == own?.uppercased() ? nil : term.collation ?? "BINARY"
      return term.text + (collation.map { " collation \($0)" } ?? "") + (term.isDescending ? " desc" : "")
    }.joined(separator: ", ")
  }

  private var references: [String] {
    table.references.map { reference in
      let key = reference.key.isEmpty ? "" : " (\(reference.key.joined(separator: ", ")))"
      return "\(reference.columns.joined(separator: ", ")) → \(reference.table)\(key)"
        + action("deleted", reference.onDelete) + action("changed", reference.onUpdate)
    }
  }

  private func action(_ event: String, _ action: String) -> String {
    action == "NO ACTION" ? "" : ", when \(event) \(action.lowercased())"
  }
}
