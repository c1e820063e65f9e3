/// A column of a projection: a key, a path or any other expression, and the name of its values in the result.
///
/// ```swift
/// let columns = try [ProjectedColumn](parsing: "name, album_id.title, milliseconds / 60000 as minutes")
/// columns.map(\.name)  // ["name", "album_id.title", "minutes"]
/// ```
public struct ProjectedColumn: Hashable, Sendable {
  /// The expression that is evaluated for each row.
  public let expression: AnyExpression
  /// The name in the result.
  public let name: String

  /// Makes a column.
  ///
  /// - Parameter name: the name in the result; by default the key, or the expression's text form.
  public init(_ expression: AnyExpression, as name: String? = nil) {
    (self.expression, self.name) = (expression, name ?? expression.plainKey ?? expression.description)
  }

  /// Returns a column of the table, under its own name.
  public static func key(_ key: String) -> ProjectedColumn { ProjectedColumn(.key(key)) }

  /// Returns whether both have the same expression, and names of the same UTF-8 bytes.
  public static func == (lhs: ProjectedColumn, rhs: ProjectedColumn) -> Bool {
    lhs.expression == rhs.expression && Name(lhs.name) == rhs.name
  }

  /// Hashes the components that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
    hasher.combine(Name(name))
  }
}

/// A limit to the first rows of each group: the three longest tracks of each album.
///
/// ```swift
/// GroupLimit(3, of: ["album_id"], sortedBy: .descending(key: "milliseconds"))
/// ```
public struct GroupLimit: Hashable, Sendable {
  /// The maximum number of rows of each group.
  public var count: Int
  /// The keys by whose values rows are grouped, which may be any expressions.
  public var keys: [AnyExpression]
  /// The order within a group, whose first rows are kept; on a tie, that of the primary key.
  public var order: AnySort

  /// Makes a limit of groups by expressions.
  public init(_ count: Int, of keys: [AnyExpression], sortedBy order: AnySort = .primaryKey) {
    (self.count, self.keys, self.order) = (count, keys, order)
  }

  /// Makes a limit of groups by columns.
  public init(_ count: Int, of keys: [String], sortedBy order: AnySort = .primaryKey) {
    self.init(count, of: keys.map(AnyExpression.key), sortedBy: order)
  }
}

/// A request for some columns of rows and for values that are computed from each row, rather than for whole elements.
///
/// ```swift
/// let lines = ProjectionRequest(
///   [.key("name"), ProjectedColumn(.path("album_id", "title"), as: "album")],
///   of: FetchRequest(.greaterThan(key: "milliseconds", value: 300_000), sortedBy: .descending(key: "milliseconds")))
/// for line in try await tracks.findRows(lines) { print(line[0], line[1]) }
/// ```
///
/// Only these columns are read. The semantics of each part are part of the contract, see <doc:Semantics>.
public struct ProjectionRequest: Hashable, Sendable {
  /// The columns of the result, in order.
  public var columns: [ProjectedColumn]
  /// The query, the order and the part of the rows. A key of the order that is not a column of the table may be the name of
  /// a column of the result.
  public var rows: FetchRequest
  /// Whether duplicate rows of the result are removed.
  public var isDistinct: Bool
  /// The limit of each group, among the rows of the query; `nil` for all rows.
  public var groupLimit: GroupLimit?

  /// Makes a request.
  public init(
    _ columns: [ProjectedColumn], of rows: FetchRequest = FetchRequest(), isDistinct: Bool = false,
    groupLimit: GroupLimit? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.isDistinct = isDistinct
    self.groupLimit = groupLimit
  }

  /// The maximum number of columns of a projection, unless its table has more: far below the limits of databases, so that every
  /// store refuses the same requests.
  public static let maximumColumnCount = 500
}

extension ProjectionRequest {
  /// Whether the result depends on rows of other tables.
  package var needsOtherTables: Bool {
    rows.needsOtherTables || columns.contains(where: \.expression.needsOtherTables)
      || groupLimit?.keys.contains(where: \.needsOtherTables) == true
      || groupLimit?.order.terms.contains(where: \.key.needsOtherTables) == true
  }
}
