/// The options that every command takes.
enum CommonOptions {
  static let color = OptionDescription(
    name: "--color", value: "WHEN", help: "When to use colours: auto, always or never.",
    completion: .words(ColorChoice.allCases.map(\.rawValue)))
  static let noPager = OptionDescription(
    name: "--no-pager", help: "Prints long output at once, rather than through PAGER.")
  static let verbose = OptionDescription(
    name: "--verbose", help: "Tells more of what fails, the SQL included.")

  static let all = [color, noPager, verbose]
}
