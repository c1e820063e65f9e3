import Query
import Repository

extension RepositoryService {
  func description() throws(Refusal) -> WebResponse {
    WebResponse(200, headers: ["Content-Type": MediaType.json], body: WebBody(Array(openAPI().utf8)))
  }

  /// Returns the description of the service, the answer to `GET /openapi.json`: a document of OpenAPI 3.1.
  ///
  /// - Parameters:
  ///   - title: the name of the service.
  ///   - version: the version of the service.
  public func openAPI(title: String = "Repositories", version: String = "1") -> String {
    var paths: [String: JSONValue] = [:]
    var schemas = OpenAPIForms.schemas
    schemas["Problem"] = Self.problem
    for (name, route) in routes {
      schemas[name] = route.rowSchema
      schemas["\(name).body"] = route.bodySchema
      for resource in [RouteResource.collection, .element([])] + Verb.allCases.map(RouteResource.verb) {
        let operations = route.operations(of: resource)
        if !operations.isEmpty { paths[route.path(of: resource)] = JSONValue(.object(operations)) }
      }
    }
    return JSONValue(
      .object([
        "openapi": "3.1.0", "info": ["title": JSONValue(.text(title)), "version": JSONValue(.text(version))],
        "paths": JSONValue(.object(paths)), "components": ["schemas": JSONValue(.object(schemas))],
      ])
    ).description
  }

  private static let problem: JSONValue = [
    "type": "object", "required": ["title", "status", "detail", "code"],
    "properties": [
      "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
      "detail": ["type": "string"], "code": ["type": "string"], "reason": ["type": "string"],
      "suggestion": ["type": "string"], "cause": ["type": "string"],
    ],
  ]
}

extension RouteHandler {
  fileprivate func path(of resource: RouteResource) -> String {
    let name = WebTarget.text(path: [name])
    return switch resource {
    case .collection: name
    case .element: name + table.primaryKey.indices.map { "/{key\($0 + 1)}" }.joined()
    case .verb(let verb): "\(name):\(verb.rawValue)"
    }
  }

  /// Returns the operations of an address, by their methods.
  fileprivate func operations(of resource: RouteResource) -> [String: JSONValue] {
    let isAllowed: Bool =
      switch resource {
      case .verb(.aggregate): capabilities.contains(.aggregates)
      case .verb(.project): capabilities.contains(.projections)
      case .verb(.liveResults): capabilities.contains(.liveResults)
      case .element: !table.primaryKey.isEmpty
      default: true
      }
    if !isAllowed { return [:] }
    var operations: [String: JSONValue] = [:]
    for method in resource.methods(of: self) {
      operations[method.lowercased()] = operation(method, resource)
    }
    return operations
  }

  private func operation(_ method: String, _ resource: RouteResource) -> JSONValue {
    var fields: [String: JSONValue] = [
      "operationId": JSONValue(.text("\(method.lowercased()) \(path(of: resource))")),
      "summary": JSONValue(.text(summary(method, resource))),
      "responses": JSONValue(.object(responses(method, resource))),
    ]
    var parameters: [JSONValue] = []
    switch resource {
    case .element:
      for (position, column) in table.primaryKeyColumns.enumerated() {
        parameters.append([
          "name": JSONValue(.text("key\(position + 1)")), "in": "path", "required": true,
          "description": JSONValue(.text(column.name)),
          "schema": ["type": column.type == .integer ? "integer" : column.type == .real ? "number" : "string"],
        ])
      }
      if ["PUT", "PATCH", "DELETE"].contains(method) { parameters.append(Self.header("If-Match")) }
      if method == "GET" || method == "HEAD" {
        parameters += [Self.header("If-None-Match"), Self.item("columns", "string")]
      }
    case .collection, .verb(.count), .verb(.liveResults):
      if method == "GET" || method == "HEAD" {
        let isCount = if case .verb(.count) = resource { true } else { false }
        parameters += [Self.item("where", "string")]
        if !isCount {
          parameters += [
            Self.item("sort", "string"), Self.item("limit", "integer"), Self.item("offset", "integer"),
            Self.item("after", "string"), Self.item("before", "string"),
          ]
        }
        if case .collection = resource { parameters.append(Self.item("columns", "string")) }
      } else if case .collection = resource, method == "POST" {
        parameters += [Self.item("conflict", "string"), Self.header("Prefer")]
      }
      if case .verb(.liveResults) = resource { parameters.append(Self.header("Last-Event-ID")) }
    case .verb(.find): parameters.append(Self.item("columns", "string"))
    default: break
    }
    if resource.writes(by: method)?.isEmpty == false {
      parameters.append(Self.header(HeaderName.idempotencyKey))
    }
    if !parameters.isEmpty { fields["parameters"] = JSONValue(.array(parameters)) }
    if let body = body(method, resource) { fields["requestBody"] = ["required": true, "content": body] }
    return JSONValue(.object(fields))
  }

  private func summary(_ method: String, _ resource: RouteResource) -> String {
    switch (resource, method) {
    case (.collection, "POST"): "Inserts elements"
    case (.collection, "PUT"): "Saves elements"
    case (.collection, _): "Finds elements"
    case (.element, "PUT"): "Saves an element"
    case (.element, "PATCH"): "Sets columns of an element"
    case (.element, "DELETE"): "Deletes an element"
    case (.element, _): "Finds an element"
    case (.verb(let verb), _):
      switch verb {
      case .find: "Finds elements by a query in JSON"
      case .count: "Counts elements"
      case .aggregate: "Computes aggregates"
      case .project: "Finds some columns, and computed values"
      case .liveResults: "Observes elements, by server-sent events"
      case .update: "Sets columns of the elements that match a query"
      case .delete: "Deletes the elements that match a query, or that have given keys"
      }
    }
  }

