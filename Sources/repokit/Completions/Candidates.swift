/// What may stand where a line is completed.
enum Candidates: Hashable {
  /// Some words.
  case words([Candidate])
  /// Files, which the shells know better how to find.
  case files

  static let none = Candidates.words([])
}
