import ErrorDetails
package import Query

/// Notes on a query that finds rows: where it compares values that are not comparable as its author may think, or otherwise
/// than the database's own SQL would.
///
/// Only a bounded part of the table is read, so that no note costs more than a moment.
package struct ComparisonNotes {
  private static let mostNotes = 3
  private static let sampleSize = 100

  private let table: TableSchema
  private let source: EmptyResultHints.ColumnSource

  package init(of table: TableSchema, _ source: @escaping EmptyResultHints.ColumnSource) {
    (self.table, self.source) = (table, EmptyResultHints.bounded(source))
  }

  /// Returns a line for each note.
  ///
  /// - Parameter keys: the columns by which rows are sorted or grouped.
  package func notes(for query: AnyQuery, keys: [String] = []) -> [String] {
    var notes: [String] = []
    var collated: [Int: [String]] = [:]
    func note(_ text: String) { if notes.count < Self.mostNotes, !notes.contains(text) { notes.append(text) } }
    for condition in query.isHandwritten ? Array(query.conditions) : [] {
      if case .text = condition { continue }
      guard let key = condition.key?.plainKey, let position = try? table.position(of: key) else { continue }
      let texts = condition.operands.compactMap { operand -> String? in
        if case .value(.text(let text)) = operand { text } else { nil }
      }
      if let text = textNote(condition, position) { note(text) }
      if texts.isEmpty { continue }
      if let text = numberNote(condition) ?? orderNote(condition, position) { note(text) }
      if hasCollation(position) { collated[position, default: []] += texts }
    }
    for key in keys {
      if let position = try? table.position(of: key), hasCollation(position) { collated[position, default: []] += [] }
    }
    for (position, texts) in collated.sorted(by: { $0.key < $1.key }) {
      if let text = collationNote(position, texts) { note(text) }
    }
    return notes
  }

  /// The first comparison of a column of numbers with text, or of texts with a number, that can't match as intended; `nil`
  /// without one.
  ///
  /// - Returns: the note, and the query for values that the first ones did not show, which the comparison may mean.
  package func mistake(in query: AnyQuery) -> (note: String, unless: AnyQuery)? {
    for condition in query.isHandwritten ? Array(query.conditions) : [] {
      guard let column = condition.key?.plainKey else { continue }
      if let note = numberNote(condition) { return (note, .greaterThanOrEqual(key: column, value: "")) }
    }
    return textMistake(in: query)
  }

  /// The first comparison of a column of texts with a number, which no row may match as intended; `nil` without one.
  ///
  /// - Returns: the note, and the query for values that the first ones did not show, which the comparison may mean.
  package func textMistake(in query: AnyQuery) -> (note: String, unless: AnyQuery)? {
    for condition in query.isHandwritten ? query.allConditions(in: table.name) : [] {
      for column in condition.sources.compactMap(\.plainKey) {
        guard let position = try? table.position(of: column) else { continue }
        if let note = textNote(condition, position) { return (note, .lessThan(key: column, value: "")) }
      }
    }
    return nil
  }

  /// A note where a text that spells a number is compared with numbers, all of which sort before it.
  private func numberNote(_ condition: Condition<AnyExpression>) -> String? {
    guard let misfit = table.numberMisfit(in: condition), let meant = meaning(of: misfit.texts, misfit.position),
      holdsNumbers(misfit.position)
    else { return nil }
    let text = AnyQuery(.condition(condition)).description
    return VisibleText.visible(
      "\(text) compares numbers with text, and text sorts after all numbers; \(meant)".unicodeScalars)
  }

  /// A note where a number is compared with texts, all of which sort after it, in a column whose declared type says nothing of
  /// texts, such as DATETIME.
  private func textNote(_ condition: Condition<AnyExpression>, _ position: Int) -> String? {
    if case .text = condition { return nil }
    let column = table.columns[position]
    guard column.type == .integer || column.type == .real, column.kinds.contains(.text) else { return nil }
    let number = condition.sources.lazy.compactMap { source -> Value? in
      if case .value(let value) = source.form, value.kind == .number { value } else { nil }
    }.first
    guard let number, let example = exampleOfTexts(position) else { return nil }
    let name = AnyExpression.key(column.name)
    let isDate = CalendarDay(String(example.prefix(10))) != nil
    let meant = isDate ? ", or compare a part of the date, such as year(\(name))" : ""
    return VisibleText.visible(
      ("\(AnyQuery(.condition(condition))) compares a number with text such as '\(VisibleText.name(example))', which sorts "
        + "after all numbers; write '\(number)' in quotes\(meant)").unicodeScalars)
  }

  /// Returns a text of a column whose first values are all texts; `nil` for other columns.
  private func exampleOfTexts(_ position: Int) -> String? {
    var (example, areTexts, seen) = (String?.none, true, 0)
    try? source(position) { value in
      if value.isNull { return true }
      seen += 1
      if case .text(let text) = value { example = example ?? text } else { areTexts = false }
      return areTexts && seen < Self.sampleSize
    }
    return areTexts ? example : nil
  }

  /// A note where texts that spell numbers are compared by their order, and one of the first rows is on the wrong side of it.
  private func orderNote(_ condition: Condition<AnyExpression>, _ position: Int) -> String? {
    var bounds: [String] = []
    switch condition {
    case .comparison(let comparison) where comparison.operator != .equal && comparison.operator != .notEqual:
      if case .value(.text(let text)) = comparison.operand { bounds = [text] }
    case .between(let between):
      bounds = [between.lower, between.upper].compactMap { operand in
        if case .value(.text(let text)) = operand { text } else { nil }
      }
    default: return nil
    }
    // A server compares decimals as numbers.
    if table.columns[position].format == .decimal { return nil }
    for bound in bounds {
      guard let number = SpelledNumber(bound)?.value else { continue }
      var misplaced: String?
      var seen = 0
      try? source(position) { value in
        seen += 1
        if case .text(let text) = value, let other = SpelledNumber(text)?.value, other != number,
          (other < number) != text.utf8.lexicographicallyPrecedes(bound.utf8)
        {
          misplaced = text
        }
        return misplaced == nil && seen < Self.sampleSize
      }
      guard let misplaced else { continue }
      let side = misplaced.utf8.lexicographicallyPrecedes(bound.utf8) ? "before" : "after"
      let (query, name) = (AnyQuery(.condition(condition)), AnyExpression.key(table.columns[position].name))
      return VisibleText.visible(
        ("\(query) compares text character by character, so '\(misplaced)' sorts \(side) '\(bound)'; to compare "
          + "numbers, import with --types \(name)=real, or change the type with repokit column retype").unicodeScalars
      )
    }
    return nil
  }

  /// Returns the probable meaning of one of several texts; `nil` if none of them is like a number or a date.
  private func meaning(of texts: [String], _ position: Int) -> String? {
    for text in texts {
      if let number = Value(literal: text), number.kind == .number {
        return "did you mean the number \(number), without quotes?"
      }
      if CalendarDay(String(text.prefix(10))) != nil {
        return "for dates, add --dates \(AnyExpression.key(table.columns[position].name))=unix"
      }
    }
    return nil
  }

  /// Whether the first values of a column are numbers.
  private func holdsNumbers(_ position: Int) -> Bool {
    var seen = 0
    var areNumbers = true
    try? source(position) { value in
      if value.isNull { return true }
      seen += 1
      areNumbers = areNumbers && value.kind == .number
      return areNumbers && seen < Self.sampleSize
    }
    return areNumbers && seen > 0
  }

  private func hasCollation(_ position: Int) -> Bool {
    guard let collation = table.columns[position].collation else { return false }
    return collation != ColumnSchema.unknownCollation && !["BINARY", "RTRIM"].contains(collation.uppercased())
  }

  /// A note where upper and lower case make a difference that they do not make in the database's own SQL.
  private func collationNote(_ position: Int, _ wanted: [String]) -> String? {
    let column = table.columns[position]
    let present = ColumnValues(of: position, source)
    // A column with very many values hardly has none that differ so.
    if let values = present.values {
      let texts = Set(values.compactMap { if case .text(let text) = $0 { text } else { nil } } + wanted)
      let folded = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { $0.lowercased() }
      let isSameOrder = zip(folded, folded.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      if isSameOrder { return nil }
    }
    let name = AnyExpression.key(column.name).description
    return VisibleText.visible(
      ("the database compares \(column.name) by \(column.collation ?? ""), but repokit compares bytes: 'A' is not "
        + "'a' and sorts first; write `\(name) … ignoring case` to ignore case")
        .unicodeScalars)
  }
}

extension Condition<AnyExpression> {
  /// The columns and constants whose values the condition compares.
  fileprivate var sources: [AnyExpression] {
    if case .text = self { return [] }
    var sources: [AnyExpression] = []
    forEachKey { sources += $0.valueSources }
    for operand in operands {
      if case .value(let value) = operand { sources.append(AnyExpression(.value(value))) }
    }
    return sources
  }
}

extension AnyQuery {
  /// The conditions of the query, and those of queries within its expressions that are about the same table.
  fileprivate func allConditions(in table: String) -> [Condition<AnyExpression>] {
    var found = Array(conditions)
    forEachPart { part, other in
      guard other.map({ Name($0) == Name(table) }) ?? true, case .conditional(let query, _, _) = part.form else {
        return
      }
      found += Array(query.conditions)
    }
    return found
  }

  /// Whether the query is short enough to have been written by hand: a program that writes long ones reads no notes.
  var isHandwritten: Bool { partCount <= 100 }
}

extension TableSchema {
  /// The texts with which a condition compares a column that is declared to hold numbers, and may hold texts as well: no number
  /// is equal to them, and all sort before them.
  func numberMisfit(in condition: Condition<AnyExpression>) -> (position: Int, texts: [String])? {
    if case .text = condition { return nil }
    guard let key = condition.key?.plainKey, let position = try? position(of: key) else { return nil }
    let column = columns[position]
    guard column.type == .integer || column.type == .real, column.kinds.contains(.text) else { return nil }
    let texts = condition.operands.compactMap { operand -> String? in
      if case .value(.text(let text)) = operand { text } else { nil }
    }
    return texts.isEmpty ? nil : (position, texts)
  }
}

/// A number as people write it, with a currency or separators of thousands; `nil` for dates, names and other texts.
private struct SpelledNumber {
  let value: Double

  init?(_ text: String) {
    var digits = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9", ".", ",": digits.unicodeScalars.append(scalar)
      case "-" where digits.isEmpty, "+" where digits.isEmpty: digits.unicodeScalars.append(scalar)
      case " ", "\u{A0}", "\u{202F}", "'", "\u{2019}", "%": continue
      default: if scalar.properties.generalCategory != .currencySymbol { return nil }
      }
    }
    // The last separator is that of the fraction, where the others are of another kind.
    if let comma = digits.lastIndex(of: ","), comma > digits.lastIndex(of: ".") ?? digits.startIndex {
      digits = digits.replacing(".", with: "").replacing(",", with: ".")
    } else {
      digits = digits.replacing(",", with: "")
    }
    guard let value = Double(digits) else { return nil }
    self.value = value
  }
}
