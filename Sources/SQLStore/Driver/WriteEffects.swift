import Query
package import Repository

/// What a write to a table may change besides: the tables that foreign keys and triggers lead to.
///
/// It tells those who observe some tables which writes don't concern them. What it does not know, it takes for a change.
package struct WriteEffects: Sendable {
  /// A table or a view of a database.
  package struct Table: Sendable {
    let name: [UInt8]
    /// Whether its rows are its own: a view's are those of other tables.
    let hasOwnRows: Bool
    /// Whether a write to it runs triggers or rules, which may write anywhere.
    let hasTriggers: Bool

    package init(_ name: String, hasOwnRows: Bool, hasTriggers: Bool) {
      (self.name, self.hasOwnRows, self.hasTriggers) = (Name(name).folded, hasOwnRows, hasTriggers)
    }
  }

  /// The tables that have rows of their own.
  private let observable: Set<[UInt8]>
  /// The tables a write to which changes what is known.
  private let transparent: Set<[UInt8]>
  /// The tables that each table's foreign keys pass a change on to.
  private let cascades: [[UInt8]: Set<[UInt8]>]

  /// - Parameter cascades: the foreign keys that do something to the rows of their own table, as the names of the table that is
  ///   referred to, and of their own.
  package init(_ tables: [Table], cascades: [(from: String, to: String)]) {
    // Two schemas of a server may have tables of one name.
    let byName = Dictionary(grouping: tables, by: \.name)
    observable = Set(byName.filter { $1.allSatisfy(\.hasOwnRows) }.keys)
    transparent = observable.subtracting(tables.filter(\.hasTriggers).map(\.name))
    self.cascades = Dictionary(grouping: cascades) { Name($0.from).folded }.mapValues {
      Set($0.map { Name($0.to).folded })
    }
  }

  /// The tables a write to which may change one of some tables.
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
