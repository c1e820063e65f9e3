import Query
import Repository

/// An error for samples that are not sufficient to check all rules.
///
/// The error is thrown before anything is checked: a suite that passes because it had nothing to ask would be falsely
/// reassuring.
public struct SampleError: Error, Hashable, Sendable {
  /// The model's name.
  public let model: String
  /// The gaps of the samples, and what to add, one sentence each; at least one.
  public let gaps: [String]
}

extension SampleError: CustomStringConvertible {
  /// The gaps, and how to run the rules in spite of them.
  public var description: String {
    (["the samples of \(model) have gaps"] + gaps.map { "  \($0)" }
      + ["add such samples, or pass `allowingGaps: true` to move the gaps into the notes of the report"])
      .joined(separator: "\n")
  }
}

extension SampleSet {
  /// Returns the problems because of which the samples can't be used at all.
  static func problems(of samples: [Model]) throws(RepositoryError) -> [String] {
    let table = try Model.schema.table()
    if samples.count < 3 { return ["there are \(samples.count) samples, but the suite needs three"] }
    var problems: [String] = []
    var rows: [[Value]] = []
    for element in samples { rows.append(try Model.schema.row(from: element, in: table)) }
    if Set(rows.map { row in table.primaryKey.map { row[$0] } }).count < rows.count {
      problems.append("two samples have the same key")
    }
    for (position, column) in table.columns.enumerated() where column.isUnique {
      let values = rows.map { $0[position] }.filter { !$0.isNull }
      if Set(values).count < values.count {
        problems.append("two samples have the same \(column.name), which is unique")
      }
    }
    for set in table.uniqueSets {
      let values = rows.map { row in set.map { row[$0] } }.filter { !$0.contains(where: \.isNull) }
      if Set(values).count < values.count {
        let names = set.map { table.columns[$0].name }.joined(separator: " and ")
        problems.append("two samples have the same \(names), which are unique together")
      }
    }
    for (rule, set, query) in table.resolvedPartialUnique() {
      let values = rows.filter(query.matches).map { row in set.map { row[$0] } }
        .filter { !$0.contains(where: \.isNull) }
      if Set(values).count < values.count {
        let names = rule.columns.joined(separator: " and ")
        problems.append("two samples have the same \(names), which are unique where \(rule.query)")
      }
    }
    for (check, query) in table.resolvedChecks() where !rows.allSatisfy(query.matches) {
      problems.append("a sample breaks the rule \(check.name)")
    }
    return problems
  }

  /// Returns the gaps of several sets of elements, and what to add to the samples.
  static func gaps(in sets: [SampleSet]) -> [String] {
    guard let first = sets.first else { return [] }
    var gaps: [String] = []
    for position in first.columns.indices {
      let columns = sets.map { $0.columns[position] }
      let (schema, name) = (first.columns[position].schema, first.columns[position].key)
      let values = columns.reduce(into: Set<Value>()) { $0.formUnion($1.values) }
      if schema.isNullable, !columns.contains(where: \.hasNull) {
        gaps.append("no sample has a null in \(name): add a sample with a null, to check nulls in queries and sorts")
      }
      if values.isEmpty {
        gaps.append("no sample has a value in \(name): add two samples with different values")
      } else if values.count < 2 {
        gaps.append(
          "all samples have the same \(name): add a sample with another value, to check comparisons and sorts")
      }
    }
    let canTie = first.columns.contains { !$0.isUnique }
    if canTie, !sets.contains(where: { set in set.columns.contains(where: \.hasTies) }) {
      gaps.append("no two samples agree in any column: add two samples that do, to check the order of ties")
    }
    for column in first.uniqueColumns where first.conflict(in: column) == nil {
      gaps.append(
        "no two samples can have the same \(column.key), because the model refuses the values: the suite can't check conflicts"
      )
    }
    if first.columns.contains(where: { !$0.isKey && !$0.isUnique }),
      !first.rows.indices.contains(where: { first.variant(of: $0) != nil })
    {
      gaps.append(
        "no sample can have another sample's values, because the model refuses the values: the suite can't check replacing"
      )
    }
    return gaps
  }
}
