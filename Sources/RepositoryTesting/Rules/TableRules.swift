import Repository

/// What stores keep that tables demand, and what they write beyond single elements.
enum TableRules {
  static var all: [ConformanceRule<any Store>] {
    // Visitors and tours have rules of all kinds.
    (GeneratedKeyRules.all + UniquenessRules.all + ReferenceRules.all + StreamRules.all)
      .map { $0.needing([.generatedKeys, .uniqueness, .checks, .references]) }
  }
}
