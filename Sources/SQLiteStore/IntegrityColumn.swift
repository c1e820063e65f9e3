import Query
import Repository
import SQL
import SQLStore

/// A column whose values are examined for ``IntegrityReport``: texts that are not UTF-8, and the forms of UUIDs and dates.
struct IntegrityColumn {
  let name: String
  /// Whether the table guarantees the types of its columns, as the library's own do.
  private let isStrict: Bool
  private var unreadableCount = 0
  /// The first rows with such texts.
  private var unreadableRows: [String] = []
  private var forms = ValueFormat.allCases.map(ColumnForms.init)

  private static let mostRows = 3

  init(name: String, isStrict: Bool) {
    (self.name, self.isStrict) = (name, isStrict)
  }

  mutating func add(_ value: Value?, in row: @autoclosure () -> String) {
    guard let value else {
      unreadableCount += 1
      if unreadableRows.count < Self.mostRows { unreadableRows.append(row()) }
      return
    }
    // Almost all columns are excluded by their first values.
    for index in forms.indices where !forms[index].areHopeless { forms[index].add(value, in: row()) }
  }

  func report(in table: String, to report: inout IntegrityReport) {
    if unreadableCount > 0 {
      let summary =
        unreadableCount == 1 ? "a value of column \(name) is" : "\(unreadableCount) values of column \(name) are"
      let rest = unreadableCount - unreadableRows.count
      let rows = unreadableRows.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      report.problems.append(IntegrityProblem(.invalidText, table: table, "\(summary) not valid UTF-8, in \(rows)"))
    }
    let conversion = SQLiteConversion(ofColumn: name, in: table)
    for forms in forms where forms.areFitting {
      if forms.unknownCount > 0 {
        report.notes.append(
          IntegrityProblem(
            .mixedForms, table: table,
            "column \(name) contains \(forms.format.plural) and other values \(forms.unknownPlace)"))
      }
      let advice = forms.forms.compactMap(conversion.statement(from:)).joined(separator: "; ")
      let ending = advice.isEmpty ? "" : "; convert the column: \(advice)"
      let kinds =
        forms.forms.map { "\($0.phrase) in \(forms.counts[$0] ?? 0)" }
        + (forms.canonicalCount > 0 ? ["\(forms.format.example) and the like in \(forms.canonicalCount)"] : [])
      if forms.isMixed {
        report.problems.append(
          IntegrityProblem(
            .mixedForms, table: table,
            "column \(name) contains \(forms.format.plural) in forms that don't compare with each other, by rows: "
              + kinds.joined(separator: ", ") + ending))
      } else if forms.isUnambiguous {
        report.notes.append(
          IntegrityProblem(
            .otherForm, table: table,
            "column \(name) contains \(forms.format.plural) in a form that the library does not read as such: "
              + forms.forms.map(\.phrase).joined(separator: ", ")
              // Another program may read no other form.
              + (isStrict ? ending : "; the library writes \(forms.format.example)")))
      }
    }
  }
}
