/// A word that may follow an option, as `svg` in `--chart svg FILE`. The option can stand without any.
struct OptionForm: Hashable {
  let word: String
  /// What usage calls the argument that has to follow the word, where it takes one.
  var value: String?

  /// The form as usage shows it.
  var usage: String { value.map { "\(word) \($0)" } ?? word }
}
