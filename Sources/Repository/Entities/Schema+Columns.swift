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
  @_disfavoredOverload
  @inlinable
  public init<each Property>(
    _ table: String, _ make: @escaping @Sendable (repeat each Property) throws -> Element,
    _ columns: repeat Column<Element, each Property>
  ) {
    self.init(table, columns: repeat each columns, coding: RowCoding(inOrder: repeat each columns, make: make))
  }

  /// Describes a table whose columns are the parameters of an initialiser.
  ///
  /// - Parameter direct: the way from a row to an element where each column is stored as its type says.
  @inlinable
  init<each Property>(
    _ table: String, _ make: @escaping @Sendable (repeat each Property) throws -> Element,
    _ columns: repeat Column<Element, each Property>, direct: @escaping @Sendable (any Row) throws -> Element
  ) {
    var arePlain = true
    for column in repeat each columns { arePlain = arePlain && column.isPlain }
    self.init(
      table, columns: repeat each columns,
      coding: arePlain
        ? RowCoding(repeat each columns, direct: direct) : RowCoding(inOrder: repeat each columns, make: make))
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
    self.init(
      table, columns: repeat each columns,
      coding: RowCoding(repeat each columns, direct: { row in try make(NamedRow(row: row, positions: positions)) }))
  }

  @inlinable
  init<each Property>(
    _ table: String, columns: repeat Column<Element, each Property>,
    coding: RowCoding<Element>
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
    self.init(
      table: Self.table(table, schemas, marked: marked), keys: keys, references: references, coding: coding)
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
}
