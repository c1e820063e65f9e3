import Repository

/// What stores keep that tables demand, and what they write beyond single elements.
enum TableRules {
  static var all: [ConformanceRule<any Store>] {
    GeneratedKeyRules.all + UniquenessRules.all + ReferenceRules.all + StreamRules.all
  }
}
