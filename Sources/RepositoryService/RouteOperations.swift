/// The capabilities that a route allows beyond comparisons, orders and pages.
public struct RouteCapabilities: OptionSet, Sendable {
  /// The raw value: the set's bits.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The permission to ask with `contains`, `starts with`, `ends with` and `like`.
  public static let textSearch = RouteCapabilities(rawValue: 1)
  /// The permission to ask with expressions of several keys and values.
  public static let expressions = RouteCapabilities(rawValue: 2)
  /// The permission to follow paths to rows of other routes' tables, and to ask about the rows that refer to a row.
  public static let relations = RouteCapabilities(rawValue: 4)
  /// The permission to request aggregates, also of groups.
  public static let aggregates = RouteCapabilities(rawValue: 8)
  /// The permission to request only some columns, and computed expressions.
  public static let projections = RouteCapabilities(rawValue: 16)
  /// The permission to request whole results, without pages.
  public static let wholeResults = RouteCapabilities(rawValue: 32)
  /// The permission to request live results.
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

  /// The permission to insert new elements.
  public static let insert = WriteOperations(rawValue: 1)
  /// The permission to save elements, which replace those with the same key.
  public static let save = WriteOperations(rawValue: 2)
  /// The permission to update columns of one element.
  public static let update = WriteOperations(rawValue: 4)
  /// The permission to delete one element.
  public static let delete = WriteOperations(rawValue: 8)
  /// The permission to update columns of all elements that match a query.
  public static let updateByQuery = WriteOperations(rawValue: 16)
  /// The permission to delete all elements that match a query, or that have certain keys.
  public static let deleteByQuery = WriteOperations(rawValue: 32)
  /// All operations.
  public static let all = WriteOperations(rawValue: 63)
}
