/// Lists as a person sees them on a terminal.
struct ListText {
  /// Whether the terminal shows colors of 24 bits.
  let hasTrueColor: Bool

  /// Most terminals that can say so in `COLORTERM`; nothing else tells without asking the terminal.
  init(isTerminal: Bool, environment: [String: String]) {
    hasTrueColor =
      isTerminal && ["truecolor", "24bit"].contains(environment["COLORTERM"])
      && environment["NO_COLOR", default: ""] == ""
  }

  /// A line for each list: how many colors it has, its name, and the colors.
  func list(_ lists: [ColorList]) -> String {
    if lists.isEmpty { return "No list was made yet: clr Brand Red=#E60012 Blue=#0068B7" }
    return Self.aligned(lists.map { "\($0.colors.count)" }, isRight: true).enumerated().map { position, count in
      let strip = hasTrueColor ? lists[position].colors.prefix(24).map { swatch($0.color, width: 2) }.joined() : ""
      return "\(count)  \(lists[position].name.onOneLine)" + (strip.isEmpty ? "" : "  \(strip)")
    }.joined(separator: "\n")
  }

  /// The colors of a list, a line each.
  func show(_ list: ColorList) -> String {
    if list.colors.isEmpty { return "\(list.name.onOneLine) is empty." }
    return zip(Self.aligned(list.colors.map(\.color.rawValue)), list.colors).map { hex, named in
      (hasTrueColor ? swatch(named.color, width: 6) + "  " : "") + "\(hex)  \(named.name.onOneLine)"
    }.joined(separator: "\n")
  }

  private static func aligned(_ texts: [String], isRight: Bool = false) -> [String] {
    let width = texts.map(\.count).max() ?? 0
    return texts.map { text in
      let blanks = String(repeating: " ", count: width - text.count)
      return isRight ? blanks + text : text + blanks
    }
  }

  /// Blanks on the color, as if it were opaque.
  private func swatch(_ color: Color, width: Int) -> String {
    "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m" + String(repeating: " ", count: width) + "\u{1B}[0m"
  }
}
