import ErrorDetails
import Query
import Repository

/// The notes on a path into JSON, whose values show only in the rows: that a column holds none, or that no row has such a
/// field.
struct JSONPathNotes {
  private let path: JSONPath
  /// The values of the first rows, null left out.
  private let values: [Value]
  /// Whether these are all values of the column.
  private let areAll: Bool

  /// The numbers of rows and bytes that are read.
  private static let (maximumRowCount, maximumByteCount) = (1_000, 4_000_000)

  /// The number of fields that are compared with a missing one.
  private static let maximumNameCount = 200

  /// Reads the first rows; `nil` if they can't be read, since notes are no reason for a query to fail.
  init?(_ path: JSONPath, _ tables: OtherTables) {
    self.path = path
    var (rowCount, byteCount, values, areAll) = (0, 0, [Value](), true)
    do throws(RepositoryError) {
      try tables.forEachValue(of: path.column, in: path.table) { value in
        rowCount += 1
        if case .text(let text) = value { byteCount += text.utf8.count }
        if rowCount > Self.maximumRowCount || byteCount > Self.maximumByteCount {
          areAll = false
          return false
        }
        if !value.isNull { values.append(value) }
        return true
      }
    } catch {
      return nil
    }
    (self.values, self.areAll) = (values, areAll)
  }

  private var name: String { path.table.columns[path.column].name }

  private var refusal: Failure? {
    let mayLead = values.contains { JSONPointer.isContainer($0) || $0 == "null" }
    if !areAll || values.isEmpty || mayLead { return nil }
    return Failure(
      .missingReference(
        of: name, in: path.table, reason: "and no value of the column is a JSON object or array"),
      caret: path.caret)
  }

  /// The notes on the path.
  ///
  /// - Throws: ``Failure`` for a column none of whose values is JSON with fields: the path was to lead to another table.
  func checked() throws(Failure) -> [String] {
    if let refusal { throw refusal }
    let others = values.filter { !JSONPointer.isJSON($0) && $0 != "null" }
    let rows = values.count == 1 ? "the value" : "the first \(values.count) values"
    let invalid = others.first.map { value in
      "note: \(others.count) of \(rows) of \(name) \(others.count == 1 ? "is" : "are") not JSON, such as "
        + "\(VisibleText.excerpt(of: Array(value.description.utf8)[...])): a path into such a value gives null"
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
    var (names, seen) = ([String](), Set<Name>())
    for value in values where names.count < Self.maximumNameCount {
      for name in parent.names(in: value) where seen.insert(Name(name)).inserted { names.append(name) }
    }
    if names.contains(named: path.steps[known]) { return nil }
    let shown = AnyExpression(.path([name] + path.steps[...known])).description
    let nearest = NearestName.nearest(to: path.steps[known], in: names).map { step in
      "; did you mean \(AnyExpression(.path([name] + path.steps[..<known] + [step])))?"
    }
    let list = names.isEmpty ? "" : "; the fields are \(names.prefix(10).joined(separator: ", "))"
    return "hint: none of \(rows) of \(name) has \(shown)\(nearest ?? list)"
  }
}
