/// An argument that is known by its name.
struct OptionDescription {
  /// The name, with its two dashes.
  let name: String
  /// A short form of the name, such as `-y`.
  var letter: String?
  /// What usage and help call the value; `nil` for an option that takes none.
  var value: String?
  /// What it does, for the help.
  let help: String
  /// Whether it may stand there more than once.
  var isRepeatable = false
  /// The names of the options that make no sense beside this one.
  var excluded: [String] = []
  /// Why not, if that is not plain.
  var exclusionReason: String?
  /// What completions offer as its value.
  var completion = Completion.none
  /// The words of which one may follow an option that takes no other value.
  var forms: [OptionForm] = []

  /// The option as usage shows it.
  var usage: String { call + (isRepeatable ? " …" : "") }
  /// The option as the list of options shows it.
  var heading: String { (letter.map { "\($0), " } ?? "") + call }

  private var call: String {
    if !forms.isEmpty { return "\(name) [\(forms.map(\.usage).joined(separator: " | "))]" }
    return value.map { "\(name) \($0)" } ?? name
  }

  /// Whether a word is its name, or the short form of it.
  func isCalled(_ word: String) -> Bool { word == name || word == letter }
}
