import ErrorDetails
import Query
import Repository
import RowImport
import SQLInspection
import SQLStore

/// Changes rows of a table, after the user has confirmed exactly that change.
struct RowChanger {
  let arguments: ChangeArguments
  let words: ChangeWords

  /// Tries the change or makes it, as the arguments say.
  ///
  /// - Parameter change: makes the change, once the table's columns are known, those by which rows can be found, and the other
  ///   tables.
  /// - Returns: what was changed; `nil` where it was a dry run, or there was nothing to change.
  func run(
    on console: Console,
    _ change: (_ table: TableSchema, _ queried: TableSchema, _ others: OtherTables) throws(Failure) -> RowChange
  ) async throws -> ChangeReport? {
    let consent = arguments.consent
    try consent.checkPossible(console)
    let store = try arguments.database.open(.existing)
    let queried = try arguments.database.translating { try store.queriedTable(arguments.table) }
    let change = try change(
      try arguments.database.translating { try store.schema(ofTable: arguments.table) }, queried.schema,
      OtherTables(of: store))

    if consent.isDryRun {
      Interruption.postpone()
      let report = try dryRun(change, in: store, detail: .rows, console)
      Interruption.resume()
      try ChangePreview(report, arguments.dates).print(as: arguments.format ?? console.format, on: console)
      console.report(words.message(of: report, in: .conditional))
      return nil
    }
    if consent.isGiven {
      let report = try make(change, in: store, detail: .counts, console)
      console.report(words.message(of: report, in: .past))
      return report
    }
    // No lock is held during the question: the change is rolled back, and made again after the answer.
    let dryRun = try dryRun(change, in: store, detail: .identity, console)
    if dryRun.count == 0 {
      console.report(words.message(of: dryRun, in: .past))
      return nil
    }
    try await consent.confirm(words.confirmation(of: dryRun), on: console)
    let report = try make(change, in: store, detail: .identity, console, expecting: dryRun)
    console.report(words.message(of: report, in: .past))
    return report
  }

  private func dryRun(
    _ change: RowChange, in store: SQLDatabase, detail: ChangeDetail, _ console: Console
  ) throws(Failure) -> ChangeReport {
    let bar = ProgressBar(console)
    defer { bar.end() }
    bar.begin("simulating the change", total: nil, isSlow: arguments.database.isLarge)
    do {
      return try store.blocking.dryRun {
        try $0.change(change, in: arguments.table, detail: detail) { bar.update(rows: $0, bytes: 0) }
      }
    } catch {
      throw failure(of: change, translating: error)
    }
  }

  /// The failure of a change, with the values that the change sets.
  private func failure(of change: RowChange, translating error: any Error) -> Failure {
    if let error = error as? RepositoryError,
      let text = ViolationText(error, value: { name in change.assignments.first { Name($0.key) == Name(name) }?.value })
    {
      return Failure(text.summary, details: text.details, sql: error.sql)
    }
    return arguments.database.failure(translating: error)
  }

  private func make(
    _ change: RowChange, in store: SQLDatabase, detail: ChangeDetail, _ console: Console,
    expecting dryRun: ChangeReport? = nil
  ) throws(Failure) -> ChangeReport {
    Interruption.postpone()
    let bar = ProgressBar(console)
    defer { bar.end() }
    bar.begin("\(words.gerund) rows of \(arguments.table)", total: nil, isSlow: arguments.database.isLarge)
    do {
      return try store.blocking.transaction(.writing) { transaction in
        let report = try transaction.change(change, in: arguments.table, detail: detail) {
          bar.update(rows: $0, bytes: 0)
        }
        if let dryRun, !report.isSame(as: dryRun) {
          throw ChangeConsent.outdated(report.table.name)
        }
        return report
      }
    } catch {
      throw failure(of: change, translating: error)
    }
  }
}

extension RowChange {
  /// The values that columns are set to.
  fileprivate var assignments: [Assignment] {
    switch self {
    case .set(_, let assignments), .insert(let assignments): assignments
    case .delete: []
    }
  }
}

/// The messages about a change of rows: what would be done, and what was.
struct ChangeWords {
  /// The mood of a message: whether the change has happened.
  enum Mood {
    case conditional, past
  }

  /// `change`, for the question.
  let verb: String
  /// `changed`, for the report.
  let participle: String
  /// `changing`, for the progress.
  var gerund: String { (verb.hasSuffix("e") ? String(verb.dropLast()) : verb) + "ing" }
  /// Whether rows of the table are to be deleted.
  var isDeletion = false
  /// Whether rows lose values.
  let isDestructive: Bool
  /// The text between the number of rows and the table.
  var preposition = "of"
  /// The new values of the rows, a line each.
  var details: [String] = []

  /// The message about a change on the standard error.
  func message(of report: ChangeReport, in mood: Mood) -> String {
    let table = report.table.name
    let verb = mood == .past ? participle : "would \(self.verb)"
    if report.count == 0 { return TerminalText.visible(noChange(of: report, in: mood)) + "\n" }
    let lines =
      ["\(verb) \(rows(of: report)) \(preposition) \(table)"] + effects(of: report, in: mood).map { "  \($0)" }
    return lines.map { TerminalText.visible($0) + "\n" }.joined()
  }

