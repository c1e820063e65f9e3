import Query

/// The bodies of requests that are named by a verb, as a description shows them: documents of the JSON forms of the module `Query`.
enum OpenAPIForms {
  /// The name of the schema of a verb's body.
  static func name(of verb: Verb) -> String {
    switch verb {
    case .find, .liveResults: "Request"
    case .count: "Condition"
    case .aggregate: "Aggregates"
    case .project: "Projection"
    case .update: "Update"
    case .delete: "Deletion"
    }
  }

  /// The schemas by their names.
  static let schemas: [String: JSONValue] = [
    "Condition": condition,
    "Request": form(request, requires: ["version"]),
    "Aggregates": form(
      [
        "version": version, "query": query, "aggregates": list, "groups": list, "having": query,
        "sort": ["type": "object"], "limit": count,
      ], requires: ["version", "aggregates"]),
    "Projection": form(
      request.merging(["columns": list, "distinct": ["type": "boolean"], "first": ["type": "object"]]) { $1 },
      requires: ["version", "columns"]),
    "Update": form(
      [
        "where": condition,
        "set": [
          "type": "array",
          "items": form(
            ["version": version, "key": text, "value": [:], "expression": text], requires: ["version", "key"]),
        ],
        "return": ["type": "boolean"],
      ], requires: ["where", "set"]),
    "Deletion": form(["where": condition, "keys": ["type": "array", "items": text], "return": ["type": "boolean"]]),
  ]

  private static let request: [String: JSONValue] = [
    "version": version, "query": query, "sort": list, "limit": count, "offset": count, "after": text, "before": text,
  ]
  private static let condition = form(["version": version, "query": query], requires: ["version"])
  private static let version: JSONValue = ["const": 1]
  private static let query: JSONValue = ["type": ["object", "boolean"]]
  private static let list: JSONValue = ["type": "array"]
  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  private static let text: JSONValue = ["type": "string"]

  private static func form(_ fields: [String: JSONValue], requires required: [String] = []) -> JSONValue {
    [
      "type": "object", "required": JSONValue(.array(required.map { JSONValue(.text($0)) })),
      "properties": JSONValue(.object(fields)), "additionalProperties": false,
    ]
  }
}
