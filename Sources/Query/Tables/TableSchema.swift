/// What a table looks like: its name, its columns in order, and which of them identify a row.
public struct TableSchema: Hashable, Sendable {
  /// The table's name.
  public let name: String
  /// The columns, in order.
  public let columns: [ColumnSchema]
  /// The positions, in ``columns``, of the columns that identify a row; none for a table of another program that has no
  /// key, whose rows can be read and added but not be told apart.
  public let primaryKey: [Int]

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - name: the table's name.
  ///   - columns: the columns, in order.
  ///   - primaryKey: the names of the columns that identify a row.
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidSchema`` where a name is empty or stands twice, or
  ///   the primary key names no column or one that may be null.
  public init(_ name: String, columns: [ColumnSchema], primaryKey: [String]) throws(QueryError) {
    func fail(_ reason: String) -> QueryError {
      QueryError(.invalidSchema, "the schema of \(name.isEmpty ? "a table" : name) is not valid", reason: reason)
    }
    if name.isEmpty { throw fail("the table has no name") }
    // A statement ends at a NUL: https://www.sqlite.org/c3ref/prepare.html
    if name.utf8.contains(0) { throw fail("its name contains a NUL") }
    if columns.isEmpty { throw fail("the table has no columns") }
    // Stores such as SQLite take names that differ in ASCII case alone for the same, and no other names.
    var names: Set<[UInt8]> = []
    for column in columns {
      if column.name.isEmpty { throw fail("a column has no name") }
      if column.name.utf8.contains(0) { throw fail("the name of a column contains a NUL") }
      let name = column.name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
      if !names.insert(name).inserted { throw fail("two columns are called \(column.name)") }
    }
    var positions: [Int] = []
    for key in primaryKey {
      guard let position = columns.firstIndex(where: { $0.isCalled(key) }) else {
        throw fail("the primary key names \(key), which is no column")
      }
      if positions.contains(position) { throw fail("the primary key names \(key) twice") }
      if columns[position].isNullable { throw fail("\(key) is part of the primary key and may be null") }
      positions.append(position)
    }
    self.name = name
    self.columns = columns
    self.primaryKey = positions
  }

  /// The columns that identify a row.
  public var primaryKeyColumns: [ColumnSchema] { primaryKey.map { columns[$0] } }

  /// The position of the column with exactly this name.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/unknownKey``, which suggests the nearest name.
  public func position(of key: String) throws(QueryError) -> Int {
    guard let position = columns.firstIndex(where: { $0.isCalled(key) }) else {
      throw .unknownKey(key, in: self)
    }
    return position
  }
}

extension ColumnSchema {
  /// Compares bytes: `String`'s own `==` takes the composed and the decomposed "é" for the same name.
  package func isCalled(_ key: String) -> Bool { name.utf8.elementsEqual(key.utf8) }
}
