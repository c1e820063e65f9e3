/// What a chart is drawn with, and where.
enum ChartForm: Hashable {
  /// In the terminal, by characters for parts of bars.
  case bars
  /// In the terminal, by characters of ASCII.
  case ascii
  /// As a picture in a file.
  case svg(file: String)

  static let option = OptionDescription(
    name: "--chart",
    help: "Draws bars rather than rows: as wide as the terminal, with characters of ASCII alone, or as a picture in a "
      + "file, - for the standard output.",
    excluded: ["--format"], exclusionReason: "a chart has its own form",
    forms: [OptionForm(word: "bars"), OptionForm(word: "ascii"), OptionForm(word: "svg", value: "FILE")])

  /// The form that arguments ask for; `nil` for rows.
  init?(_ arguments: Arguments) {
    guard let word = arguments[Self.option] else { return nil }
    switch word {
    case "svg": self = .svg(file: arguments[Self.option, "svg"] ?? "")
    case "ascii": self = .ascii
    default: self = .bars
    }
  }
}
