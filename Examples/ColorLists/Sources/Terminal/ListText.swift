import ErrorHandling

/// Lists as a person sees them on a terminal.
struct ListText {
  /// Whether the terminal shows colors of 24 bits.
  let hasTrueColor: Bool

  /// Most terminals that can say so in `COLORTERM`; nothing else tells without asking the terminal.
  init(_ style: TerminalStyle, _ environment: [String: String]) {
    hasTrueColor = style.hasColor && ["truecolor", "24bit"].contains(environment["COLORTERM"])
  }

  /// A line for each list: how many colors it has, and its name.
  func list(_ lists: [ColorList]) -> String {
    if lists.isEmpty { return "No list was made yet: clr Brand Red=#E60012 Blue=#0068B7" }
    let width = lists.map { "\($0.colors.count)".count }.max() ?? 0
    return lists.map { list in
      let count = "\(list.colors.count)"
      return String(repeating: " ", count: width - count.count) + "\(count)  \(list.name.onOneLine)"
    }.joined(separator: "\n")
  }

  /// The colors of a list, a line each.
  func show(_ list: ColorList) -> String {
    if list.colors.isEmpty { return "\(list.name.onOneLine) is empty." }
    let width = list.colors.map(\.color.rawValue.count).max() ?? 0
    return list.colors.map { named in
      let hex = named.color.rawValue
      let blanks = String(repeating: " ", count: width - hex.count)
      return (hasTrueColor ? swatch(named.color) + "  " : "") + hex + blanks + "  \(named.name.onOneLine)"
    }.joined(separator: "\n")
  }

  /// Blanks on the color, as if it were opaque.
  private func swatch(_ color: Color) -> String {
    "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m      \u{1B}[0m"
  }
}
