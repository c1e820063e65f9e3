/// What can travel: a query, a sort or a request, in one JSON form, whichever way it goes.
///
/// ```swift
/// let query = try AnyQuery(json: #"{"version": 1, "query": {"key": "weight", "op": ">", "value": 90}}"#)
/// let text = try query.json  // a text, nested to any depth
/// let data = try JSONEncoder().encode(query)  // the same, by any encoder of `Codable`
/// var body = try query.dictionary  // the same, to add something to
/// ```
///
/// A type of your own, such as a saved search, conforms with two members; the other ways come with them. The form is
/// described in <doc:Interchange>.
public protocol Interchangeable: Codable, Sendable {
  /// The JSON form.
  ///
  /// - Throws: ``InterchangeError`` for what can't be written, such as a query with a value that can't be stored.
  var jsonValue: JSONValue { get throws(InterchangeError) }

  /// Reads the JSON form.
  ///
  /// - Throws: ``InterchangeError``, which says where the form goes wrong.
  init(jsonValue: JSONValue) throws(InterchangeError)
}

extension Interchangeable {
  /// The JSON form as a text, without white space, in time that grows with its length.
  ///
  /// - Throws: ``InterchangeError`` for what can't be written: a value that can't be stored, more than
  ///   ``ResolvedQuery/maximumConditionCount`` conditions, or a form of more than about 250 MB.
  public var json: String {
    get throws(InterchangeError) { try jsonValue.description }
  }

  /// Reads the JSON form from a text, in time that grows with its length, and however deep it is nested.
  ///
  /// A text from elsewhere should have a greatest length; reading it takes some 50 times as much memory at worst.
  ///
  /// - Throws: ``InterchangeError``, which says where the text goes wrong.
  public init(json: String) throws(InterchangeError) {
    try self.init(jsonValue: try JSONParser.parse(json))
  }

  /// The JSON form as the fields of its object, for a body that has other fields, too.
  ///
  /// - Throws: ``InterchangeError``, as ``json`` does.
  public var dictionary: [String: JSONValue] {
    get throws(InterchangeError) {
      guard case .object(let fields) = try jsonValue.form else { return [:] }
      return fields
    }
  }

  /// Reads the JSON form from the fields of its object.
  ///
  /// - Throws: ``InterchangeError`` where something is wrong with them, or where there are others.
  public init(dictionary: [String: JSONValue]) throws(InterchangeError) {
    try self.init(jsonValue: JSONValue(.object(dictionary)))
  }
}
