/// The schema of a table: its name, its columns in order, its primary key, and the constraints on its rows.
public struct TableSchema: Hashable, Sendable, Named {
  private let id: Name
  /// The columns, in order.
  public private(set) var columns: [ColumnSchema]
  /// The positions, in ``columns``, of the columns that identify a row; empty for a table of another program without a key,
  /// whose rows can be read and added, but not identified.
  public let primaryKey: [Int]
  /// The positions of columns that are unique together, besides the columns that are unique individually.
  public let uniqueSets: [[Int]]
  /// The partial unique constraints, in order.
  public let partialUnique: [PartialUniqueRule]
  /// The check constraints.
  public let checks: [CheckRule]
  /// The foreign keys.
  public let references: [ReferenceRule]
  /// The distribution of the rows over several servers, see ``distributed(_:)``; `nil` if it is not declared.
  public private(set) var distribution: TableDistribution?

  /// Makes the schema of a table.
  ///
  /// - Parameters:
  ///   - name: the table's name.
  ///   - columns: the columns, in order.
  ///   - primaryKey: the names of the columns that identify a row.
  ///   - unique: names of columns of which no two rows may have the same values together; rows with a null among them are
  ///     not equal in this respect.
  ///   - partialUnique: the columns that are unique only among the rows that match a condition.
  ///   - checks: the conditions that each row has to match.
  ///   - references: the foreign keys.
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidSchema`` if a name is empty or repeated, the primary key
  ///   names no column or a nullable one, a column can't hold its default, or a constraint is not valid for the table.
  public init(
    _ name: String, columns: [ColumnSchema], primaryKey: [String], unique: [[String]] = [],
    partialUnique: [PartialUniqueRule] = [], checks: [CheckRule] = [], references: [ReferenceRule] = []
  ) throws(QueryError) {
    func fail(_ reason: String) -> QueryError { .invalidSchema(name, reason) }
    try Self.check(columns, of: name)
    func positions(_ keys: [String], of rule: String) throws(QueryError) -> [Int] {
      var positions: [Int] = []
      for key in keys {
        guard let position = columns.firstIndex(named: key) else {
          throw fail("\(rule) names \(key), which is not a column")
        }
        if positions.contains(position) { throw fail("\(rule) names \(key) twice") }
        positions.append(position)
      }
      return positions
    }
    let key = try positions(primaryKey, of: "the primary key")
    for position in key where columns[position].isNullable {
      throw fail("\(columns[position].name) is a part of the primary key and may be null")
    }
    // The uniqueness of a single column becomes a property of that column.
    var alone: Set<Int> = []
    var together: [[Int]] = []
    for set in unique {
      let set = try positions(set, of: "a unique constraint")
      if set.isEmpty { throw fail("a unique constraint has no columns") }
      if set == key || together.contains(set) {
        throw fail("\(set.map { columns[$0].name }.joined(separator: " and ")) are already unique")
      }
      if set.count == 1 { alone.insert(set[0]) } else { together.append(set) }
    }
    id = Name(name)
    self.columns = columns.enumerated().map { alone.contains($0) && !$1.isUnique ? $1.unique : $1 }
    self.primaryKey = key
    uniqueSets = together
    self.partialUnique = partialUnique
    self.checks = checks
    self.references = references
    try validateRules()
  }

  /// Checks the names of a table and its columns, and their defaults.
  private static func check(_ columns: [ColumnSchema], of name: String) throws(QueryError) {
    func fail(_ reason: String) -> QueryError { .invalidSchema(name, reason) }
    if name.isEmpty { throw fail("the table has no name") }
    // A statement ends at a NUL: https://www.sqlite.org/c3ref/prepare.html
    if name.utf8.contains(0) { throw fail("the name of the table contains a NUL character") }
    if columns.isEmpty { throw fail("the table has no columns") }
    // Stores such as SQLite treat names that differ only in ASCII case as equal, and no other names.
    var names: Set<[UInt8]> = []
    for column in columns {
      if column.name.utf8.contains(0) { throw fail("the name of a column contains a NUL character") }
      if !names.insert(Name(column.name).folded).inserted { throw fail("two columns have the name \(column.name)") }
      if let value = column.defaultValue {
        do throws(QueryError) {
          _ = try column.stored(value)
        } catch {
          throw fail("the default of \(column.name) does not fit the column: \(error.summary)")
        }
      }
    }
  }

