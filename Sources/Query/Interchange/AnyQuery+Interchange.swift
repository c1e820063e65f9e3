extension AnyQuery: Interchangeable {
  /// The JSON form, such as `{"version": 1, "query": {"key": "weight", "op": ">", "value": 90}}`.
  ///
  /// - Throws: ``InterchangeError`` for a value that can't be stored, for more than
  ///   ``ResolvedQuery/maximumConditionCount`` conditions, and for a form that would fill any memory.
  public var jsonValue: JSONValue {
    get throws(InterchangeError) {
      try FormWriter.document { writer throws(InterchangeError) in
        try writer.write(.query)
        try writer.write(self)
      }
    }
  }

  /// Reads the JSON form of a query, as an equal one.
  ///
  /// - Throws: ``InterchangeError``, which says where the form goes wrong.
  public init(jsonValue: JSONValue) throws(InterchangeError) {
    let reader = FormReader(jsonValue)
    guard let field = try reader.document(known: [.query]).first else {
      throw reader.missing(
        .query, of: "the document", at: jsonValue.tokens.startIndex, suggestion: #"write "query": true for all rows"#)
    }
    self = try reader.query(at: field.value)
  }
}
