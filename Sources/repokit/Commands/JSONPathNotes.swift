import Query
import Repository

/// What is worth telling of a path into JSON, whose values show only in the rows: that a column holds none, or that no row has
/// such a field.
struct JSONPathNotes {
  private let path: JSONPath
  /// The values of the column that were looked at, null left out.
  private var values: [Value] = []

  /// The number of rows that are looked at.
  private static let maximumRowCount = 1_000

  init(_ path: JSONPath, _ tables: OtherTables) throws(RepositoryError) {
    self.path = path
    var (count, values) = (0, [Value]())
    try tables.forEachValue(of: path.column, in: path.table) { value in
      count += 1
      if !value.isNull { values.append(value) }
      return count < Self.maximumRowCount
    }
    self.values = values
  }

  private var name: String { path.table.columns[path.column].name }

  /// The error for a column whose values are no JSON: the path was to lead to another table.
  var refusal: Failure? {
    if values.isEmpty || values.contains(where: JSONPointer.isContainer) { return nil }
    let referring = path.table.columns.map(\.name).filter { path.table.table(behind: $0) != nil }
    return Failure(
      QueryError(
        .unknownRelation, "\(name) of \(path.table.name) refers to no other table",
        reason: "nor are its values objects or arrays in JSON, into which a path leads",
        suggestion: referring.isEmpty
          ? nil : "columns of \(path.table.name) that do: \(referring.joined(separator: ", "))"), caret: path.caret)
  }

  /// The notes on an answer.
  var notes: [String] {
    let others = values.filter { !JSONPointer.isJSON($0) && $0 != "null" }
    let rows = values.count == 1 ? "the value" : "the first \(values.count) values"
    let invalid = others.first.map { value in
      "note: \(others.count) of \(rows) of \(name) \(others.count == 1 ? "is" : "are") no JSON, such as "
        + "\(VisibleText.excerpt(of: Array(value.description.utf8)[...])): a path leads to null there"
    }
    return [invalid, missing(rows)].compactMap(\.self)
  }

  /// The hint for a path that leads nowhere in any of the values.
  private func missing(_ rows: String) -> String? {
    if values.isEmpty { return nil }
    let known = path.steps.indices.first { last in
      let pointer = JSONPointer(Array(path.steps[...last]))
      // A field that is null everywhere is there.
      return !values.contains { !pointer.value(in: $0).isNull }
    }
    guard let known else { return nil }
    let parent = JSONPointer(Array(path.steps[..<known]))
    var names: [String] = []
    for value in values {
      for name in parent.names(in: value) where !names.contains(named: name) { names.append(name) }
    }
    if names.contains(named: path.steps[known]) { return nil }
    let shown = AnyExpression(.path([name] + path.steps[...known])).description
    let nearest = NearestName.nearest(to: path.steps[known], in: names).map { step in
      "; did you mean \(AnyExpression(.path([name] + path.steps[..<known] + [step])))?"
    }
    let list = names.isEmpty ? "" : "; what is there: \(names.prefix(10).joined(separator: ", "))"
    return "hint: none of \(rows) of \(name) has \(shown)\(nearest ?? list)"
  }
}
