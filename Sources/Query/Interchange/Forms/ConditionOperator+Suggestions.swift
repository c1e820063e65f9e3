extension ConditionOperator {
  /// What to write instead of an operator that is not known.
  static func suggestion(for name: String) -> String {
    let names = allCases.map(\.rawValue)
    guard (1...64).contains(name.utf8.count) else { return list(names) }
    // "startsWith", "starts_with" and "STARTS-WITH" are one name here.
    let letters = name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" && $0 != "$" }
    if let suggestion = habits[letters] { return suggestion }
    if let same = synonyms[letters] ?? names.first(where: { $0.filter { $0 != " " } == letters }) {
      return "write \"\(same)\""
    }
    if letters.hasPrefix("not"), letters != "not" { return #"put the condition into {"not": …}"# }
    return NearestName.nearest(to: name, in: names).map { "did you mean \"\($0)\"?" } ?? list(names)
  }

  private static func list(_ names: [String]) -> String { "the operators are \(names.joined(separator: ", "))" }

  private static let habits = [
    "isnull": #"write "op": "=" and "value": null"#, "isnotnull": #"write "op": "!=" and "value": null"#,
    "notnull": #"write "op": "!=" and "value": null"#, "exists": #"write "op": "!=" and "value": null"#,
    "ilike": #"write "op": "like" and "ignoring": "case""#, "nin": #"put the condition into {"not": …}"#,
    "and": #"write {"and": […]}"#, "or": #"write {"or": […]}"#, "not": #"write {"not": …}"#,
    "&&": #"write {"and": […]}"#, "||": #"write {"or": […]}"#, "!": #"write {"not": …}"#,
  ]

  private static let synonyms = [
    "==": "=", "===": "=", "eq": "=", "equal": "=", "equals": "=", "is": "=",
    "<>": "!=", "!==": "!=", "≠": "!=", "ne": "!=", "neq": "!=", "notequal": "!=",
    "lt": "<", "le": "<=", "lte": "<=", "=<": "<=", "≤": "<=",
    "gt": ">", "ge": ">=", "gte": ">=", "=>": ">=", "≥": ">=",
    "lessthan": "<", "lessthanorequal": "<=", "greaterthan": ">", "greaterthanorequal": ">=",
    "beginswith": "starts with", "hasprefix": "starts with", "prefix": "starts with",
    "hassuffix": "ends with", "suffix": "ends with", "oneof": "in", "matches": "like",
  ]
}
