#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FetchRequest {
  /// The request as the items of a URL's query, in the text forms of query and sort.
  ///
  /// ```swift
  /// let request = FetchRequest(.greaterThan(key: "weight", value: 90), sortedBy: .descending(key: "weight"), limit: 5)
  /// try request.queryItems  // where=weight > 90, sort=weight desc, limit=5
  /// ```
  ///
  /// Default values are left out. For a URL, use ``percentEncodedQueryItems``: `URLComponents` does not escape a `+`, which
  /// many servers read as a space.
  ///
  /// - Throws: ``JSONCodingError``, as ``JSONCodable/json`` does.
  public var queryItems: [URLQueryItem] {
    get throws(JSONCodingError) {
      // A query that has no JSON form, such as one with a NaN, has a text form that can't be read back.
      _ = try jsonValue
      var items: [URLQueryItem] = []
      if query != .true { items.append(URLQueryItem(.where, query.description)) }
      if !sort.terms.isEmpty { items.append(URLQueryItem(.sort, sort.description)) }
      if let limit { items.append(URLQueryItem(.limit, limit.description)) }
      if offset != 0 { items.append(URLQueryItem(.offset, offset.description)) }
      if let after { items.append(URLQueryItem(.after, after.description)) }
      if let before { items.append(URLQueryItem(.before, before.description)) }
      return items
    }
  }

  /// The items of ``queryItems``, with every character escaped that a server might interpret.
  ///
  /// ```swift
  /// var components = URLComponents(string: "https://example.com/pokemon")
  /// components?.percentEncodedQueryItems = try request.percentEncodedQueryItems
  /// ```
  ///
  /// - Throws: ``JSONCodingError``, as ``queryItems`` does.
  public var percentEncodedQueryItems: [URLQueryItem] {
    get throws(JSONCodingError) {
      try queryItems.map { URLQueryItem(name: $0.name, value: $0.value.map(PercentEncoding.encode)) }
    }
  }

  /// Reads the items of a URL's query, as `URLComponents.queryItems` returns them; items with other names are ignored.
  ///
  /// ```swift
  /// let request = try FetchRequest(queryItems: components.queryItems ?? [])
  /// ```
  ///
  /// - Throws: ``JSONCodingError`` for an item that occurs twice, has no value, or has a value that can't be read.
  public init(queryItems: [URLQueryItem]) throws(JSONCodingError) {
    self.init()
    for (name, text) in try URLItemName.texts(of: queryItems, named: URLItemName.ofRows) { try read(name, text) }
  }

  mutating func read(_ name: URLItemName, _ text: String) throws(JSONCodingError) {
    switch name {
    case .where: query = try name.parse { () throws(ParseError) in try AnyQuery(parsing: text) }
    case .sort: sort = try name.parse { () throws(ParseError) in try AnySort(parsing: text) }
    case .limit: limit = try name.integer(text)
    case .offset: offset = try name.integer(text)
    case .after: after = try name.cursor(text)
    case .before: before = try name.cursor(text)
    default: break
    }
  }
}

extension URLQueryItem {
  init(_ name: URLItemName, _ value: String) {
    self.init(name: name.rawValue, value: value)
  }
}
