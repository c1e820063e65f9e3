/// The header fields of an HTTP message: case-insensitive names, and values, in order.
public struct WebHeaders: Sendable, ExpressibleByDictionaryLiteral {
  /// A header field.
  public struct Field: Hashable, Sendable {
    /// The name, as it was given.
    public let name: String
    /// The value.
    public let value: String
  }

  /// The fields, in order.
  public private(set) var fields: [Field] = []

  /// Makes fields; characters that could end a field are removed, see ``subscript(_:)``.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Makes an empty list of fields.
  public init() {}

  /// Accesses the value of the field with a name; that of the first one if there are several. Setting it replaces them all.
  ///
  /// A carriage return, a line feed or a NUL in a value becomes a space, since it would end the field (RFC 9110, section
  /// 5.5).
  public subscript(_ name: String) -> String? {
    get { fields.first { Self.areSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.areSame($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Returns the values of all fields with a name.
  public func values(_ name: String) -> [String] { fields.filter { Self.areSame($0.name, name) }.map(\.value) }

  /// Adds a field, in addition to others with the same name. A name that is not a token (RFC 9110, section 5.6.2) is ignored.
  public mutating func append(_ name: String, _ value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return }
    let isSafe = value.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    let safe =
      isSafe ? value : String(value.unicodeScalars.map { "\r\n\0".unicodeScalars.contains($0) ? " " : Character($0) })
    fields.append(Field(name: name, value: safe))
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func areSame(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf8.count == rhs.utf8.count && zip(lhs.utf8, rhs.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

extension WebHeaders {
  /// Returns the media type of a field such as `Content-Type`, in lowercase and without its parameters.
  package func mediaType(_ name: String) -> String? {
    self[name].map { value in
      String(value.prefix { $0 != ";" }).lowercased().filter { $0 != " " && $0 != "\t" }
    }
  }
}

/// The media types of the format.
package enum MediaType {
  package static let json = "application/json"
  package static let lines = "application/x-ndjson"
  package static let events = "text/event-stream"
  package static let problem = "application/problem+json"
  package static let mergePatch = "application/merge-patch+json"

  /// Returns the media type that an `Accept` field prefers (RFC 9110, section 12.5.1); the first of equally preferred ones.
  ///
  /// - Returns: `nil` if the field accepts none of the types.
  package static func preferred(of types: [String], by accept: [String]) -> String? {
    if let first = types.first, accept.allSatisfy({ $0 == first || $0 == "*/*" }) { return first }
    let ranges = accept.joined(separator: ",").split(separator: ",").map(Range.init)
    if ranges.isEmpty { return types.first }
    var best: (type: String, quality: Double)?
    for type in types {
      // The most specific range decides.
      let fitting = ranges.filter { $0.specificity(for: type) > 0 }
      guard let range = fitting.max(by: { $0.specificity(for: type) < $1.specificity(for: type) }), range.quality > 0
      else { continue }
      if range.quality > best?.quality ?? 0 { best = (type, range.quality) }
    }
    return best?.type
  }

  private struct Range {
    let type: String
    let quality: Double

    init(_ text: Substring) {
      let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      type = parts.first ?? ""
      quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }

    func specificity(for wanted: String) -> Int {
      if type == wanted { return 3 }
      if type.hasSuffix("/*"), type != "*/*" { return wanted.hasPrefix(type.dropLast()) ? 2 : 0 }
      return type == "*/*" ? 1 : 0
    }
  }
}

/// Names of header fields.
package enum HeaderName {
  /// The key by which a write is done once, however often it is sent (draft-ietf-httpapi-idempotency-key-header).
  package static let idempotencyKey = "Idempotency-Key"
  /// The number of rows of a body, by which an incomplete body is detected.
  package static let rowCount = "Repository-Row-Count"
}
