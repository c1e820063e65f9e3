/// A table whose rows another table shows, too.
package struct InheritingTable: Hashable, Sendable {
  package let name: String
  /// The table that shows its rows.
  package let parent: String
  /// Whether the parent has no rows besides those of such tables.
  package let isPartition: Bool
  /// The columns that the parent lacks.
  package let ownColumns: [String]

  package init(name: String, parent: String, isPartition: Bool, ownColumns: [String]) {
    (self.name, self.parent) = (name, parent)
    (self.isPartition, self.ownColumns) = (isPartition, ownColumns)
  }
}

/// A table of a server as statements that make it in another database of the same kind.
package struct ServerTable: Sendable {
  /// A statement that some databases refuse, because something that it needs is missing.
  package struct Part: Sendable {
    /// Its kind and name, such as `the trigger stamp`.
    package let name: String
    package let sql: String

    package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
  }

  /// A column that is written, with its type.
  package struct Column: Sendable {
    package let name: String
    package let type: String

    package init(name: String, type: String) { (self.name, self.type) = (name, type) }
  }

  /// The statements that make the types and the numbers that the table uses, unless they are there.
  package var preparations: [String] = []
  /// The statements that make the table, with its partitions.
  package var creations: [String] = []
  /// The columns that are written.
  package var columns: [Column] = []
  /// Whether the rows of tables that inherit are not the table's own.
  package var hasInheritingTables = false
  /// The statements for the finished rows: keys, indexes, and the numbers of the next rows.
  package var completions: [String] = []
  /// The references, each with the table that it leads to.
  package var references: [(table: String, part: Part)] = []
  package var triggers: [Part] = []

  package init() {}
}
