#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
        throw JSONCodingError(.repeatedField, "the item \(item.name) occurs twice", path: item.name)
      }
      // An item that is not valid UTF-8 has no value either.
      guard let value = item.value else {
        throw JSONCodingError(
          .missingField, "the item \(item.name) has no value", path: item.name,
          suggestion: "write \(item.name)=…, or omit the item")
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
      if digits.count < text.count { throw malformed("the number is too small", suggestion: "write 0 or more") }
      throw malformed("the number is too large", suggestion: "write at most \(Int.max)")
    }
    throw malformed("expected a whole number", suggestion: nil)
  }

  func malformed(_ summary: String, suggestion: String?) -> JSONCodingError {
    JSONCodingError(.malformed, summary, path: rawValue, suggestion: suggestion)
  }
}

extension URLItemName {
  func columns(_ text: String) throws(JSONCodingError) -> [ProjectedColumn] {
    try parse { () throws(ParseError) in try [ProjectedColumn](parsing: text) }
  }

  func aggregates(_ text: String) throws(JSONCodingError) -> [AnyAggregate] {
    let columns = try parse { () throws(ParseError) in
      var parser = QueryParser(text, isOfGroups: true)
      return try parser.parseColumns()
    }
    var aggregates: [AnyAggregate] = []
    for column in columns {
      guard case .group(let aggregate) = column.expression.form else {
        throw malformed(
          "\(column.expression) is not an aggregate", suggestion: "write count(), or sum(…) with a key or an expression"
        )
      }
      aggregates.append(aggregate)
    }
    return aggregates
  }

  func boolean(_ text: String) throws(JSONCodingError) -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default: throw malformed("expected true or false", suggestion: nil)
    }
  }

  func missing(beside other: URLItemName?) -> JSONCodingError {
    JSONCodingError(
      .missingField, "the item \(rawValue) is missing" + (other.map { " beside \($0.rawValue)" } ?? ""), path: rawValue,
      suggestion: "write \(rawValue)=…")
  }
}
