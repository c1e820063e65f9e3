public import Query
import Synchronization

/// A model type with its own schema, which maps its values to a table and its columns.
///
/// ```swift
/// struct Pokemon: Entity {
///   let id: Int
///   var name: String
///   var weight: Double?
///
///   static let schema = Schema<Pokemon>(table: "pokemon") {
///     Parameters(of: Pokemon.init)
///     Column("id", \.id)
///     Column("name", \.name, .unique)
///     Column("weight", \.weight)
///   }
/// }
/// ```
public protocol Entity: Storable {
  /// The schema that repositories use by default.
  static var schema: Schema<Self> { get }
}

/// A type that a repository can store: a value that is identified by a primary key.
public protocol Storable: Identifiable, Sendable where ID: PrimaryKey {}

/// The mapping of a model type to a table: its columns, and the conversion of values to rows and back.
///
/// A schema is a value: ``Entity/schema`` is only the default, and a table of any database can be opened with the schema
/// that was read from it, see ``Record``.
public struct Schema<Element: Storable>: Sendable {
  /// The table without its references, or the error of the schema: a static property can't throw, so that opening a repository
  /// does.
  private(set) var unreferencedTable: Result<TableSchema, QueryError>
  /// The references to other elements, with their columns.
  private(set) var references: [(columns: [String], declaration: ReferenceDeclaration)]
  let keys: [PropertyKey]
  /// The columns of timestamps.
  let timestamps: [(key: String, timestamp: Timestamp)]
  /// The soft deletion of elements; `nil` if deleted elements are removed.
  package internal(set) var softDeletion: SoftDeletion?
  /// The conversion of elements from rows and to rows. It is also the schema's identity: schemas with the same coder make
  /// the same elements from the same rows.
  package let coder: RowCoder<Element>
  /// The table with its references, computed on first use.
  private var resolvedTable = ResolvedTable()

  @usableFromInline
  init(
    table: Result<TableSchema, QueryError>, keys: [PropertyKey] = [],
    timestamps: [(key: String, timestamp: Timestamp)] = [], coding: RowCoding<Element>
  ) {
    self.keys = keys
    self.timestamps = timestamps.filter { $0.timestamp.event != .deletion }
    let deletions = timestamps.filter { $0.timestamp.event == .deletion }
    unreferencedTable =
      deletions.count < 2
      ? table
      : table.flatMap { table in
        .failure(
          QueryError(
            .invalidSchema, "the schema of \(table.name) is not valid",
            reason: "two columns are marked .deletedAt: \(deletions[0].key), \(deletions[1].key)"))
      }
    softDeletion = deletions.first.map { SoftDeletion($0.key, $0.timestamp, changes: timestamps) }
    references = []
    coder = RowCoder(coding)
  }

