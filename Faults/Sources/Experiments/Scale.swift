/// How much of an experiment is done.
enum Scale: Sendable {
  /// What takes a few seconds, and asks for no time, so that it is a test on any machine.
  case quick
  /// All of it, with its bounds on time.
  case full

  /// One of two counts.
  func pick<Count>(quick: Count, full: Count) -> Count { self == .quick ? quick : full }
}
