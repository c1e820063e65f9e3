#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Requests for columns and for groups as the items of a URL's query; their rows are written as those of `FetchRequest`.
extension ProjectionRequest {
  /// The request as the items of a URL's query: those of ``rows``, and `columns`, `distinct`, `first`, `groups` and `groupSort`.
  ///
  /// ```swift
  /// let longest = ProjectionRequest(
  ///   [.key("name"), ProjectedColumn(.path("album_id", "title"), as: "album")],
  ///   groupLimit: GroupLimit(3, of: ["album_id"], sortedBy: .descending(key: "milliseconds")))
  /// try longest.queryItems  // columns=name, album_id.title as album; first=3; groups=album_id; groupSort=milliseconds desc
  /// ```
  ///
  /// - Throws: ``JSONCodingError``, as ``JSONCodable/json`` does.
  public var queryItems: [URLQueryItem] {
    get throws(JSONCodingError) {
      _ = try jsonValue
      var items = [URLQueryItem(.columns, columns.map(\.description).joined(separator: ", "))]
      items += try rows.queryItems
      if isDistinct { items.append(URLQueryItem(.distinct, "true")) }
      if let groupLimit {
        items.append(URLQueryItem(.first, groupLimit.count.description))
        items.append(URLQueryItem(.groups, groupLimit.keys.map(\.description).joined(separator: ", ")))
        if !groupLimit.order.terms.isEmpty { items.append(URLQueryItem(.groupSort, groupLimit.order.description)) }
      }
      return items
    }
  }

  /// Reads the items of a URL's query; items with other names are ignored.
  ///
  /// - Throws: ``JSONCodingError`` for an item that occurs twice, has no value, or has a value that can't be read, for missing
  ///   columns, and for `first` without `groups`, or `groups` or `groupSort` without `first`.
  public init(queryItems: [URLQueryItem]) throws(JSONCodingError) {
    self.init([])
    var (first, groups, order): (Int?, [AnyExpression]?, AnySort?) = (nil, nil, nil)
    let names = URLItemName.ofRows.union([.columns, .distinct, .first, .groups, .groupSort])
    for (name, text) in try URLItemName.texts(of: queryItems, named: names) {
      switch name {
      case .columns: columns = try name.columns(text)
      case .distinct: isDistinct = try name.boolean(text)
      case .first: first = try name.integer(text)
      case .groups: groups = try name.columns(text).map(\.expression)
      case .groupSort: order = try name.parse { () throws(ParseError) in try AnySort(parsing: text) }
      default: try rows.read(name, text)
      }
    }
    if columns.isEmpty { throw URLItemName.columns.missing(beside: nil) }
    if let first {
      guard let groups else { throw URLItemName.groups.missing(beside: .first) }
      groupLimit = GroupLimit(first, of: groups, sortedBy: order ?? .primaryKey)
    } else if groups != nil || order != nil {
      throw URLItemName.first.missing(beside: groups == nil ? .groupSort : .groups)
    }
  }
}

extension AggregateRequest {
  /// The request as the items of a URL's query: `aggregates`, `where`, `groups`, `having`, `sort` and `limit`.
  ///
  /// ```swift
  /// let sales = AggregateRequest(
  ///   [.count, .sum(key: "total")], groupedBy: ["country"], sortedBy: .descending(.sum(key: "total")), limit: 3)
  /// try sales.queryItems  // aggregates=count(), sum(total); groups=country; sort=-sum(total); limit=3
  /// ```
  ///
  /// - Throws: ``JSONCodingError``, as ``JSONCodable/json`` does.
  public var queryItems: [URLQueryItem] {
    get throws(JSONCodingError) {
      _ = try jsonValue
      var items = [
        URLQueryItem(.aggregates, aggregates.map { AnyExpression.group($0).description }.joined(separator: ", "))
      ]
      if query != .true { items.append(URLQueryItem(.where, query.description)) }
      if !groupKeys.isEmpty {
        items.append(URLQueryItem(.groups, groupKeys.map(\.description).joined(separator: ", ")))
      }
      if having != .true { items.append(URLQueryItem(.having, having.description)) }
      switch order {
      case .group: break
      case .ascending(let aggregate): items.append(URLQueryItem(.sort, AnyExpression.group(aggregate).description))
      case .descending(let aggregate):
        items.append(URLQueryItem(.sort, "-" + AnyExpression.group(aggregate).description))
      }
      if let limit { items.append(URLQueryItem(.limit, limit.description)) }
      return items
    }
  }

  /// Reads the items of a URL's query; items with other names are ignored.
  ///
  /// - Throws: ``JSONCodingError`` for an item that occurs twice, has no value, or has a value that can't be read, and for
  ///   missing aggregates.
  public init(queryItems: [URLQueryItem]) throws(JSONCodingError) {
    self.init([], groupedBy: [] as [AnyExpression])
    let names: Set<URLItemName> = [.aggregates, .where, .groups, .having, .sort, .limit]
    for (name, text) in try URLItemName.texts(of: queryItems, named: names) {
      switch name {
      case .aggregates: aggregates = try name.aggregates(text)
      case .where: query = try name.parse { () throws(ParseError) in try AnyQuery(parsing: text) }
      case .groups: groupKeys = try name.columns(text).map(\.expression)
      case .having: having = try name.parse { () throws(ParseError) in try AnyQuery(parsingHaving: text) }
      case .sort:
        let isDescending = text.hasPrefix("-")
        let key = isDescending ? String(text.dropFirst()) : text
        let aggregate = try name.parse { () throws(ParseError) in try AnyAggregate(parsing: key) }
        order = isDescending ? .descending(aggregate) : .ascending(aggregate)
      case .limit: limit = try name.integer(text)
      default: break
      }
    }
    if aggregates.isEmpty { throw URLItemName.aggregates.missing(beside: nil) }
  }
}
