/// A column of a projection: a key, a path or any other expression, and the name that its values have in the result.
///
/// ```swift
/// let columns = try [ProjectedColumn](parsing: "name, album_id.title, milliseconds / 60000 as minutes")
/// columns.map(\.name)  // ["name", "album_id.title", "minutes"]
/// ```
public struct ProjectedColumn: Hashable, Sendable {
  /// What each row gives.
  public let expression: AnyExpression
  /// The name in the result.
  public let name: String

  /// Makes a column.
  ///
  /// - Parameter name: the name in the result; by default the key, or the expression's text form.
  public init(_ expression: AnyExpression, as name: String? = nil) {
    (self.expression, self.name) = (expression, name ?? expression.plainKey ?? expression.description)
  }

  /// A column of the table, under its own name.
  public static func key(_ key: String) -> ProjectedColumn { ProjectedColumn(.key(key)) }

  /// Whether both give the same under names of the same UTF-8 bytes.
  public static func == (lhs: ProjectedColumn, rhs: ProjectedColumn) -> Bool {
    lhs.expression == rhs.expression && Name(lhs.name) == rhs.name
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
    hasher.combine(Name(name))
  }
}

/// The first rows of each group alone: the three longest tracks of each album.
///
/// ```swift
/// GroupLimit(3, of: ["album_id"], sortedBy: .descending(key: "milliseconds"))
/// ```
public struct GroupLimit: Hashable, Sendable {
  /// At most how many rows of each group.
  public var count: Int
  /// The keys by whose values rows are grouped, which may be any expressions.
  public var keys: [AnyExpression]
  /// The order within a group, whose first rows are kept; where it does not decide, that of the primary key.
  public var order: AnySort

  /// Makes a limit.
  public init(_ count: Int, of keys: [AnyExpression], sortedBy order: AnySort = .primaryKey) {
    (self.count, self.keys, self.order) = (count, keys, order)
  }

  /// Makes a limit of groups by columns.
  public init(_ count: Int, of keys: [String], sortedBy order: AnySort = .primaryKey) {
    self.init(count, of: keys.map(AnyExpression.key), sortedBy: order)
  }
}

/// A request for some columns of rows, and for what is computed of each, rather than for whole elements.
///
/// ```swift
/// let lines = ProjectionRequest(
///   [.key("name"), ProjectedColumn(.path("album_id", "title"), as: "album")],
///   of: FetchRequest(.greaterThan(key: "milliseconds", value: 300_000), sortedBy: .descending(key: "milliseconds")))
/// for line in try await tracks.findRows(lines) { print(line[0], line[1]) }
/// ```
///
/// Nothing but these columns is read. What each part means is part of the contract, see <doc:Semantics>.
public struct ProjectionRequest: Hashable, Sendable {
  /// The columns of the result, in order.
  public var columns: [ProjectedColumn]
  /// Of which rows, in which order, and which part of the result. A key of the order that is no column of the table may
  /// be the name of a column of the result.
  public var rows: FetchRequest
  /// Whether rows of the result that are equal are one.
  public var isDistinct: Bool
  /// Which rows of each group alone are meant, among those of the query; all by default.
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

  /// How many columns a projection may have that its table has not: far below what a database gives, so that every store
  /// refuses the same requests.
  public static let maximumColumnCount = 500
}

extension ProjectionRequest {
  /// Whether rows of other tables decide about the result.
  package var needsOtherTables: Bool {
    rows.needsOtherTables || columns.contains(where: \.expression.needsOtherTables)
      || groupLimit?.keys.contains(where: \.needsOtherTables) == true
      || groupLimit?.order.terms.contains(where: \.key.needsOtherTables) == true
  }
}
