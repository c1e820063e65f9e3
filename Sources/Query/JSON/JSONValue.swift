/// The content of a JSON text, for a program that adds to it or passes a part of it on.
///
/// ```swift
/// var body = try request.dictionary
/// body["token"] = "secret"
/// let data = try JSONEncoder().encode(body)
/// ```
///
/// It is stored flat: however deep it is nested, it is built, compared, printed and freed without taking stack.
public struct JSONValue: Sendable {
  /// The six forms of JSON values.
  public enum Form: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number that is held exactly.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// A string.
    case text(String)
    /// An array.
    case array([JSONValue])
    /// An object: fields by their names.
    case object([String: JSONValue])
  }

  let tokens: ArraySlice<JSONToken>

  init(tokens: ArraySlice<JSONToken>) {
    self.tokens = tokens
  }

  /// Makes a value of the given form; the fields of an object are put in the order of their names' bytes.
  public init(_ form: Form) {
    var tokens: [JSONToken] = []
    switch form {
    case .null: tokens = [.null]
    case .boolean(let boolean): tokens = [.boolean(boolean)]
    case .integer(let integer): tokens = [.integer(integer)]
    case .real(let real): tokens = [.real(real)]
    case .text(let text): tokens = [.text(text)]
    case .array(let elements):
      tokens.append(.array(count: elements.reduce(0) { $0 + $1.tokens.count }))
      for element in elements { tokens += element.tokens }
    case .object(let fields):
      tokens.append(.object(count: fields.values.reduce(fields.count) { $0 + $1.tokens.count }))
      for (name, value) in fields.sorted(by: { Query.Value.text($0.key) < .text($1.key) }) {
        tokens.append(.text(name))
        tokens += value.tokens
      }
    }
    self.init(tokens: tokens[...])
  }

  /// The form of this value. Of fields with one name, the last counts.
  public var form: Form {
    switch tokens[tokens.startIndex] {
    case .null: return .null
    case .boolean(let boolean): return .boolean(boolean)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .text(let text): return .text(text)
    case .array:
      return .array(children)
    case .object:
      let children = children
      var fields: [String: JSONValue] = [:]
      for index in stride(from: 0, to: children.count, by: 2) {
        if case .text(let name) = children[index].form { fields[name] = children[index + 1] }
      }
      return .object(fields)
    }
  }

  /// The elements of an array, or the names and values of an object, alternating.
  private var children: [JSONValue] {
    var children: [JSONValue] = []
    var index = tokens.startIndex + 1
    while index < tokens.endIndex {
      let end = index + 1 + tokens[index].count
      children.append(JSONValue(tokens: tokens[index..<end]))
      index = end
    }
    return children
  }
}

extension JSONValue {
  /// Reads a JSON text, nested to any depth.
  ///
  /// - Throws: ``JSONCodingError`` with the code ``JSONCodingError/Code/malformed``.
  package init(parsing text: String) throws(JSONCodingError) {
    self = try JSONParser.parse(text)
  }
}

extension JSONValue: Equatable {
  /// Returns whether both have the same content: numbers are compared by value, texts by their bytes, and the order of
  /// fields is ignored.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    var pending = [(lhs, rhs)]
    while let (lhs, rhs) = pending.popLast() {
      switch (lhs.form, rhs.form) {
      case (.array(let lhs), .array(let rhs)):
        if lhs.count != rhs.count { return false }
        pending += zip(lhs, rhs)
      case (.object(let lhs), .object(let rhs)):
        if lhs.count != rhs.count { return false }
        for (name, value) in lhs {
          guard let other = rhs[name] else { return false }
          pending.append((value, other))
        }
      case (.boolean(let lhs), .boolean(let rhs)):
        if lhs != rhs { return false }
      case (let lhs, let rhs):
        guard let lhs = lhs.plainValue, let rhs = rhs.plainValue, lhs == rhs else { return false }
      }
    }
    return true
  }
}

extension JSONValue.Form {
  /// The value that compares as this one does, if it is null, a number or a text.
  ///
  /// It is spelled `Query.Value`, because within this type `Value` is the associated type of a dictionary literal.
  fileprivate var plainValue: Query.Value? {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .text(text)
    case .boolean, .array, .object: nil
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The JSON text, without white space; a number that is not finite, which JSON lacks, is written as `null`.
  public var description: String { JSONPrinter.print(self) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes `null`.
  public init(nilLiteral: ()) { self.init(.null) }

  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }

  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self.init(.integer(value)) }

  /// Makes a number from a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self.init(.real(value)) }

  /// Makes a string.
  public init(stringLiteral value: String) { self.init(.text(value)) }

  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }

  /// Makes an object; of fields with one name, the last counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(Dictionary(elements, uniquingKeysWith: { $1 })))
  }
}

/// The smallest piece of a JSON value in its flat storage.
enum JSONToken: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A text, or the name of an object's field, which is followed by its value.
  case text(String)
  /// The start of an array, with the number of tokens that belong to it.
  case array(count: Int)
  /// The start of an object, with the number of tokens that belong to it.
  case object(count: Int)

  /// The number of following tokens that belong to this one.
  var count: Int {
    switch self {
    case .array(let count), .object(let count): count
    case .null, .boolean, .integer, .real, .text: 0
    }
  }
}
