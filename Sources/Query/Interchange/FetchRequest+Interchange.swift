extension FetchRequest: Interchangeable {
  /// The JSON form: the fields of a query's and of a sort's, and `limit`, `offset`, `after` and `before`.
  ///
  /// What goes without saying is left out, but for the query.
  ///
  /// - Throws: ``InterchangeError`` for a value that can't be stored, for more than
  ///   ``ResolvedQuery/maximumConditionCount`` conditions, and for a form that would fill any memory.
  public var jsonValue: JSONValue {
    get throws(InterchangeError) {
      try FormWriter.document { writer throws(InterchangeError) in
        try writer.write(.query)
        try writer.write(query)
        if !sort.terms.isEmpty { try writer.write(sort) }
        if let limit { try writer.write(.limit, .integer(Int64(limit))) }
        if offset != 0 { try writer.write(.offset, .integer(Int64(offset))) }
        if let after { try writer.write(.after, .text(after.description)) }
        if let before { try writer.write(.before, .text(before.description)) }
      }
    }
  }

  /// Reads the JSON form of a request, as an equal one; so the form of a query or of a sort is one of a request, too.
  ///
  /// - Throws: ``InterchangeError``, which says where the form goes wrong. A negative limit or offset is an error when the
  ///   request is carried out.
  public init(jsonValue: JSONValue) throws(InterchangeError) {
    self.init()
    let reader = FormReader(jsonValue)
    for field in try reader.document(known: [.query, .sort, .limit, .offset, .after, .before]) {
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
}

extension FormReader {
  fileprivate func cursor(at index: Int) throws(InterchangeError) -> Cursor {
    let text = try text(at: index, "the text of a cursor")
    do throws(QueryError) {
      return try Cursor(parsing: text)
    } catch {
      throw self.error(.invalidValue, error.summary, at: index, suggestion: error.suggestion)
    }
  }
}
