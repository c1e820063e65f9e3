import ErrorDetails
package import Query

/// The body of an update by query, such as
/// `{"where": {"version": 1, "query": …}, "set": [{"version": 1, "key": "attack", "value": 5}]}`, with `"return": true` to
/// request the rows.
package struct UpdateBody {
  package var query: AnyQuery
  package var assignments: [Assignment]
  /// Whether the rows are requested, rather than their number.
  package var returnsRows: Bool

  package init(_ query: AnyQuery, _ assignments: [Assignment], returnsRows: Bool) {
    (self.query, self.assignments, self.returnsRows) = (query, assignments, returnsRows)
  }

  package var json: String {
    get throws(JSONCodingError) {
      var list: [JSONValue] = []
      for assignment in assignments { list.append(try assignment.jsonValue) }
      return JSONValue(
        .object([
          "where": try query.jsonValue, "set": JSONValue(.array(list)), "return": JSONValue(.boolean(returnsRows)),
        ])
      ).description
    }
  }

  package init(json: String) throws(JSONCodingError) {
    let body = try BodyFields(json, known: ["where", "set", "return"])
    guard let query = body["where"], case .array(let set)? = body["set"]?.form else {
      throw JSONCodingError(
        .missingField, "an update has the fields where and set",
        suggestion:
          #"write {"where": {"version": 1, "query": true}, "set": [{"version": 1, "key": "name", "value": "x"}]}"#)
    }
    self.query = try AnyQuery(jsonValue: query)
    assignments = []
    for assignment in set { assignments.append(try Assignment(jsonValue: assignment)) }
    returnsRows = try body.flag("return")
  }
}

/// The body of a deletion: `{"where": {"version": 1, "query": …}}`, or `{"keys": ["[6]", "[7]"]}`, in which each key is the
/// text of a list of values.
package struct DeleteBody {
  package enum Rows {
    case query(AnyQuery)
    case keys([[Value]])
  }

  package var rows: Rows
  /// Whether the rows are requested, rather than their number.
  package var returnsRows: Bool

  package init(_ rows: Rows, returnsRows: Bool = false) { (self.rows, self.returnsRows) = (rows, returnsRows) }

  package var json: String {
    get throws(JSONCodingError) {
      var fields: [String: JSONValue] = ["return": JSONValue(.boolean(returnsRows))]
      switch rows {
      case .query(let query): fields["where"] = try query.jsonValue
      case .keys(let keys):
        fields["keys"] = JSONValue(
          .array(
            keys.map { key in
              var text: [UInt8] = []
              RowFormat.append(array: key, to: &text)
              return JSONValue(.text(String(decoding: text, as: UTF8.self)))
            }))
      }
      return JSONValue(.object(fields)).description
    }
  }

  package init(json: String) throws(JSONCodingError) {
    let body = try BodyFields(json, known: ["where", "keys", "return"])
    returnsRows = try body.flag("return")
    switch (body["where"], body["keys"]?.form) {
    case (let query?, nil): rows = .query(try AnyQuery(jsonValue: query))
    case (nil, .array(let list)?):
      var keys: [[Value]] = []
      for case .text(let text) in list.map(\.form) { keys.append(try RowFormat.values(from: text.utf8)) }
      if keys.count < list.count { throw JSONCodingError(.typeMismatch, "each key must be text with a list of values") }
      rows = .keys(keys)
    default:
      throw JSONCodingError(
        .missingField, "a deletion has either the field where or the field keys",
        suggestion: #"write {"where": {"version": 1, "query": {"key": "id", "op": "=", "value": 6}}}"#)
    }
  }
}

/// The fields of a body.
private struct BodyFields {
  private let fields: [String: JSONValue]

  init(_ json: String, known: [String]) throws(JSONCodingError) {
    guard case .object(let fields) = try JSONValue(parsing: json).form else {
      throw JSONCodingError(.typeMismatch, "expected an object")
    }
    if let other = fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw JSONCodingError(
        .unexpectedField, "the body has no field \(VisibleText.excerpt(of: Array(other.utf8)[...]))",
        suggestion: "the fields are \(known.joined(separator: ", "))")
    }
    self.fields = fields
  }

  subscript(_ name: String) -> JSONValue? { fields[name] }

  func flag(_ name: String) throws(JSONCodingError) -> Bool {
    switch fields[name]?.form {
    case nil: return false
    case .boolean(let flag)?: return flag
    default: throw JSONCodingError(.typeMismatch, "expected true or false", path: "/\(name)")
    }
  }
}
