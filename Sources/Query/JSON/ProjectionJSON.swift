extension ProjectionRequest: JSONCodable {
  /// The JSON form: the fields of a request's form, and `columns`, `distinct` and `first`.
  ///
  /// Default values are left out, except for the columns.
  ///
  /// - Throws: ``JSONCodingError`` as the JSON form of a request does.
  public var jsonValue: JSONValue {
    get throws(JSONCodingError) {
      try QueryJSONWriter.document { writer throws(JSONCodingError) in
        try writer.write(.columns, columns) { writer, column throws(JSONCodingError) in try writer.write(column) }
        if rows.query != .true {
          try writer.write(.query)
          try writer.write(rows.query)
        }
        try writer.write(partOf: rows)
        if isDistinct { try writer.write(.distinct, .boolean(true)) }
        guard let groupLimit else { return }
        try writer.write(.first)
        try writer.beginObject()
        try writer.write(.limit, .integer(Int64(groupLimit.count)))
        try writer.write(.groups, groupLimit.keys) { writer, key throws(JSONCodingError) in try writer.write(key) }
        if !groupLimit.order.terms.isEmpty { try writer.write(groupLimit.order) }
        writer.end()
      }
    }
  }

  /// Reads the JSON form of a projection; the result equals the projection that was written.
  ///
  /// - Throws: ``JSONCodingError``, which reports where the form is wrong.
  public init(jsonValue: JSONValue) throws(JSONCodingError) {
    self.init([])
    let reader = QueryJSONReader(jsonValue)
    for field in try reader.document(known: FetchRequest.fields + [.columns, .distinct, .first]) {
      switch field.name {
      case .columns:
        columns = try reader.list(at: field.value, of: "columns") { index throws(JSONCodingError) in
          try reader.column(at: index)
        }
      case .distinct: isDistinct = try reader.boolean(at: field.value)
      case .first: groupLimit = try reader.groupLimit(at: field.value)
      default: try rows.read(field, with: reader)
      }
    }
  }
}

extension QueryJSONWriter {
  /// Writes a column: only its key or expression, or an object with its name.
  fileprivate mutating func write(_ column: ProjectedColumn) throws(JSONCodingError) {
    if column == ProjectedColumn(column.expression) { return try write(column.expression) }
    try beginObject()
    try write(.name, .text(column.name))
    try write(.key)
    try write(column.expression)
    end()
  }
}

extension QueryJSONReader {
  fileprivate func column(at index: Int) throws(JSONCodingError) -> ProjectedColumn {
    guard case .object = tokens[index] else { return .key(try text(at: index, "a column")) }
    let fields = try fields(at: index, of: "a column", known: [.name, .key, .expression])
    if fields.count == 1, fields[0].name == .expression { return ProjectedColumn(try key(at: index)) }
    guard let key = fields.first(where: { $0.name == .key }) else {
      throw missing(.key, of: "the column", at: index)
    }
    let name = try fields.first { $0.name == .name }.map { field throws(JSONCodingError) in
      try text(at: field.value, "a name")
    }
    return ProjectedColumn(try self.key(at: key.value), as: name)
  }

  fileprivate func boolean(at index: Int) throws(JSONCodingError) -> Bool {
    guard case .boolean(let boolean) = tokens[index] else { throw mismatch(at: index, expected: "true or false") }
    return boolean
  }

  fileprivate func groupLimit(at index: Int) throws(JSONCodingError) -> GroupLimit {
    var limit = GroupLimit(0, of: [AnyExpression]())
    let fields = try fields(at: index, of: "a limit of groups", known: [.limit, .groups, .sort])
    guard fields.contains(where: { $0.name == .limit }) else { throw missing(.limit, of: "first", at: index) }
    for field in fields {
      switch field.name {
      case .limit: limit.count = try integer(at: field.value)
      case .groups:
        limit.keys = try list(at: field.value, of: "keys") { index throws(JSONCodingError) in try key(at: index) }
      default: limit.order = try sort(at: field.value)
      }
    }
    return limit
  }
}
