import ErrorDetails
import Query
import Repository
import SQLStore

/// The notes on expressions that mean something else than their author may think: operations on texts that are null because a column
/// holds numbers or bytes (`text || number`, `length(bytes)`), quotients of whole numbers, sums of values of JSON that are no numbers,
/// and names without the quotes that they need.
struct ExpressionNotes {
  let table: TableSchema
  let others: OtherTables

  private static let sampleSize = 100

  func notes(on parts: QueryParts) -> [String] {
    var notes = parts.aggregate.flatMap(sumNote).map { [$0] } ?? []
    for query in parts.queries { query.forEachPart { notes += self.notes(on: $0, in: $1) } }
    for expression in parts.expressions { expression.forEachPart { notes += self.notes(on: $0, in: $1) } }
    return notes.map { "note: \($0)" }
  }

  /// - Parameter related: the table that has the expression's keys; `nil` for the table itself.
  private func notes(on part: AnyExpression, in related: String?) -> [String] {
    let note = related == nil ? nameNote(part) ?? quotientNote(part) : nil
    let own = note.map { [$0] } ?? []
    if case .function(let function, let arguments) = part.form, function.isArithmetic,
      let table = related.map({ try? others.find($0) }) ?? table
    {
      return own + arguments.compactMap { arithmeticNote(on: part, of: $0, in: table) }
    }
    guard case .function(let function, let arguments) = part.form, function == .concatenate || function == .length,
      let table = related.map({ try? others.find($0) }) ?? table
    else { return own }
    return own + arguments.flatMap(\.valueSources).compactMap { self.note(on: part, function, of: $0, in: table) }
  }

  /// A note on a number or an operation that has the letters of a column's name: `2024 > 7`, `a-b`.
  private func nameNote(_ part: AnyExpression) -> String? {
    if part.plainKey != nil { return nil }
    let text = part.description.filter { $0 != " " }
    let column = table.columns.first { Quoting.key($0.name) != $0.name && $0.name.filter { $0 != " " } == text }
    guard let column else { return nil }
    let isValue = if case .value = part.form { true } else { false }
    return "\(part) is \(isValue ? "a value" : "an operation"); write \(Quoting.key(column.name)) for the column"
  }

  /// A note on a quotient of whole numbers by other than a constant, which leaves the rest out.
  private func quotientNote(_ part: AnyExpression) -> String? {
    guard case .function(.divide, let operands) = part.form, let divisor = operands.last else { return nil }
    if case .value = divisor.form { return nil }
    var resolver = ScopeResolver(table, others.find)
    guard operands.allSatisfy({ (try? resolver.resolve($0))?.type.kind == .integer }) else { return nil }
    return "\(part) is integer division and drops the remainder; multiply by 1.0 to keep the fraction"
  }

  private func note(
    on part: AnyExpression, _ function: ExpressionFunction, of source: AnyExpression, in table: TableSchema
  ) -> String? {
    guard let other = firstValueThatIsNoText(of: source, in: table) else { return nil }
    let isJoin = function == .concatenate
    let rule = isJoin ? "|| joins text only" : "length counts characters of text only"
    let result = "\(rule), so \(part) is null"
    if other.kind == .number {
      return
        "\(source) contains numbers such as \(other), and \(result); repokit column retype converts the column to text"
    }
    return
      "\(source) contains bytes, and \(result)\(isJoin ? "" : "; a view in the database's own SQL can count bytes")"
  }

  /// A note on arithmetic with a column of texts that is declared as numbers, such as DATETIME.
  private func arithmeticNote(on part: AnyExpression, of operand: AnyExpression, in table: TableSchema) -> String? {
    guard let position = operand.plainKey.flatMap({ table.columns.firstIndex(named: $0) }) else { return nil }
    let values = others.sample(of: position, in: table, limit: Self.sampleSize)
    guard case .text(let text)? = values.first, values.allSatisfy({ if case .text = $0 { true } else { false } }) else {
      return nil
    }
    let example = VisibleText.excerpt(of: Array(text.utf8)[...])
    return "\(operand) contains text such as '\(example)', and arithmetic needs numbers, so \(part) is null"
  }

  private func firstValueThatIsNoText(of source: AnyExpression, in table: TableSchema) -> Value? {
    guard let position = source.plainKey.flatMap({ table.columns.firstIndex(named: $0) }) else { return nil }
    let sample = others.sample(of: position, in: table, limit: Self.sampleSize)
    return sample.first { if case .text = $0 { false } else { true } }
  }

  /// A note on a sum or an average of values of JSON some of which are no numbers, which are left out of it.
  private func sumNote(_ aggregate: AnyAggregate) -> String? {
    guard aggregate.function == .sum || aggregate.function == .average, let key = aggregate.key,
      case .path(let steps) = key.form, let found = table.jsonPlace(of: steps, with: { _ in nil }), found.step == 0
    else { return nil }
    let pointer = JSONPointer(Array(steps.dropFirst()))
    let values = others.sample(of: found.column, in: table, pointer.value)
    let misfits = values.filter { $0.kind != .number }
    guard let example = misfits.first else { return nil }
    let text = VisibleText.excerpt(of: Array(example.description.utf8)[...])
    return
      "\(aggregate) ignores values that are not numbers: \(misfits.count) of the first \(values.count) values of "
      + "\(key), such as \(text)"
  }
}
