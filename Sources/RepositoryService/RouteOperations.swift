/// The capabilities that a route allows beyond comparisons, orders and pages.
public struct RouteCapabilities: OptionSet, Sendable {
  /// The raw value: the set's bits.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `contains`, `starts with`, `ends with` and `like`.
  public static let textSearch = RouteCapabilities(rawValue: 1)
  /// Expressions of several keys and values.
  public static let expressions = RouteCapabilities(rawValue: 2)
  /// Paths to rows of other routes' tables, and conditions on the rows that refer to a row.
  public static let relations = RouteCapabilities(rawValue: 4)
  /// Aggregates, also of groups.
  public static let aggregates = RouteCapabilities(rawValue: 8)
  /// Only some columns, and computed expressions.
  public static let projections = RouteCapabilities(rawValue: 16)
  /// Whole results, without pages.
  public static let wholeResults = RouteCapabilities(rawValue: 32)
  /// Live results.
  public static let liveResults = RouteCapabilities(rawValue: 64)
  /// All capabilities.
  public static let all = RouteCapabilities(rawValue: 127)
}

/// The operations by which a route lets its elements be written.
public struct WriteOperations: OptionSet, Sendable {
  /// The raw value: the set's bits.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Inserting new elements.
  public static let insert = WriteOperations(rawValue: 1)
  /// Saving elements that replace those with the same key.
  public static let save = WriteOperations(rawValue: 2)
  /// Updating columns of one element.
  public static let update = WriteOperations(rawValue: 4)
  /// Deleting one element.
  public static let delete = WriteOperations(rawValue: 8)
  /// Updating columns of all elements that match a query.
  public static let updateByQuery = WriteOperations(rawValue: 16)
  /// Deleting all elements that match a query, or that have certain keys.
  public static let deleteByQuery = WriteOperations(rawValue: 32)
  /// All operations.
  public static let all = WriteOperations(rawValue: 63)
}
