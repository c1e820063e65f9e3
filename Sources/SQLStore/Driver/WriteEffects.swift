import Query
package import Repository

/// The side effects of a write to a table: the tables that foreign keys and triggers lead to.
///
/// Observers of some tables ignore writes without an effect on these. Unknown effects count as changes.
package struct WriteEffects: Sendable {
  /// A table or a view of a database.
  package struct Table: Sendable {
    let name: [UInt8]
    /// Whether rows are stored in the table itself: a view shows rows of other tables.
    let hasOwnRows: Bool
    /// Whether a write to the table runs triggers or rules, which may write to any table.
    let hasTriggers: Bool

    package init(_ name: String, hasOwnRows: Bool, hasTriggers: Bool) {
      (self.name, self.hasOwnRows, self.hasTriggers) = (Name(name).folded, hasOwnRows, hasTriggers)
    }
  }

  /// The tables with rows of their own.
  private let observable: Set<[UInt8]>
  /// The tables for which all effects of a write are known.
  private let transparent: Set<[UInt8]>
  /// The tables to which each table's foreign keys propagate a change.
  private let cascades: [[UInt8]: Set<[UInt8]>]

  /// - Parameter cascades: the foreign keys whose actions change rows of the referring table, each as the names of the
  ///   referenced table and of the referring one.
  package init(_ tables: [Table], cascades: [(from: String, to: String)]) {
    // Two schemas of a server may have tables with the same name.
    let byName = Dictionary(grouping: tables, by: \.name)
    observable = Set(byName.filter { $1.allSatisfy(\.hasOwnRows) }.keys)
    transparent = observable.subtracting(tables.filter(\.hasTriggers).map(\.name))
    self.cascades = Dictionary(grouping: cascades) { Name($0.from).folded }.mapValues {
      Set($0.map { Name($0.to).folded })
    }
  }

  /// Returns the tables to which a write may change rows of the given tables.
  package func sources(of tables: TableSet) -> TableSet {
    guard case .only(let names) = tables, names.isSubset(of: observable) else { return .all }
    return .allBut(transparent.filter { isWithoutEffect(onAnyOf: names, ofWriteTo: $0) })
  }

  private func isWithoutEffect(onAnyOf names: Set<[UInt8]>, ofWriteTo table: [UInt8]) -> Bool {
    var (reached, pending) = (Set([table]), [table])
    while let next = pending.popLast() {
      if names.contains(next) || !transparent.contains(next) { return false }
      for child in cascades[next] ?? [] where reached.insert(child).inserted { pending.append(child) }
    }
    return true
  }
}
