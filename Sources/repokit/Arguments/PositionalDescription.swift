/// An argument that is known by its place.
struct PositionalDescription {
  /// What usage and help call it, in capitals.
  let name: String
  /// What it is, for the help.
  let help: String
  /// Whether it may be left out. Only the last ones may.
  var isOptional = false

  /// The argument as usage shows it.
  var usage: String { isOptional ? "[\(name)]" : name }
}
