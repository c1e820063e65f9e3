/// An argument that is known by its place.
struct PositionalDescription {
  /// What usage and help call it, in capitals.
  let name: String
  /// What it is, for the help.
  let help: String
  /// Whether it may be left out. Only the last ones may, and the one before the last.
  var isOptional = false
  /// Whether it takes all arguments that are left. Only the last one may.
  var isRepeated = false
  /// What completions offer for it.
  var completion = Completion.none
  /// What to write where it is missing, if that is not plain.
  var advice: String?

  /// The argument as usage shows it.
  var usage: String {
    let words = isRepeated ? "\(name)…" : name
    return isOptional ? "[\(words)]" : words
  }
}
