/// Something that may stand where a line is completed.
struct Candidate: Hashable {
  /// The whole word that takes the place of the one that was begun.
  let word: String
  /// What a list of candidates shows: the part of the word that is new.
  let label: String
  /// What it is, in a few words.
  var note = ""
  /// Whether the word is complete, so that another one follows it.
  var isComplete = true
}
