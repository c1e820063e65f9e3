/// An argument that is known by its name.
struct OptionDescription {
  /// The name, with its two dashes.
  let name: String
  /// What usage and help call the value; `nil` for an option that takes none.
  var value: String?
  /// What it does, for the help.
  let help: String
  /// The names of the options that make no sense beside this one.
  var excluded: [String] = []
  /// Why not, if that is not plain.
  var exclusionReason: String?

  /// The option as usage and help show it.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}
