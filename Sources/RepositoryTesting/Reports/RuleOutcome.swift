/// What became of one rule.
struct RuleOutcome {
  /// What is otherwise than it has to be.
  var deviations: [Deviation] = []
  /// What was answered wrongly although it is declared as unsupported.
  var broken: [Deviation] = []
  /// The declared features for want of which questions were refused.
  var leftOut: Set<RepositoryFeature> = []
  /// How many questions were refused so.
  var leftOutCount = 0
  /// How many questions were asked in all.
  var questionCount = 0
}