  /// Makes a table whose rows are the groups of another table's rows. No store has such a table, so its column names may be
  /// repeated.
  init(groupsOf name: String, columns: [ColumnSchema]) {
    id = Name(name)
    self.columns = columns
    (primaryKey, uniqueSets, partialUnique, checks, references) = ([], [], [], [], [])
  }

  /// The table's name.
  public var name: String { id.text }

  /// Returns the table with its columns as a database stores them.
  package func stored(as stored: TableSchema) -> TableSchema {
    var table = self
    for (position, column) in columns.enumerated() {
      let found = stored.columns.firstIndex(named: column.name, near: position)
      table.columns[position] = column.stored(as: column.nativeType(storedAs: found.map { stored.columns[$0] }))
        .storing(by: found.flatMap { stored.columns[$0].affinity })
    }
    return table
  }

  /// Returns the table with a distribution.
  func keeping(_ distribution: TableDistribution?) -> TableSchema {
    var table = self
    table.distribution = distribution
    return table
  }

  /// The columns that identify a row.
  public var primaryKeyColumns: [ColumnSchema] { primaryKey.map { columns[$0] } }

  /// Returns whether values are those of a primary key, each of its column's own type, so that rows can be looked up by them
  /// unchanged.
  package func isKept(key values: [Value]) -> Bool {
    guard values.count == primaryKey.count else { return false }
    return columns.withUnsafeBufferPointer { columns in
      values.indices.allSatisfy { index in
        let position = primaryKey[index]
        return columns[position].isKept(values[index]) && columns[position].isInFormat(values[index])
      }
    }
  }

  /// Returns whether values are those of a row, each of its column's own type, so that the row is stored unchanged.
  package func isKept(row values: [Value]) -> Bool {
    // Columns are read in place: a copy of a column retains each of its parts, which took a tenth of the time of a write in
    // memory.
    columns.withUnsafeBufferPointer { columns in
      values.count == columns.count && values.indices.allSatisfy { columns[$0].isKept(values[$0]) }
    }
  }

  /// Returns the position of the column with exactly this name.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/unknownKey``, which suggests the nearest name.
  public func position(of key: String) throws(QueryError) -> Int {
    guard let position = columns.firstIndex(named: key) else {
      throw .unknownKey(key, in: self)
    }
    return position
  }
}

extension ColumnSchema {
  fileprivate var unique: ColumnSchema {
    var column = self
    column.isUnique = true
    return column
  }
}

extension TableSchema {
  /// Returns the table in which texts are what a program has declared them to be: a database does not know which of them are
  /// UUIDs, dates or decimals, and which are JSON, into which paths lead.
  ///
  /// - Parameter declared: the declared columns, by their names.
  package func holdingTexts(asIn declared: [Name: ColumnSchema]) -> TableSchema {
    var table = self
    for (position, column) in columns.enumerated() {
      guard let declared = declared[Name(column.name)] else { continue }
      table.columns[position] = column.holdingJSON(column.mayHoldJSON && declared.mayHoldJSON)
        .holdingTexts(in: declared.format)
    }
    return table
  }

  /// Returns the table with an index on a column.
  package func indexing(_ name: String) -> TableSchema {
    var copy = self
    if let position = columns.firstIndex(named: name) { copy.columns[position].isIndexed = true }
    return copy
  }

  /// Returns the table with some columns as ones that may be compared with any value.
  package func acceptingAnyValue(in names: [String]) -> TableSchema {
    var table = self
    for name in names {
      guard let position = columns.firstIndex(named: name) else { continue }
      table.columns[position] = columns[position].acceptingAnyValue
    }
    return table
  }

  /// Returns the table with columns that hold dates as numbers.
  package func holdingDates(_ forms: [(column: String, type: NumericDateForm)]) -> TableSchema {
    var table = self
    for (name, form) in forms {
      guard let position = columns.firstIndex(named: name) else { continue }
      table.columns[position] = columns[position].holdingDates(as: form)
    }
    return table
  }
}
