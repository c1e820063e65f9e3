import ErrorDetails

extension AggregateRequest: JSONCodable {
  /// The JSON form: the fields of a query's form, and `aggregates`, `groups`, `having`, `sort` and `limit`.
  ///
  /// Default values are left out, except for the aggregates.
  ///
  /// - Throws: ``JSONCodingError`` as the JSON form of a query does.
  public var jsonValue: JSONValue {
    get throws(JSONCodingError) {
      try QueryJSONWriter.document { writer throws(JSONCodingError) in
        try writer.write(.aggregates, aggregates) { writer, aggregate throws(JSONCodingError) in
          try writer.beginObject()
          try writer.write(aggregate)
          writer.end()
        }
        if query != .true {
          try writer.write(.query)
          try writer.write(query)
        }
        if !groupKeys.isEmpty {
          try writer.write(.groups, groupKeys) { writer, key throws(JSONCodingError) in try writer.write(key) }
        }
        if having != .true {
          try writer.write(.having)
          try writer.write(having)
        }
        if let (aggregate, direction) = order.term {
          try writer.write(.sort)
          try writer.beginObject()
          try writer.write(aggregate)
          if direction == .descending { try writer.write(.direction, .text("descending")) }
          writer.end()
        }
        if let limit { try writer.write(.limit, .integer(Int64(limit))) }
      }
    }
  }

  /// Reads the JSON form of a request for aggregates; the result equals the request that was written.
  ///
  /// - Throws: ``JSONCodingError``, which says where the form goes wrong.
  public init(jsonValue: JSONValue) throws(JSONCodingError) {
    self.init([], groupedBy: [AnyExpression]())
    let reader = QueryJSONReader(jsonValue)
    for field in try reader.document(known: [.aggregates, .query, .groups, .having, .sort, .limit]) {
      switch field.name {
      case .aggregates:
        aggregates = try reader.list(at: field.value, of: "aggregates") { index throws(JSONCodingError) in
          try reader.aggregate(
            try reader.fields(at: index, of: "an aggregate", known: QueryJSONReader.aggregate), at: index)
        }
      case .query: query = try reader.query(at: field.value)
      case .groups:
        groupKeys = try reader.list(at: field.value, of: "keys") { index throws(JSONCodingError) in
          try reader.key(at: index)
        }
      case .having: having = try reader.having(at: field.value)
      case .sort: order = try reader.order(at: field.value)
      default: limit = try reader.integer(at: field.value)
      }
    }
  }
}

extension AggregateOrder {
  fileprivate var term: (AnyAggregate, SortTerm.Direction)? {
    switch self {
    case .group: nil
    case .ascending(let aggregate): (aggregate, .ascending)
    case .descending(let aggregate): (aggregate, .descending)
    }
  }
}

extension QueryJSONWriter {
  /// Writes the fields of an aggregate.
  fileprivate mutating func write(_ aggregate: AnyAggregate) throws(JSONCodingError) {
    try write(.aggregate, .text(aggregate.function.rawValue))
    if let key = aggregate.key {
      try write(.key)
      try write(key)
    }
    if aggregate.query != .true {
      try write(.query)
      try write(aggregate.query)
    }
  }
}

extension QueryJSONReader {
  fileprivate static let aggregate: [QueryJSONField] = [.aggregate, .key, .query]

  /// Reads an array.
  ///
  /// - Parameter what: the noun for the array's members, for the error.
  func list<Member>(
    at index: Int, of what: String, _ member: (Int) throws(JSONCodingError) -> Member
  ) throws(JSONCodingError) -> [Member] {
    guard case .array = tokens[index] else { throw mismatch(at: index, expected: "a list of \(what)") }
    var members: [Member] = []
    var place = index + 1
    while place < end(of: index) {
      members.append(try member(place))
      place = end(of: place)
    }
    return members
  }

  fileprivate func aggregate(_ fields: [Field], at index: Int) throws(JSONCodingError) -> AnyAggregate {
    var function: AnyAggregate.Function?
    var (key, query) = (AnyExpression?.none, AnyQuery.true)
    for field in fields {
      switch field.name {
      case .aggregate:
        let name = try text(at: field.value, "the name of an aggregate")
        guard let known = AnyAggregate.Function(rawValue: name) else {
          let names = AnyAggregate.Function.allCases.map(\.rawValue)
          throw error(
            .invalidValue, "unknown aggregate \(VisibleText.excerpt(of: Array(name.utf8)[...]))", at: field.value,
            suggestion: NearestName.nearest(to: name, in: names).map { "did you mean \($0)?" }
              ?? "the aggregates are \(names.joined(separator: ", "))")
        }
        function = known
      case .key: key = try self.key(at: field.value)
      case .query: query = try self.query(at: field.value)
      default: break
      }
    }
    guard let function else { throw missing(.aggregate, of: "the aggregate", at: index) }
    if key == nil, function != .count { throw missing(.key, of: "the aggregate", at: index) }
    return AnyAggregate(function, of: key, where: query)
  }

  fileprivate func order(at index: Int) throws(JSONCodingError) -> AggregateOrder {
    let fields = try fields(at: index, of: "an order of groups", known: Self.aggregate + [.direction])
    let aggregate = try aggregate(fields, at: index)
    guard let direction = fields.first(where: { $0.name == .direction }) else { return .ascending(aggregate) }
    return try self.direction(at: direction.value) == .descending ? .descending(aggregate) : .ascending(aggregate)
  }
}
