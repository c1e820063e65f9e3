import Query
import SQLiteStore

/// How a change of rows is told: what would be done, and what was.
struct ChangeWords {
  /// Whether it has happened.
  enum Mood {
    case conditional, past
  }

  /// `change`, as the question says it.
  let verb: String
  /// `changed`, as the report says it.
  let participle: String
  /// Whether rows of the table are meant to go.
  var isDeletion = false
  /// Whether rows lose what they hold.
  let isDestructive: Bool
  /// Between the number of rows and the table.
  var preposition = "of"
  /// What the rows are to hold, a line each.
  var details: [String] = []

  /// What is told of a change on the standard error.
  func message(of report: ChangeReport, in mood: Mood) -> String {
    let table = report.table.name
    let verb = mood == .past ? participle : "would \(self.verb)"
    if report.count == 0 {
      return TerminalText.visible(
        mood == .past
          ? "no row of \(table) matches, so nothing was \(participle)" : "no row of \(table) matches")
        + "\n"
    }
    let lines =
      ["\(verb) \(rows(of: report)) \(preposition) \(table)"] + effects(of: report, in: mood).map { "  \($0)" }
    return lines.map { TerminalText.visible($0) + "\n" }.joined()
  }

  /// What somebody is asked before the change.
  func confirmation(of report: ChangeReport) -> Confirmation {
    let rows = Self.count(report.count, "row")
    let action = verb.prefix(1).uppercased() + verb.dropFirst() + " \(report.count == 1 ? "the row" : rows)"
    return Confirmation(
      summary: "\(self.rows(of: report)) \(preposition) \(report.table.name)",
      details: details + examples(of: report) + effects(of: report, in: .conditional), action: action,
      isDestructive: isDestructive)
  }

  /// `3 of 151 rows`, where it is known how many there are.
  private func rows(of report: ChangeReport) -> String {
    guard let total = report.total, preposition == "of" else { return Self.count(report.count, "row") }
    if total == report.count, total > 1 { return "all \(total) rows" }
    return total > report.count ? "\(report.count) of \(total) rows" : Self.count(report.count, "row")
  }

  /// The first rows as they are, on a line each.
  private func examples(of report: ChangeReport) -> [String] {
    let rows = report.rows.compactMap(\.before)
    let rest = report.count - rows.count
    return rows.map(Self.line) + (rest > 0 && !rows.isEmpty ? ["and \(Self.count(rest, "more row"))"] : [])
  }

  /// As much of a row as tells it from others.
  private static func line(_ row: [Value]) -> String {
    let limit = 72
    var line = ""
    for value in row {
      // The start of a long text will do.
      let text = TerminalText.visible(String((value.plainText() ?? "null").prefix(limit)))
      line += (line.isEmpty ? "" : ", ") + text
      if TerminalText.columns(of: line) > limit {
        while TerminalText.columns(of: line) >= limit { line.removeLast() }
        return line + "…"
      }
    }
    return line
  }

  /// What happens to rows that nobody named.
  private func effects(of report: ChangeReport, in mood: Mood) -> [String] {
    let them = report.count == 1 ? "it" : "them"
    return report.effects.map { effect in
      let rows = Self.count(effect.count, "row")
      let isOne = effect.count == 1
      let isReplaced = effect.table == report.table.name && !isDeletion
      switch (effect.kind, effect.table, mood) {
      case (.deleted, let table?, _) where isReplaced:
        let verb = mood == .past ? (isOne ? "was" : "were") : "would be"
        return "\(Self.count(effect.count, "other row")) of \(table) \(verb) deleted by a rule of the table"
      case (.deleted, let table?, .past): return "\(rows) of \(table) \(isOne ? "was" : "were") deleted with \(them)"
      case (.deleted, let table?, .conditional): return "\(rows) of \(table) would be deleted with \(them)"
      case (.cleared, let table?, .past):
        return "\(rows) of \(table) no longer \(isOne ? "refers" : "refer") to \(them)"
      case (.cleared, let table?, .conditional): return "\(rows) of \(table) would no longer refer to \(them)"
      case (_, _, .past): return "triggers and foreign keys changed \(Self.count(effect.count, "more row"))"
      case (_, _, .conditional): return "triggers and foreign keys would change \(Self.count(effect.count, "more row"))"
      }
    }
  }

  /// `1 row`, `2 rows`.
  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
