public import Query

/// A plain value of some columns of a model type's rows and of expressions that are computed for each row, with its own schema.
///
/// ```swift
/// struct TrackLine: Projection {
///   let name: String
///   let album: String?
///   let minutes: Int?
///
///   static let projection = ProjectionSchema(
///     of: Track.self, TrackLine.init, Projected(\.name), Projected { $0.album.title },
///     Projected(as: "minutes") { $0.milliseconds / 60_000 })
/// }
/// let lines = try await tracks.findAll(as: TrackLine.self, where: { $0.milliseconds > 300_000 })
/// ```
///
/// Only these columns are read.
public protocol Projection: Sendable {
  /// The model type of the rows.
  associatedtype Source: Entity

  /// The columns, with the initialiser that takes them.
  static var projection: ProjectionSchema<Source, Self> { get }
}

/// A column of a projection, with the type of one parameter of its initialiser.
public struct Projected<Source: Entity, Property>: Sendable {
  /// Makes the column with the keys of a schema.
  let column: @Sendable (Schema<Source>) -> ProjectedColumn
  /// Makes the reader of the property from its position in a row.
  let reader: @Sendable (Schema<Source>) -> PropertyReader<Property>

  /// Makes a column of a property of the model type, decoded as in the model type.
  ///
  /// - Parameter name: its name in the result, by which the result may be sorted; that of its column by default.
  public init(_ path: any KeyPath<Source, Property> & Sendable, as name: String? = nil) {
    column = { schema in ProjectedColumn(.key(schema.key(of: path)), as: name) }
    reader = { schema in schema.reader(of: path) }
  }

  /// Makes a column of a computed field, or a field of a relation: `Projected { $0.album.title }`.
  ///
  /// - Parameters:
  ///   - name: its name in the result, by which the result may be sorted; its text form by default.
  ///   - field: the field, as in a query closure.
  public init(
    as name: String? = nil, _ field: @escaping @Sendable (Fields<Source>) -> Field<Property>
  ) where Property: ValueConvertible {
    column = { schema in ProjectedColumn(field(Fields(schema)).expression, as: name) }
    reader = { _ in { row, position throws(ValueError) in try Property(from: row, at: position) } }
  }

  /// Makes a column of an expression: a path to another table's column, arithmetic, an aggregate of related rows.
  ///
  /// An expression may be null for some rows: unless that is impossible, the property is optional.
  ///
  /// - Parameter name: its name in the result, by which the result may be sorted; its text form by default.
  public init(_ expression: AnyExpression, as name: String? = nil) where Property: ValueConvertible {
    column = { _ in ProjectedColumn(expression, as: name) }
    reader = { _ in { row, position throws(ValueError) in try Property(from: row, at: position) } }
  }
}

/// The schema of a ``Projection``: its columns, and the initialiser that takes them.
public struct ProjectionSchema<Source: Entity, Output: Sendable>: Sendable {
  /// The columns, in the order of the initialiser's parameters.
  public let columns: [ProjectedColumn]
  private let read: @Sendable (any Row) throws -> Output
  /// The column that can't be read, after reading has failed.
  private let fault: @Sendable (any Row) -> ColumnError?

  /// Makes the schema of a projection whose columns are the parameters of an initialiser, in order.
  ///
  /// The compiler checks the types of properties against the initialiser; whether an expression's value fits its parameter
  /// is checked when a row is read.
  ///
  /// - Parameters:
  ///   - source: the model type.
  ///   - make: the initialiser, such as `TrackLine.init`; an error that it throws refuses the row.
  ///   - columns: one for each parameter.
  public init<each Property>(
    of source: Source.Type, _ make: @escaping @Sendable (repeat each Property) throws -> Output,
    _ columns: repeat Projected<Source, each Property>
  ) {
    let schema = source.schema
    var all: [ProjectedColumn] = []
    for column in repeat each columns { all.append(column.column(schema)) }
    let readers = (repeat (each columns).reader(schema))
    let names = all.map(\.name)
    self.columns = all
    read = { row in
      var position = -1
      func next() -> Int {
        position += 1
        return position
      }
      return try make(repeat try (each readers)(row, next()))
    }
    fault = { row in
      var position = 0
      for reader in repeat each readers {
        do throws(ValueError) {
          _ = try reader(row, position)
        } catch {
          return ColumnError(column: names[position], error: error)
        }
        position += 1
      }
      return nil
    }
  }

  /// Makes a value from each row of a result.
  func values(of rows: [[Value]], in table: TableSchema) throws(RepositoryError) -> [Output] {
    var values: [Output] = []
    values.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      let row = ValueRow(row)
      do {
        values.append(try read(row))
      } catch {
        throw .unreadableRow(
          fault(row) ?? .refusal(by: Output.self, error), key: nil, at: index + 1, in: table)
      }
    }
    return values
  }
}

