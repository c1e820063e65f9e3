public import Query

extension Schema {
  /// Describes a table whose columns are the parameters of an initialiser, in its order.
  ///
  /// The compiler checks the columns' types against the initialiser. Two columns of one type in the wrong order still
  /// compile; that is noticed on first use, by an error that names both.
  ///
  /// - Parameters:
  ///   - table: the table's name.
  ///   - make: the initialiser, such as `Pokemon.init`.
  ///   - columns: one column for each parameter.
  @inlinable
  public init<each Property>(
    _ table: String, _ make: @escaping @Sendable (repeat each Property) throws -> Element,
    _ columns: repeat Column<Element, each Property>
  ) {
    self.init(table, columns: repeat each columns) { row throws(ColumnFault) in
      var position = -1
      func next() -> Int {
        position += 1
        return position
      }
      return try Self.refusing { try make(repeat try (each columns).property(in: row, at: next())) }
    }
  }

  /// Describes a table whose rows a closure turns into elements, for types whose initialiser does not fit the columns.
  ///
  /// ```swift
  /// static let schema = Schema("city", columns: Column("id", \.id), Column("name", \.name)) { row in
  ///   City(id: try row.read("id"), name: try row.read("name"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: the table's name.
  ///   - columns: the columns, in any order.
  ///   - make: makes an element from a row; what it throws refuses the row.
  @inlinable
  public init<each Property>(
    _ table: String, columns: repeat Column<Element, each Property>,
    make: @escaping @Sendable (NamedRow) throws -> Element
  ) {
    var names: [String] = []
    repeat names.append((each columns).schema.name)
    let positions = Dictionary(names.enumerated().map { (Value.text($1), $0) }, uniquingKeysWith: { first, _ in first })
    self.init(table, columns: repeat each columns) { row throws(ColumnFault) in
      try Self.refusing { try make(NamedRow(row: row, positions: positions)) }
    }
  }

  @inlinable
  init<each Property>(
    _ table: String, columns: repeat Column<Element, each Property>,
    decode: @escaping @Sendable (any Row) throws(ColumnFault) -> Element
  ) {
    var schemas: [ColumnSchema] = []
    var marked: [String] = []
    var keys: [Key] = []
    var references: [(columns: [String], declaration: ReferenceDeclaration)] = []
    for column in repeat each columns {
      schemas.append(column.schema)
      if column.isPrimaryKey { marked.append(column.schema.name) }
      keys.append((column.keyPath, column.schema.name, column))
      if let reference = column.reference { references.append(([column.schema.name], reference)) }
    }
    let count = schemas.count
    self.init(
      table: Self.table(table, schemas, marked: marked), keys: keys, references: references, decode: decode,
      encode: { element throws(ColumnFault) in
        var values: [Value] = []
        values.reserveCapacity(count)
        for column in repeat each columns { values.append(try column.value(of: element)) }
        return values
      })
  }

  @usableFromInline
  static func table(
    _ name: String, _ columns: [ColumnSchema], marked: [String]
  ) -> Result<TableSchema, QueryError> {
    // By name: the key path of a generic type's `id` does not equal the one of a concrete type's.
    let primaryKey = marked.isEmpty ? columns.map(\.name).filter { $0 == "id" } : marked
    if primaryKey.isEmpty {
      return .failure(
        QueryError(
          .invalidSchema, "the schema of \(name) has no primary key",
          suggestion: "call a column id, or mark the columns that make the key with .primaryKey"))
    }
    return Result { () throws(QueryError) in try TableSchema(name, columns: columns, primaryKey: primaryKey) }
  }

  /// Runs what a model type does to make an element; what it throws refuses the row.
  @inlinable
  static func refusing(_ make: () throws -> Element) throws(ColumnFault) -> Element {
    do {
      return try make()
    } catch let fault as ColumnFault {
      throw fault
    } catch let error as ValueError {
      throw ColumnFault(column: nil, error: ValueError("\(Element.self) refused the row: \(error.summary)"))
    } catch {
      // What other errors say may hold the row's values.
      throw ColumnFault(column: nil, error: ValueError("\(Element.self) refused the row with \(type(of: error))"))
    }
  }
}

extension Column {
  @inlinable
  func property(in row: any Row, at position: Int) throws(ColumnFault) -> Property {
    do throws(ValueError) {
      return try read(try row.value(at: position))
    } catch {
      throw ColumnFault(column: schema.name, error: error)
    }
  }

  @inlinable
  func value(of element: Root) throws(ColumnFault) -> Value {
    do throws(ValueError) {
      return try write(element[keyPath: keyPath])
    } catch {
      throw ColumnFault(column: schema.name, error: error)
    }
  }
}
