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

/// The names of the items of a URL's query that belong to a request, with the parsers of their texts.
enum URLItemName: String {
  case `where`, sort, limit, offset, after, before
  case columns, distinct, first, groups, groupSort
  case aggregates, having

  /// The items of a request for rows.
  static let ofRows: Set<URLItemName> = [.where, .sort, .limit, .offset, .after, .before]

  /// Returns the texts of the items that have one of the given names.
  ///
  /// - Throws: ``JSONCodingError`` for an item that occurs twice or has no value.
  static func texts(
    of items: [URLQueryItem], named names: Set<URLItemName>
  ) throws(JSONCodingError) -> [(name: URLItemName, text: String)] {
    var texts: [(name: URLItemName, text: String)] = []
    for item in items {
      guard let name = URLItemName(rawValue: item.name), names.contains(name) else { continue }
      if texts.contains(where: { $0.name == name }) {
        throw JSONCodingError(.repeatedField, "the item \(item.name) is given twice", path: item.name)
      }
      // An item that is not valid UTF-8 has no value either.
      guard let value = item.value else {
        throw JSONCodingError(
          .missingField, "the item \(item.name) has no value", path: item.name,
          suggestion: "write \(item.name)=…, or leave the item out")
      }
      texts.append((name, value))
    }
    return texts
  }

  func parse<Form>(_ make: () throws(ParseError) -> Form) throws(JSONCodingError) -> Form {
    do throws(ParseError) {
      return try make()
    } catch {
      throw malformed("\(error.summary), at position \(error.position)", suggestion: error.suggestion)
    }
  }

  func cursor(_ text: String) throws(JSONCodingError) -> Cursor {
    do throws(QueryError) {
      return try Cursor(parsing: text)
    } catch {
      throw malformed(error.summary, suggestion: error.suggestion)
    }
  }

  func integer(_ text: String) throws(JSONCodingError) -> Int {
    // `Int` also reads "+5".
    if !text.hasPrefix("+"), let integer = Int(text) { return integer }
    // Digits with an optional sign are a number that `Int` can't represent.
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      if digits.count < text.count { throw malformed("the number is too small", suggestion: "give 0 or more") }
      throw malformed("the number is too great", suggestion: "give \(Int.max) at most")
    }
    throw malformed("expected a whole number", suggestion: nil)
  }

  func malformed(_ summary: String, suggestion: String?) -> JSONCodingError {
    JSONCodingError(.malformed, summary, path: rawValue, suggestion: suggestion)
  }
}

/// Percent-encoding that escapes every byte but those that are unreserved everywhere.
package enum PercentEncoding {
  /// Encodes a text; only the unreserved characters of RFC 3986, section 2.3, are left as they are.
  package static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
