package import Query
import Repository
import SQL

/// The forms of the values of a column of UUIDs or dates.
package struct ColumnForms {
  /// The number of values in the canonical form of the format.
  package private(set) var canonicalCount = 0
  /// The numbers of values in other forms.
  package private(set) var counts: [NonCanonicalForm: Int] = [:]
  /// The number of values that denote none of the format in any form, except for nulls.
  package private(set) var unknownCount = 0
  /// The first rows with such values.
  private var unknownRows: [String] = []
  package let format: ValueFormat

  package init(of format: ValueFormat) {
    self.format = format
  }

  /// Adds a value.
  ///
  /// - Parameter row: the name of its row, without any value but numbers; `nil` if it has none.
  package mutating func add(_ value: Value, in row: @autoclosure () -> String?) {
    if value.isNull { return }
    if case .text(let text) = value, format.isCanonical(text) {
      canonicalCount += 1
    } else if let form = format.otherForm(of: value) {
      counts[form, default: 0] += 1
    } else {
      unknownCount += 1
      if unknownRows.count < 3, let row = row() { unknownRows.append(row) }
    }
  }

  private var recognizedCount: Int {
    counts.reduce(canonicalCount) { $0 + ($1.key.isUnambiguous ? $1.value : 0) }
  }

  /// Whether the column holds values of the format, but for a fifth of them or less.
  package var areFitting: Bool { unknownCount == 0 || unknownCount * 4 <= recognizedCount }

  /// Whether the values so far are so different that the others need not be looked at.
  package var areHopeless: Bool { unknownCount > 20 + 4 * recognizedCount }

  /// The rows of the values that denote none of the format: `in row 7`.
  package var unknownPlace: String {
    if unknownCount == 1 { return "in \(unknownRows.first ?? "a row")" }
    return "in \(unknownCount) rows" + (unknownRows.isEmpty ? "" : ", such as \(unknownRows.joined(separator: ", "))")
  }

  /// Returns the name of a row by its key if that is a number, since it must not contain any other value.
  package static func name(ofRow key: [Value]) -> String? {
    if key.isEmpty || key.contains(where: { $0.kind != .number }) { return nil }
    return "row " + key.map(String.init(describing:)).joined(separator: ", ")
  }

  /// Whether the values have several forms, so that their order is not the order in time, or has no meaning.
  package var isMixed: Bool {
    // A day without a time sorts before the times of that day, and a finer fraction of a second in its place: neither
    // disturbs the order.
    let compared = forms.filter { $0 != .day && $0 != .fineDate }
    let hasText = canonicalCount > 0 || forms.contains { $0.isUnambiguous }
    return hasText && compared.count + (canonicalCount > 0 ? 1 : 0) > 1
  }

  /// Whether the values are recognizable as values of the format with near certainty.
  package var isUnambiguous: Bool { forms.contains { $0.isUnambiguous } }

  /// The other forms, in the order of their declaration.
  package var forms: [NonCanonicalForm] { NonCanonicalForm.allCases.filter { counts[$0] != nil } }
}

extension StoredSchema {
  /// The number of rows at either end of a table that are checked when it is opened.
  private static let sampleCount = 20

  /// Returns the columns of UUIDs and dates that hold the forms of other programs: such values can't be read, and no
  /// comparison finds them. If all rows are checked, it also returns the columns with values of no known form, whose rows can't
  /// be read.
  ///
  /// - Parameter isComplete: whether all rows are checked, rather than a few at either end of the table.
  static func nonCanonicalForms(
    of declared: TableSchema, storedAs stored: TableSchema, isComplete: Bool, on connection: Connection
  ) throws(RepositoryError) -> [SchemaDifference] {
    var columns: [(position: Int, column: ColumnSchema, forms: ColumnForms)] = []
    for (index, column) in declared.columns.enumerated() {
      guard let format = column.format, let position = stored.columns.firstIndex(named: column.name, near: index),
        // A type of the database for exact numbers has one form of each.
        stored.columns[position].nativeType?.holding(format).isNumeric != true
      else { continue }
      columns.append((position, column, ColumnForms(of: format)))
    }
    // Views are not checked: a view may take as long for one row as for all of them.
    if columns.isEmpty { return [] }
    if try !connection.catalog.isAlterable(declared.name) { return [] }
    func look(_ sort: AnySort, in order: ResultOrder, limit: Int?) throws(RepositoryError) {
      let names = columns.map { stored.columns[$0.position].name } + stored.primaryKeyColumns.map(\.name)
      let request = ProjectionRequest(names.map { .key($0) }, of: FetchRequest(sortedBy: sort, limit: limit))
      // Few values need the name of their row.
      let count = columns.count
      func name(of row: any Row) -> String? {
        ColumnForms.name(ofRow: stored.primaryKey.indices.compactMap { try? row.value(at: count + $0) })
      }
      try connection.query(connection.compiler.select(try stored.resolve(request), in: order)) { row in
        for index in columns.indices {
          guard let value = try? row.value(at: index) else { continue }
          columns[index].forms.add(value, in: name(of: row))
        }
      }
    }
    try look(.primaryKey, in: .any, limit: isComplete ? nil : sampleCount)
    if !isComplete, !stored.primaryKey.isEmpty {
      let backwards = stored.primaryKeyColumns.map { SortTerm(key: $0.name, direction: .descending, nulls: .last) }
      try look(AnySort(backwards), in: .sort, limit: sampleCount)
    }
    return columns.flatMap { position, column, forms in
      let present: ColumnSchema? = stored.columns[position]
      let unknown = SchemaDifference(
        .format, declared.name, expected: column, present: present,
        "column \(column.name) contains values other than \(forms.format.plural) \(forms.unknownPlace)",
        isTolerable: true)
      return (isComplete && forms.unknownCount > 0 ? [unknown] : [])
        + forms.forms.map { form in
          SchemaDifference(
            .format, declared.name, expected: column, present: present,
            "column \(column.name) contains \(form.phrase)"
              + (isComplete ? " in \((forms.counts[form] ?? 0).of("row"))" : "")
              + ", which no query for \(forms.format.plural) finds",
            // A column of the database's own type for the format, such as `uuid`, holds no other form.
            statements: present?.nativeType == nil
              ? [connection.driver.conversion(ofColumn: column.name, in: declared.name, from: form)].compactMap(\.self)
              : [])
        }
    }
  }
}