  /// Returns the table that the schema describes.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidSchema`` if the schema contradicts itself: a
  ///   repeated name, no primary key, a nullable primary key, or an invalid constraint.
  public func table() throws(RepositoryError) -> TableSchema {
    if let table = resolvedTable.value { return table }
    do throws(QueryError) {
      var table = try unreferencedTable.get()
      var rules: [ReferenceRule] = []
      for (columns, declaration) in references { rules.append(try rule(columns, declaration)) }
      if !rules.isEmpty { table = try table.adding(references: rules) }
      resolvedTable.value = table
      return table
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Returns the key of a property in queries; for a property without a column, a key that no table has, so that its use is
  /// an error that names the property.
  package func key(of path: AnyKeyPath) -> String {
    // By positions: a closure gets a copy of each entry.
    for position in keys.indices where keys[position].path == path { return keys[position].key }
    return "\\\(Element.self)\(path.spelling)"
  }

  /// Returns the assignment of a value to a property's column, in the form in which the column stores it.
  package func assignment<Property>(of property: Property, to path: KeyPath<Element, Property>) -> Assignment {
    let erased: AnyKeyPath = path
    guard let entry = keys.first(where: { $0.path == erased }), let column = entry.column as? Column<Element, Property>
    else { return Assignment(key(of: path), Value.null) }
    do throws(ValueError) {
      return Assignment(entry.key, try column.write(property))
    } catch {
      return Assignment(entry.key, failing: error)
    }
  }

  /// Returns the reader of a property from its position in a row.
  func reader<Property>(of path: KeyPath<Element, Property>) -> PropertyReader<Property> {
    let erased: AnyKeyPath = path
    guard let column = keys.first(where: { $0.path == erased })?.column as? Column<Element, Property> else {
      return { _, _ throws(ValueError) in throw ValueError("the property has no column") }
    }
    return column.read
  }

  func changingTable(_ change: (TableSchema) throws(QueryError) -> TableSchema) -> Schema {
    var copy = self
    copy.resolvedTable = ResolvedTable()
    copy.unreferencedTable = unreferencedTable.flatMap { table in
      Result { () throws(QueryError) in try change(table) }
    }
    return copy
  }

  func changingReferences(by columns: [String], _ declaration: ReferenceDeclaration) -> Schema {
    var copy = columns.count == 1 ? changingTable { $0.indexing(columns[0]) } : self
    copy.resolvedTable = ResolvedTable()
    copy.references.append((columns, declaration))
    return copy
  }
}

/// A property of a model type with its key in queries, and its column. A type, because the runtime copies a tuple field by field.
@usableFromInline
struct PropertyKey: Sendable {
  let path: any AnyKeyPath & Sendable
  let key: String
  let column: any Sendable

  @usableFromInline
  init(path: any AnyKeyPath & Sendable, key: String, column: any Sendable) {
    (self.path, self.key, self.column) = (path, key, column)
  }
}

/// A table that is computed once.
private final class ResolvedTable: Sendable {
  private let table = Mutex<TableSchema?>(nil)

  var value: TableSchema? {
    get { table.withLock(\.self) }
    set { table.withLock { $0 = newValue } }
  }
}

extension Schema {
  /// Reads an element from a row of the table.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - table: the table.
  ///   - number: the row's number in the result, counted from 1. An error identifies the row by this number unless the row's
  ///     key is a number, since an error must not contain any other value.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unreadableRow``, which names table, row and column,
  ///   if a value does not fit its property.
  public func element(
    from row: any Row, in table: TableSchema, at number: Int? = nil
  ) throws(RepositoryError) -> Element {
    try coder.element(from: row, in: table, at: number)
  }

  /// Reads an element from the values of a row of the table.
  ///
  /// - Throws: as ``element(from:in:at:)-(Row,_,_)`` does.
  public func element(
    from values: [Value], in table: TableSchema, at number: Int? = nil
  ) throws(RepositoryError) -> Element {
    try coder.element(from: ValueRow(values), in: table, at: number)
  }

  /// Makes the row of an element, each value in the form in which its column stores it. A key that the store has to generate
  /// is null.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidValue`` if a property can't be stored.
  public func row(from element: Element, in table: TableSchema) throws(RepositoryError) -> [Value] {
    try coder.row(from: element, in: table)
  }
}

extension Schema {
  /// Makes the schema of a table of a few columns, which are the parameters of an initialiser, in order.
  ///
  /// It is short, for a schema of up to about eight columns. ``init(table:_:)`` is for any number of columns: the compiler
  /// shows the line of a mistake, and reading rows of up to sixteen columns without JSON takes about three quarters of the time.
  ///
  /// The compiler checks the columns' types against the initialiser. Two columns of one type in the wrong order still
  /// compile; that is detected on first use, by an error that names both.
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
    self.init(table, columns: repeat each columns, coding: RowCoding(inOrder: repeat each columns, make: make))
  }

  /// Makes the schema of a table whose columns are the parameters of an initialiser.
  ///
  /// - Parameter direct: the conversion from a row to an element if each column is stored by its type's own conversion.
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

  /// Makes the schema of a table whose rows a closure decodes, for types whose initialiser does not match the columns.
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
  ///   - make: makes an element from a row; an error that it throws refuses the row.
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
    var keys: [PropertyKey] = []
    var timestamps: [(key: String, timestamp: Timestamp)] = []
    var problem: String?
    for column in repeat each columns {
      if let timestamp = column.timestamp { timestamps.append((column.schema.name, timestamp)) }
      problem = problem ?? column.problem
      schemas.append(column.schema)
      if column.isPrimaryKey { marked.append(column.schema.name) }
      keys.append(PropertyKey(path: column.keyPath, key: column.schema.name, column: column))
    }
    self.init(
      table: Self.table(table, schemas, marked: marked, problem ?? Self.repeatedProperty(in: keys)), keys: keys,
      timestamps: timestamps, coding: coding)
  }

  /// Returns the reason why columns are no schema if two of them store the same property: one of the values would be lost.
  @usableFromInline
  static func repeatedProperty(in keys: [PropertyKey]) -> String? {
    for (position, column) in keys.enumerated() {
      if let other = keys[..<position].first(where: { $0.path == column.path }) {
        return
          "the columns \(other.key) and \(column.key) store the same property, \\\(Element.self)\(column.path.spelling)"
      }
    }
    return nil
  }

  @usableFromInline
  static func table(
    _ name: String, _ columns: [ColumnSchema], marked: [String], _ problem: String? = nil
  ) -> Result<TableSchema, QueryError> {
    // A table of another program may have a column whose name is empty.
    if let problem = problem ?? (columns.contains { $0.name.isEmpty } ? "a column has no name" : nil) {
      return .failure(QueryError(.invalidSchema, "the schema of \(name) is not valid", reason: problem))
    }
    // The column is found by its name: the key path of a generic type's `id` does not equal that of a concrete type's `id`.
    let primaryKey = marked.isEmpty ? columns.map(\.name).filter { $0 == "id" } : marked
    if primaryKey.isEmpty {
      return .failure(
        QueryError(
          .invalidSchema, "the schema of \(name) has no primary key",
          suggestion: "name a column id, or mark the columns of the key with .primaryKey"))
    }
    return Result { () throws(QueryError) in try TableSchema(name, columns: columns, primaryKey: primaryKey) }
  }
}

/// A row of a result, read by the names of its columns.
@_documentation(visibility: internal)
public struct NamedRow {
  let row: any Row
  /// The position of each column; the names are values, which are compared by their bytes.
  let positions: [Value: Int]

  @usableFromInline
  init(row: any Row, positions: [Value: Int]) {
    self.row = row
    self.positions = positions
  }

  /// Reads a column.
  ///
  /// - Throws: ``ColumnError`` if the schema has no such column, or the value does not fit the type.
  public func read<Property: ValueConvertible>(
    _ column: String, as type: Property.Type = Property.self
  ) throws(ColumnError) -> Property {
    do throws(ValueError) {
      guard let position = positions[.text(column)] else {
        throw ValueError("the schema has no such column")
      }
      return try Property(value: try row.value(at: position))
    } catch {
      throw ColumnError(column: column, error: error)
    }
  }
}

/// A function that reads a property from a position of a row.
typealias PropertyReader<Property> = @Sendable (any Row, Int) throws(ValueError) -> Property
