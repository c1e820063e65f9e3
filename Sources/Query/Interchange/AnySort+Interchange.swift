extension AnySort: Interchangeable {
  /// The JSON form, such as `{"version": 1, "sort": [{"key": "weight", "direction": "descending"}]}`.
  ///
  /// - Throws: ``InterchangeError`` for a form that would fill any memory.
  public var jsonValue: JSONValue {
    get throws(InterchangeError) {
      try FormWriter.document { writer throws(InterchangeError) in try writer.write(self) }
    }
  }

  /// Reads the JSON form of a sort, as an equal one.
  ///
  /// - Throws: ``InterchangeError``, which says where the form goes wrong.
  public init(jsonValue: JSONValue) throws(InterchangeError) {
    let reader = FormReader(jsonValue)
    guard let field = try reader.document(known: [.sort]).first else {
      throw reader.missing(
        .sort, of: "the document", at: jsonValue.tokens.startIndex,
        suggestion: #"write "sort": [] for the order of the primary key"#)
    }
    self = try reader.sort(at: field.value)
  }
}

extension FormWriter {
  /// Writes the field that holds a sort; what goes without saying is left out.
  mutating func write(_ sort: AnySort) throws(InterchangeError) {
    try write(.sort)
    try beginArray()
    for term in sort.terms {
      try beginObject()
      try write(.key, .text(term.key))
      if term.direction == .descending { try write(.direction, .text("descending")) }
      if term.nulls != term.direction.defaultNulls {
        try write(.nulls, .text(term.nulls == .first ? "first" : "last"))
      }
      end()
    }
    end()
  }
}
