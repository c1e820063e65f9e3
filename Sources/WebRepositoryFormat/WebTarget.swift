#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import Query

/// The parsed target of a request: the segments of its path and the items of its query, unescaped.
package struct WebTarget {
  /// The segments of the path, such as `pokemon` and `6`.
  package let segments: [String]
  /// The items of the query, in order.
  package let items: [URLQueryItem]

  /// Parses a target.
  ///
  /// - Returns: `nil` if the target does not begin with `/`, has an empty segment or one of dots, which would lead elsewhere
  ///   (RFC 3986, section 5.2.4), or has an escape that is invalid or not UTF-8.
  package init?(_ target: String) {
    let target = Array(target.utf8)
    guard target.first == UInt8(ascii: "/"), !target.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
    let whole = target.prefix { $0 != UInt8(ascii: "#") }
    let path = whole.prefix { $0 != UInt8(ascii: "?") }
    var segments: [String] = []
    let isRoot = path.count == 1
    for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    where !isRoot {
      guard let text = PercentEncoding.decode(segment), !["", ".", ".."].contains(text) else { return nil }
      segments.append(text)
    }
    var items: [URLQueryItem] = []
    for item in whole.dropFirst(path.count + 1).split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      let value = name.count < item.count ? item.dropFirst(name.count + 1) : nil
      guard let name = PercentEncoding.decode(name, plusIsSpace: true) else { return nil }
      let text = value.map { PercentEncoding.decode($0, plusIsSpace: true) }
      if let text, text == nil { return nil }
      items.append(URLQueryItem(name: name, value: text ?? nil))
    }
    (self.segments, self.items) = (segments, items)
  }

  /// Returns the text of a path and the items of a query.
  package static func text(path: [String], items: [URLQueryItem] = []) -> String {
    var text = path.map { "/" + PercentEncoding.encode($0).replacingColons }.joined()
    for (index, item) in items.enumerated() {
      text += "\(index == 0 ? "?" : "&")\(PercentEncoding.encode(item.name))"
      if let value = item.value { text += "=" + PercentEncoding.encode(value) }
    }
    return text
  }
}

extension String {
  /// The text with unescaped colons, which need no escape in a segment (RFC 3986, section 3.3) and are more readable.
  fileprivate var replacingColons: String {
    split(separator: "%3A", omittingEmptySubsequences: false).joined(separator: ":")
  }
}

extension PercentEncoding {
  /// Returns the text of percent-encoded bytes.
  ///
  /// - Parameter plusIsSpace: whether a `+` is a space, as sent by forms.
  /// - Returns: `nil` if an escape is invalid, or the bytes are not UTF-8.
  package static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    // Most texts have no escapes.
    if !text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
      return String(validating: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next()?.hexadecimalDigit, let low = iterator.next()?.hexadecimalDigit else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The verb after the name of a route and a colon, for requests that no HTTP method expresses: `POST /pokemon:find`.
package enum Verb: String, CaseIterable, Sendable {
  /// The rows of a request, whose body is its JSON form.
  case find
  /// The number of rows.
  case count
  /// Aggregates.
  case aggregate
  /// Some columns, and computed expressions.
  case project
  /// Live results: rows, and again after they have changed.
  case liveResults = "changes"
  /// An update of columns of rows that match a query.
  case update
  /// A deletion of rows that match a query, or that have certain keys.
  case delete

  /// Whether the request changes nothing, so that it may be sent again.
  package var isSafe: Bool { self != .update && self != .delete }
}
