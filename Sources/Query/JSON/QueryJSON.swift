extension AnyQuery: JSONCodable {
  /// The JSON form, such as `{"version": 1, "query": {"key": "weight", "op": ">", "value": 90}}`.
  ///
  /// - Throws: ``JSONCodingError`` for a value that can't be stored, for more than ``ResolvedQuery/maximumConditionCount``
  ///   conditions, and for a form that would exceed any memory.
  public var jsonValue: JSONValue {
    get throws(JSONCodingError) {
      try QueryJSONWriter.document { writer throws(JSONCodingError) in
        try writer.write(.query)
        try writer.write(self)
      }
    }
  }

  /// Reads the JSON form of a query; the result equals the query that was written.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the form is wrong.
  public init(jsonValue: JSONValue) throws(JSONCodingError) {
    let reader = QueryJSONReader(jsonValue)
    guard let field = try reader.document(known: [.query]).first else {
      throw reader.missing(
        .query, of: "the document", at: jsonValue.tokens.startIndex, suggestion: #"write "query": true for all rows"#)
    }
    self = try reader.query(at: field.value)
  }
}

extension AnySort: JSONCodable {
  /// The JSON form, such as `{"version": 1, "sort": [{"key": "weight", "direction": "descending"}]}`.
  ///
  /// - Throws: ``JSONCodingError`` for a form that would exceed any memory.
  public var jsonValue: JSONValue {
    get throws(JSONCodingError) {
      try QueryJSONWriter.document { writer throws(JSONCodingError) in try writer.write(self) }
    }
  }

  /// Reads the JSON form of a sort; the result equals the sort that was written.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the form is wrong.
  public init(jsonValue: JSONValue) throws(JSONCodingError) {
    let reader = QueryJSONReader(jsonValue)
    guard let field = try reader.document(known: [.sort]).first else {
      throw reader.missing(
        .sort, of: "the document", at: jsonValue.tokens.startIndex,
        suggestion: #"write "sort": [] for the order of the primary key"#)
    }
    self = try reader.sort(at: field.value)
  }
}

extension QueryJSONWriter {
  /// Writes the field that holds a sort; default values are left out.
  mutating func write(_ sort: AnySort) throws(JSONCodingError) {
    try write(.sort)
    try beginArray()
    for term in sort.terms {
      try beginObject()
      try write(.key)
      try write(term.key)
      if term.direction == .descending { try write(.direction, .text("descending")) }
      if term.nulls != term.direction.defaultNulls {
        try write(.nulls, .text(term.nulls == .first ? "first" : "last"))
      }
      end()
    }
    end()
  }
}

extension FetchRequest: JSONCodable {
  /// The JSON form: the fields of the forms of a query and of a sort, and `limit`, `offset`, `after` and `before`.
  ///
  /// Default values are left out, except for the query.
  ///
  /// - Throws: ``JSONCodingError`` for a value that can't be stored, for more than ``ResolvedQuery/maximumConditionCount``
  ///   conditions, and for a form that would exceed any memory.
  public var jsonValue: JSONValue {
    get throws(JSONCodingError) {
      try QueryJSONWriter.document { writer throws(JSONCodingError) in
        try writer.write(.query)
        try writer.write(query)
        try writer.write(partOf: self)
      }
    }
  }

  /// Reads the JSON form of a request; the form of a query or of a sort is also the form of a request.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the form is wrong. A negative limit or offset is an error when the
  ///   request is executed.
  public init(jsonValue: JSONValue) throws(JSONCodingError) {
    self.init()
    let reader = QueryJSONReader(jsonValue)
    for field in try reader.document(known: Self.fields) { try read(field, with: reader) }
  }

  /// The fields that a request has.
  static let fields: [QueryJSONField] = [.query, .sort, .limit, .offset, .after, .before]

  /// Sets the property that one of the ``fields`` holds.
  mutating func read(_ field: QueryJSONReader.Field, with reader: QueryJSONReader) throws(JSONCodingError) {
    switch field.name {
    case .query: query = try reader.query(at: field.value)
    case .sort: sort = try reader.sort(at: field.value)
    case .limit: limit = try reader.integer(at: field.value)
    case .offset: offset = try reader.integer(at: field.value)
    case .after: after = try reader.cursor(at: field.value)
    default: before = try reader.cursor(at: field.value)
    }
  }
}

extension QueryJSONWriter {
  /// Writes the order, limit, offset and cursors of a request; default values are left out.
  mutating func write(partOf request: FetchRequest) throws(JSONCodingError) {
    if !request.sort.terms.isEmpty { try write(request.sort) }
    if let limit = request.limit { try write(.limit, .integer(Int64(limit))) }
    if request.offset != 0 { try write(.offset, .integer(Int64(request.offset))) }
    if let after = request.after { try write(.after, .text(after.description)) }
    if let before = request.before { try write(.before, .text(before.description)) }
  }
}

extension Assignment: JSONCodable {
  /// The JSON form, such as `{"version": 1, "key": "attack", "expression": "attack + 1"}`, or with a `value`.
  ///
  /// - Throws: ``JSONCodingError`` for a value that can't be stored, and for an expression that is not valid.
  public var jsonValue: JSONValue {
    get throws(JSONCodingError) {
      try QueryJSONWriter.document { writer throws(JSONCodingError) in
        if let error { throw writer.error(.invalidValue, error.summary, suggestion: error.suggestion) }
        try writer.write(.key, .text(key))
        if let value {
          try writer.write(.value)
          try writer.write(value)
        } else {
          if let fault = expression.fault {
            throw writer.error(.invalidValue, fault.summary, suggestion: fault.suggestion)
          }
          try writer.write(.expression, .text(expression.description))
        }
      }
    }
  }

  /// Reads the JSON form of an assignment; the result equals the assignment that was written.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the form is wrong.
  public init(jsonValue: JSONValue) throws(JSONCodingError) {
    let reader = QueryJSONReader(jsonValue)
    var key: String?
    var assignment: ((String) -> Assignment)?
    for field in try reader.document(known: [.key, .value, .expression]) {
      switch field.name {
      case .key: key = try reader.text(at: field.value)
      case _ where assignment != nil:
        throw reader.error(
          .unexpectedField, "an assignment has a value or an expression, not both", at: field.value,
          suggestion: "remove the value or the expression")
      case .value:
        let value = try reader.value(at: field.value)
        assignment = { Assignment($0, value) }
      default:
        let expression = try reader.parsed(at: field.value) { text throws(ParseError) in
          try AnyExpression(parsing: text)
        }
        assignment = { Assignment($0, expression) }
      }
    }
    guard let key else {
      throw reader.missing(.key, of: "the document", at: jsonValue.tokens.startIndex)
    }
    guard let assignment else {
      throw reader.missing(
        .value, of: "the document", at: jsonValue.tokens.startIndex, suggestion: #"write "value": null for null"#)
    }
    self = assignment(key)
  }
}

extension QueryJSONReader {
  fileprivate func cursor(at index: Int) throws(JSONCodingError) -> Cursor {
    let text = try text(at: index, "the text of a cursor")
    do throws(QueryError) {
      return try Cursor(parsing: text)
    } catch {
      throw self.error(.invalidValue, error.summary, at: index, suggestion: error.suggestion)
    }
  }
}

extension Value: Codable {
  /// Reads a value in its form within a query: `null`, a number, a text, `{"real": 5}` or `{"blob": "AQI="}`.
  ///
  /// - Throws: `DecodingError`, whose `underlyingError` is a ``JSONCodingError`` where the form is wrong.
  public init(from decoder: any Decoder) throws {
    self = try decoder.read { form throws(JSONCodingError) in
      try QueryJSONReader(form).value(at: form.tokens.startIndex)
    }
  }

  /// Writes the value in its form within a query. A whole real, such as 5.0, remains a real: it is tagged.
  ///
  /// - Throws: `EncodingError` for a NaN.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(self) { value throws(JSONCodingError) in
      var writer = QueryJSONWriter()
      try writer.write(value)
      return JSONValue(tokens: writer.tokens[...])
    }
  }
}
