import Query
import Synchronization

/// A set of a store's tables, by their case-insensitive names: those that were read from, or written to.
package enum TableSet: Sendable, Equatable {
  /// Only these tables.
  case only(Set<[UInt8]>)
  /// All tables but these, including unknown ones.
  case allBut(Set<[UInt8]>)

  /// All tables, also where it is not known which were used.
  package static let all = TableSet.allBut([])
  /// No table.
  package static let none = TableSet.only([])

  /// Makes a set of tables from their names.
  package init(_ names: some Sequence<String>) { self = .only(Set(names.map { Name($0).folded })) }

  /// Returns whether a table is in both sets, or may be.
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

/// A log of the tables that a transaction, or a part of a program, has used.
package final class TableLog: Sendable {
  private let used = Mutex(TableSet.none)

  package init() {}

  /// The tables that were used.
  package var tables: TableSet { used.withLock(\.self) }

  /// Records the use of tables.
  package func note(_ tables: TableSet) { used.withLock { $0.formUnion(tables) } }
}