  private func body(_ method: String, _ resource: RouteResource) -> JSONValue? {
    let row = Self.reference("\(name).body")
    let partial: JSONValue = ["schema": ["type": "object"]]
    switch (resource, method) {
    case (_, "GET"), (_, "HEAD"), (_, "DELETE"): return nil
    case (.collection, _):
      return [
        "application/json": ["schema": ["oneOf": [row, ["type": "array", "items": row]]]],
        "application/x-ndjson": ["schema": ["type": "string"]],
      ]
    case (.element, "PATCH"): return ["application/merge-patch+json": partial, "application/json": partial]
    case (.element, _): return ["application/json": ["schema": row]]
    case (.verb(let verb), _): return ["application/json": ["schema": Self.reference(OpenAPIForms.name(of: verb))]]
    }
  }

  private func responses(_ method: String, _ resource: RouteResource) -> [String: JSONValue] {
    let rows: JSONValue = ["schema": ["type": "array", "items": Self.reference(name)]]
    let number: JSONValue = ["application/json": ["schema": ["type": "integer"]]]
    let text: JSONValue = ["schema": ["type": "string"]]
    let row: JSONValue = ["application/json": ["schema": Self.reference(name)]]
    var responses: [String: JSONValue] = [
      "default": [
        "description": "A problem (RFC 9457)",
        "content": ["application/problem+json": ["schema": Self.reference("Problem")]],
      ]
    ]
    func answer(_ status: String, _ description: String, _ content: JSONValue? = nil) {
      var fields: [String: JSONValue] = ["description": JSONValue(.text(description))]
      if let content, method != "HEAD" { fields["content"] = content }
      responses[status] = JSONValue(.object(fields))
    }
    switch (resource, method) {
    case (.collection, "POST"):
      answer("201", "Inserted", ["application/json": ["schema": Self.reference(name)], "application/x-ndjson": text])
    case (.collection, "PUT"): answer("200", "The number of elements", number)
    case (.collection, _), (.verb(.find), _):
      answer("200", "Elements", ["application/json": rows, "application/x-ndjson": text])
    case (.element, "DELETE"): answer("204", "Deleted")
    case (.element, _): answer("200", "The element", row)
    case (.verb(.count), _): answer("200", "The number of elements", number)
    case (.verb(.aggregate), _), (.verb(.project), _):
      answer("200", "A list of values in each line", ["application/x-ndjson": text])
    case (.verb(.liveResults), _): answer("200", "Results", ["text/event-stream": text])
    case (.verb(.update), _), (.verb(.delete), _):
      answer(
        "200", "The number of elements, or these",
        ["application/json": number["application/json"], "application/x-ndjson": text])
    }
    switch resource {
    case .verb(.liveResults): break
    default: if method == "GET" || method == "HEAD" { answer("304", "The client's version") }
    }
    return responses
  }

  private static func reference(_ name: String) -> JSONValue {
    ["$ref": JSONValue(.text("#/components/schemas/\(name)"))]
  }

  private static func item(_ name: String, _ type: String) -> JSONValue {
    ["name": JSONValue(.text(name)), "in": "query", "schema": ["type": JSONValue(.text(type))]]
  }

  private static func header(_ name: String) -> JSONValue {
    ["name": JSONValue(.text(name)), "in": "header", "schema": ["type": "string"]]
  }

  /// The schema of a row as clients see it.
  fileprivate var rowSchema: JSONValue {
    Self.object(visible.columns, required: visible.columns.map(\.name), readOnly: readOnlyNames)
  }

  /// The schema of a row as clients write it.
  fileprivate var bodySchema: JSONValue {
    Self.object(
      visible.columns,
      required: bodyFormat.columns.filter { !$0.isNullable && !$0.isGenerated && $0.defaultValue == nil }.map(\.name),
      readOnly: readOnlyNames)
  }

  /// The names of the visible columns that clients don't write; a service ignores them in an element.
  private var readOnlyNames: [String] {
    visible.columns.map(\.name).filter { !bodyFormat.columns.contains(named: $0) }
  }

  private static func object(
    _ columns: [ColumnSchema], required: [String], readOnly: [String]
  ) -> JSONValue {
    var properties: [String: JSONValue] = [:]
    for column in columns {
      properties[column.name] = schema(of: column, isReadOnly: readOnly.contains { Name($0) == column.name })
    }
    return [
      "type": "object", "required": JSONValue(.array(required.map { JSONValue(.text($0)) })),
      "properties": JSONValue(.object(properties)), "additionalProperties": false,
    ]
  }

  private static func schema(of column: ColumnSchema, isReadOnly: Bool) -> JSONValue {
    // Values without a JSON form are tagged with their kind, see `RowFormat`.
    var types: [JSONValue]
    var fields: [String: JSONValue] = [:]
    switch column.declaredType == nil ? column.type : .any {
    case .integer: types = ["integer"]
    case .real: types = ["number", "object"]
    case .text: types = ["string"]
    case .blob:
      types = ["string"]
      fields["contentEncoding"] = "base64"
    case .any: types = ["number", "string", "object"]
    }
    if column.isNullable || column.isGenerated { types.append("null") }
    fields["type"] = types.count == 1 ? types[0] : JSONValue(.array(types))
    if isReadOnly { fields["readOnly"] = true }
    if column.format == .date { fields["description"] = "a date, such as 2026-11-20T23:11:00.500000000Z" }
    return JSONValue(.object(fields))
  }
}

extension JSONValue {
  fileprivate subscript(_ name: String) -> JSONValue {
    if case .object(let fields) = form { fields[name] ?? nil } else { nil }
  }
}