extension Repository where Element: Entity {
  /// Finds some columns of all elements that match a query closure, and computed fields, as values of a type that declares
  /// them.
  ///
  /// ```swift
  /// let longest = try await tracks.findAll(
  ///   as: TrackLine.self, where: { $0.milliseconds > 300_000 }, sortedBy: .descending(\.milliseconds), limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - query: the condition on elements; all by default.
  ///   - sort: the order of the elements; by primary key by default.
  ///   - limit: the maximum number of elements; all by default.
  ///   - offset: the number of elements to skip at the start.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unreadableRow`` if a value does not fit its
  ///   property, and as `findRows(_:)` does.
  public func findAll<Result: Projection>(
    as type: Result.Type, where query: (Fields<Element>) -> AnyQuery = { _ in .true },
    sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    try await findAll(as: type, .typed(query, sort, limit: limit, offset: offset))
  }

  /// Finds the distinct values of a projection, in an order of its columns; see ``findAll(as:where:sortedBy:limit:offset:)``.
  ///
  /// - Parameter sort: the order, by names of the projection's columns; by all of them from the first on by default.
  public func findDistinct<Result: Projection>(
    as type: Result.Type, where query: (Fields<Element>) -> AnyQuery = { _ in .true },
    sortedBy sort: AnySort = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    let rows = FetchRequest(query(Fields(Element.schema)), sortedBy: sort, limit: limit, offset: offset)
    return try await findAll(as: type, rows, isDistinct: true)
  }

  /// Finds the values of a projection for a request; see ``findAll(as:where:sortedBy:limit:offset:)``.
  ///
  /// - Parameters:
  ///   - request: the condition on elements, and their order.
  ///   - isDistinct: whether duplicate values are removed.
  ///   - groupLimit: the limit of each group.
  public func findAll<Result: Projection>(
    as type: Result.Type, _ request: FetchRequest, isDistinct: Bool = false, groupLimit: GroupLimit? = nil
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    let projection = Result.projection
    let rows = try await findRows(
      ProjectionRequest(projection.columns, of: request, isDistinct: isDistinct, groupLimit: groupLimit))
    return try projection.values(of: rows, in: try Element.schema.table())
  }

  /// Finds the first elements of each group: `first(3, ofEach: \.type, sortedBy: .descending(\.weight))` returns the three
  /// heaviest of each type, the heaviest of all first.
  ///
  /// - Parameters:
  ///   - count: the maximum number of elements of each group.
  ///   - paths: the properties by which elements are grouped. Elements in which one of them is `nil` are a group too.
  ///   - query: the condition on elements; all by default.
  ///   - sort: the order within each group and of the whole result.
  /// - Throws: as `findRows(_:)` does.
  public func first<each Property: ValueConvertible>(
    _ count: Int, ofEach paths: repeat KeyPath<Element, each Property>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element>
  ) async throws(RepositoryError) -> [Element] {
    let schema = Element.schema
    let table = try schema.table()
    let keys = Self.keys(of: repeat each paths)
    let order = sort.erased(by: schema)
    let rows = try await findRows(
      ProjectionRequest(
        table.columns.map { .key($0.name) }, of: FetchRequest(query(Fields(schema)), sortedBy: order),
        groupLimit: GroupLimit(count, of: keys, sortedBy: order)))
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      elements.append(try schema.element(from: row, in: table, at: index + 1))
    }
    return elements
  }

  /// Finds the first elements of each group, as values of a projection.
  ///
  /// ```swift
  /// let longest = try await tracks.first(1, ofEach: \.genreID, as: TrackLine.self, sortedBy: .descending(\.milliseconds))
  /// ```
  ///
  /// - Parameters:
  ///   - count: the maximum number of elements of each group.
  ///   - paths: the properties by which elements are grouped.
  ///   - type: the projection.
  ///   - query: the condition on elements; all by default.
  ///   - sort: the order within each group and of the whole result.
  /// - Throws: as ``findAll(as:_:isDistinct:groupLimit:)`` does.
  public func first<Result: Projection, each Property: ValueConvertible>(
    _ count: Int, ofEach paths: repeat KeyPath<Element, each Property>, as type: Result.Type,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy sort: Sort<Element>
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    let order = sort.erased(by: Element.schema)
    return try await findAll(
      as: type, FetchRequest(query(Fields(Element.schema)), sortedBy: order),
      groupLimit: GroupLimit(count, of: Self.keys(of: repeat each paths), sortedBy: order))
  }

  private static func keys<each Property: ValueConvertible>(
    of paths: repeat KeyPath<Element, each Property>
  ) -> [String] {
    var keys: [String] = []
    for path in repeat each paths { keys.append(Element.schema.key(of: path)) }
    return keys
  }
}
