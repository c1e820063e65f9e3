import Repository

/// All rules, in the order in which reports list them.
enum RuleCatalogue {
  /// The rules that are written as tables of requests and answers.
  static let requests: [RequestRule] =
    ComparisonRules.all + NumberRules.all + NumberRules.keys + NumberRules.logic + TextRules.all + OrderingRules.all
    + OrderingRules.cursors + ExpressionRules.all + RefusalRules.all + AggregateRules.all
    + ProjectionRules.all

  /// The rules of specimens that need few and small requests each.
  static let short: [SpecimenRule] = {
    let byHand =
      SaveRules.all + RoundTripRules.all + requests.map(\.handWritten) + OrderingRules.windows.map(\.handWritten)
      + UpdateRules.all.map(\.handWritten) + ConflictRules.all
    let names = Set((byHand + large).map(\.name))
    return SampleRule<Specimen>.scenarios.filter { !names.contains($0.name) }.map(\.handWritten) + byHand
  }()

  /// The rules of specimens that take longer.
  static let large: [SpecimenRule] = StreamRules.large + LawRules.all + LimitRules.all + ConcurrencyRules.all

  /// The rules of stores.
  static let stores: [ConformanceRule<any Store>] =
    StoreRules.all + SoftDeletionRules.all + DecimalRules.all + TransactionRules.all
    + ChangesRules.all.map { $0.needing([.liveResults]) }
    // The models `Visitor` and `Tour` have constraints of all kinds.
    + tables.map { $0.needing([.generatedKeys, .uniqueness, .checks, .references]) }

  private static let tables: [ConformanceRule<any Store>] =
    GeneratedKeyRules.all + UniquenessRules.all + ReferenceRules.all + StreamRules.all
    + ExpressionRules.relations.map { $0.needing([.expressions, .relations]) }
}

extension SampleRule {
  /// The rules that are checked step by step, which are the same for specimens and for samples.
  static var scenarios: [SampleRule] {
    [saving, batches, conflicts, deleting, inserting, updating, deletingByQuery, sequences, requests].flatMap(\.self)
  }

  /// All rules, that of the round trip of an element first.
  static var all: [SampleRule] {
    scenarios + RuleCatalogue.requests.compactMap(SampleRule.init) + OrderingRules.windows.map(SampleRule.init)
      + tableRules
  }
}
