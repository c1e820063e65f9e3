import SQLiteStore

/// A plan in words, a line for each step.
struct PlanText {
  let lines: [String]

  init(_ plan: QueryPlan) {
    lines = plan.steps.compactMap { step in
      Self.text(step).map { String(repeating: "  ", count: step.depth) + $0 }
    }
  }

  private static func text(_ step: QueryPlan.Step) -> String? {
    switch step.action {
    case .scan("json_each", .virtualTable), .search("json_each", .virtualTable, _): "reads the list of values"
    case .scan(let name, let path): "reads all rows of \(name)\(order(path))"
    case .search(let name, let path, let conditions): "looks up rows of \(name)\(access(path))\(suffix(conditions))"
    case .sort(.order): "sorts what it found in a temporary tree"
    case .sort(.restOfOrder): "sorts rows that agree in the first sort keys in a temporary tree"
    case .sort(.group): "groups what it found in a temporary tree"
    case .sort(.distinct): "leaves out what stands twice by a temporary tree"
    case .multipleIndexes: "looks up each side of an or by itself, and puts the rows together"
    case .other: isStructure(step.detail) ? nil : step.detail
    }
  }

  /// What only numbers the steps below it says nothing.
  private static func isStructure(_ detail: String) -> Bool {
    ["INDEX ", "LIST SUBQUERY "].contains { detail.hasPrefix($0) && detail.dropFirst($0.count).allSatisfy(\.isNumber) }
  }

  private static func order(_ path: AccessPath) -> String {
    switch path {
    case .rows, .primaryKey: ""
    case .index(let name, let isCovering):
      isCovering ? " from the index \(name) alone" : " in the order of the index \(name)"
    case .automaticIndex: " by an index that is made for this and forgotten"
    case .virtualTable: ", a virtual table"
    }
  }

  private static func access(_ path: AccessPath) -> String {
    switch path {
    case .rows: ""
    case .primaryKey: " by the primary key"
    case .index(let name, let isCovering): isCovering ? " in the index \(name) alone" : " by the index \(name)"
    case .automaticIndex: " by an index that is made for this and forgotten"
    case .virtualTable: " as the virtual table does"
    }
  }

  private static func suffix(_ conditions: String) -> String { conditions.isEmpty ? "" : " (\(conditions))" }
}