  /// The message where no row is changed: none matches, or a trigger ignores the change of those that do.
  private func noChange(of report: ChangeReport, in mood: Mood) -> String {
    let table = VisibleText.name(report.table.name)
    let ignored = report.ignoredCount
    if ignored == 0 {
      return mood == .past ? "no row of \(table) matches, so no row was \(participle)" : "no row of \(table) matches"
    }
    let verb = mood == .past ? "was" : "would be"
    return
      "\(ignored.of("row")) of \(table) \(ignored == 1 ? "matches" : "match"), but a trigger or rule of the database "
      + "prevents the change: no row \(verb) \(participle)"
  }

  /// The question before the change.
  func confirmation(of report: ChangeReport) -> Confirmation {
    let rows = report.count.of("row")
    let action = verb.prefix(1).uppercased() + verb.dropFirst() + " \(report.count == 1 ? "the row" : rows)"
    return Confirmation(
      summary: "\(self.rows(of: report)) \(preposition) \(report.table.name)",
      details: details + examples(of: report) + effects(of: report, in: .conditional), action: action,
      isDestructive: isDestructive)
  }

  /// `3 of 151 rows`, where the total is known.
  private func rows(of report: ChangeReport) -> String {
    guard let total = report.total, preposition == "of" else { return report.count.of("row") }
    if total == report.count, total > 1 { return "all \(total) rows" }
    return total > report.count ? "\(report.count) of \(total) rows" : report.count.of("row")
  }

  /// The first rows as they are, on a line each.
  private func examples(of report: ChangeReport) -> [String] {
    let columns = report.table.columns.map { ColumnHeading($0) }
    let rows = ((try? report.changed.first(ChangeReport.sampleSize)) ?? []).compactMap(\.before).map { row in
      zip(columns, row).map { $0.shown($1) }
    }
    let rest = report.count - rows.count
    return rows.map(Self.line) + (rest > 0 && !rows.isEmpty ? ["and \(rest.of("more row"))"] : [])
  }

  /// The part of a row that identifies it.
  private static func line(_ row: [Value]) -> String {
    let limit = 72
    var line = ""
    for value in row {
      // The start of a long text is enough.
      let text = TerminalText.visible(String((value.plainText() ?? "null").prefix(limit)))
      line += (line.isEmpty ? "" : ", ") + text
      if TerminalText.columns(of: line) > limit {
        while TerminalText.columns(of: line) >= limit { line.removeLast() }
        return line + "…"
      }
    }
    return line
  }

  /// Returns the effects on rows that the condition does not select, a line each.
  private func effects(of report: ChangeReport, in mood: Mood) -> [String] {
    let them = report.count == 1 ? "it" : "them"
    return report.effects.map { effect in
      let rows = effect.count.of("row")
      let isOne = effect.count == 1
      let isReplaced = effect.table.map(Name.init) == Name(report.table.name) && !isDeletion
      switch (effect.kind, effect.table, mood) {
      case (.deleted, let table?, _) where isReplaced:
        let verb = mood == .past ? (isOne ? "was" : "were") : "would be"
        return "\(effect.count.of("other row")) of \(table) \(verb) deleted by a rule of the table"
      case (.deleted, let table?, .past): return "\(rows) of \(table) \(isOne ? "was" : "were") deleted with \(them)"
      case (.deleted, let table?, .conditional): return "\(rows) of \(table) would be deleted with \(them)"
      case (.cleared, let table?, .past):
        return "\(rows) of \(table) no longer \(isOne ? "refers" : "refer") to \(them)"
      case (.cleared, let table?, .conditional): return "\(rows) of \(table) would no longer refer to \(them)"
      case (_, _, .past): return "triggers and foreign keys changed \(effect.count.of("more row"))"
      case (_, _, .conditional): return "triggers and foreign keys would change \(effect.count.of("more row"))"
      }
    }
  }
}

/// The rows that a change affects, to be shown before it.
struct ChangePreview {
  private let report: ChangeReport
  /// The columns whose value changes in any row.
  private let changed: Set<Int>
  /// Shows the dates of a row.
  private let show: ([Value]) -> [Value]

  init(_ report: ChangeReport, _ dates: DateColumns) throws {
    self.report = report
    show = dates.formatter(of: report.table.columns.map(\.name))
    var changed: Set<Int> = []
    try report.changed.forEach { row in
      guard let before = row.before, let after = row.after else { return true }
      for position in before.indices where !before[position].isIdentical(to: after[position]) {
        changed.insert(position)
      }
      return true
    }
    self.changed = changed
  }

  /// Prints the rows as they are; behind each column that changes, also what it will hold.
  func print(as name: FormatName, on console: Console) throws {
    let columns = report.table.columns
    var headings: [ColumnHeading] = []
    for position in columns.indices {
      headings.append(ColumnHeading(columns[position]))
      if changed.contains(position) {
        headings.append(ColumnHeading(columns[position], as: newName(of: columns[position].name)))
      }
    }
    let printer = try RowPrinter(console, headings, format: name)
    try report.changed.forEach { row in printer.append(values(of: row)) }
    try printer.finish()
  }

  private func values(of row: ChangeReport.Row) -> [Value] {
    guard let current = (row.before ?? row.after).map(show) else { return [] }
    let after = row.after.map(show)
    var values: [Value] = []
    for position in current.indices {
      values.append(current[position])
      if changed.contains(position) { values.append(after?[position] ?? .null) }
    }
    return values
  }

  /// A name that no other column has.
  private func newName(of name: String) -> String {
    var candidate = "new \(name)"
    while report.table.columns.contains(named: candidate) { candidate = "new \(candidate)" }
    return candidate
  }
}
