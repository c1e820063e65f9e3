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
/// let lines = try await tracks.filter { $0.milliseconds > 300_000 }.select(TrackLine.self)
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

extension Selection where Element: Entity {
  /// Finds some columns of the elements, and computed fields, as values of a type that declares them; only these are read.
  ///
  /// ```swift
  /// let longest = try await tracks.sorted { $0.milliseconds.descending }.prefix(20).select(TrackLine.self)
  /// ```
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unreadableRow`` if a value does not fit its
  ///   property, and as ``all()`` does.
  public func select<Result: Projection>(
    _ type: Result.Type
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    try await values(of: type, isDistinct: false)
  }

  /// Finds a property of the elements, or a computed field: `pokedex.filter { $0.weight > 90 }.select(\.name)`.
  ///
  /// - Throws: as ``select(_:)-(Result.Type)`` does.
  public func select<Property: ValueConvertible>(
    _ field: (Fields<Element>) -> Field<Property>
  ) async throws(RepositoryError) -> [Property] {
    let columns = [ProjectedColumn(field(Fields(Element.schema)).expression, as: nil)]
    return try values(of: try await rows(of: columns, isDistinct: false), columns)
  }

  /// Finds some properties of the elements, and computed fields; only these are read.
  ///
  /// ```swift
  /// let names = try await pokedex.filter { $0.weight > 90 }.select(\.name)
  /// let lines = try await tracks.selection().select { ($0.name, $0.album.title) }
  /// ```
  ///
  /// - Parameter fields: returns the properties and fields.
  /// - Returns: the values; tuples for several fields.
  /// - Throws: as ``select(_:)-(Result.Type)`` does.
  public func select<each Property: ValueConvertible>(
    _ fields: (Fields<Element>) -> (repeat Field<each Property>)
  ) async throws(RepositoryError) -> [(repeat each Property)] {
    let columns = columns(of: fields)
    return try values(of: try await rows(of: columns, isDistinct: false), columns)
  }

  /// Finds the distinct values of a projection, by default in the order of all of its columns.
  ///
  /// The selection may be sorted by columns of the projection alone.
  ///
  /// - Throws: as ``select(_:)-(Result.Type)`` does.
  public func distinct<Result: Projection>(
    _ type: Result.Type
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    try await values(of: type, isDistinct: true)
  }

  /// Finds the distinct values of a property or a computed field: `pokedex.selection().distinct(\.type)`.
  ///
  /// The selection may be sorted by the field alone.
  ///
  /// - Throws: as ``select(_:)-(Result.Type)`` does.
  public func distinct<Property: ValueConvertible>(
    _ field: (Fields<Element>) -> Field<Property>
  ) async throws(RepositoryError) -> [Property] {
    let columns = [ProjectedColumn(field(Fields(Element.schema)).expression, as: nil)]
    return try values(of: try await rows(of: columns, isDistinct: true), columns)
  }

  /// Finds the distinct values of some properties and computed fields: `pokedex.selection().distinct(\.type)`.
  ///
  /// The selection may be sorted by these fields alone.
  ///
  /// - Throws: as ``select(_:)-(Result.Type)`` does.
  public func distinct<each Property: ValueConvertible>(
    _ fields: (Fields<Element>) -> (repeat Field<each Property>)
  ) async throws(RepositoryError) -> [(repeat each Property)] {
    let columns = columns(of: fields)
    return try values(of: try await rows(of: columns, isDistinct: true), columns)
  }

  private func values<Result: Projection>(
    of type: Result.Type, isDistinct: Bool
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    let projection = Result.projection
    let rows = try await rows(of: projection.columns, isDistinct: isDistinct)
    return try projection.values(of: rows, in: try Element.schema.table())
  }

  private func rows(of columns: [ProjectedColumn], isDistinct: Bool) async throws(RepositoryError) -> [[Value]] {
    try await repository.findRows(ProjectionRequest(columns, of: request, isDistinct: isDistinct))
  }

  private func columns<each Property>(
    of fields: (Fields<Element>) -> (repeat Field<each Property>)
  ) -> [ProjectedColumn] {
    let found = fields(Fields(Element.schema))
    var columns: [ProjectedColumn] = []
    for field in repeat each found { columns.append(ProjectedColumn(field.expression, as: nil)) }
    return columns
  }

  private func values<each Property: ValueConvertible>(
    of rows: [[Value]], _ columns: [ProjectedColumn]
  ) throws(RepositoryError) -> [(repeat each Property)] {
    let names = columns.map(\.name)
    var results: [(repeat each Property)] = []
    results.reserveCapacity(rows.count)
    for row in rows {
      var values = ResultValues(row, named: names)
      results.append((repeat try values.next((each Property).self)))
    }
    return results
  }
}
