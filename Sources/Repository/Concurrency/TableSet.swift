import Query
import Synchronization

/// Some of a store's tables, by their names in whatever case: those that something was read from, or written to.
package enum TableSet: Sendable, Equatable {
  /// These tables.
  case only(Set<[UInt8]>)
  /// All tables but these, those that are not known included.
  case allBut(Set<[UInt8]>)

  /// All tables, also where it is not known which.
  package static let all = TableSet.allBut([])
  /// No table.
  package static let none = TableSet.only([])

  /// Some tables, by their names.
  package init(_ names: some Sequence<String>) { self = .only(Set(names.map { Name($0).folded })) }

  /// Whether there is a table that is in both sets, or may be.
  package func intersects(_ other: TableSet) -> Bool {
    switch (self, other) {
    case (.only(let names), .only(let others)): !names.isDisjoint(with: others)
    case (.only(let names), .allBut(let others)), (.allBut(let others), .only(let names)): !names.isSubset(of: others)
    case (.allBut, .allBut): true
    }
  }

  /// Adds the tables of another set.
  package mutating func formUnion(_ other: TableSet) {
    switch (self, other) {
    case (.only(let names), .only(let others)): self = .only(names.union(others))
    case (.only(let names), .allBut(let others)), (.allBut(let others), .only(let names)):
      self = .allBut(others.subtracting(names))
    case (.allBut(let names), .allBut(let others)): self = .allBut(names.intersection(others))
    }
  }
}

/// Which tables a transaction, or a part of a program, has used so far.
package final class TableLog: Sendable {
  private let used = Mutex(TableSet.none)

  package init() {}

  /// The tables that were used.
  package var tables: TableSet { used.withLock(\.self) }

  /// Notes the use of some tables.
  package func note(_ tables: TableSet) { used.withLock { $0.formUnion(tables) } }
}
