package import Query

/// An index of a table, as the database has it.
package struct IndexDescription: Hashable, Sendable {
  /// What made it.
  package enum Origin: String, Hashable, Sendable {
    /// Somebody who wanted an index.
    case created = "c"
    /// A rule of uniqueness in the table's definition.
    case uniqueness = "u"
    /// The table's primary key.
    case primaryKey = "pk"
  }

  package let name: String
  package let table: String
  /// What it sorts by: the names of columns; `nil` for an expression.
  package let columns: [String?]
  package let isUnique: Bool
  /// Whether it is about some of the table's rows alone.
  package let isPartial: Bool
  package let origin: Origin
  /// The statement that made it, empty for an index that goes with its table.
  package let definition: String
  /// How many bytes it takes in the file; `nil` where SQLite was built without a way to tell.
  package let size: Int?

  /// Whether it can be dropped by itself, rather than with a rule of its table.
  package var isDroppable: Bool { origin == .created }

  /// Whether both are the same index, however many rows it has by now.
  package func isSame(as other: IndexDescription) -> Bool {
    name.isExactly(other.name) && table.isExactly(other.table) && definition.isExactly(other.definition)
  }
}

/// Values that several rows share in columns that are to be unique.
package struct DuplicateValues: Hashable, Sendable {
  package let values: [Value]
  /// How many rows there are.
  package let count: Int
}
