/// What a terminal, or what stands in its place, can do with text.
public struct TerminalStyle: Hashable, Sendable {
  /// How many columns a line may take.
  public let width: Int
  /// Whether escapes may colour the text.
  public let hasColor: Bool
  /// Whether somebody is there to answer.
  public let isInteractive: Bool

  /// A style by what it can do.
  ///
  /// - Parameter width: in columns; at least 20.
  public init(width: Int = 80, hasColor: Bool, isInteractive: Bool) {
    self.width = max(20, width)
    self.hasColor = hasColor
    self.isInteractive = isInteractive
  }

  /// The style for a program's output.
  ///
  /// Colours are off where it is no terminal, for `TERM=dumb`, and where `NO_COLOR` is set to anything:
  /// https://no-color.org
  ///
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal, as `isatty` says.
  ///   - isInteractive: whether answers can be read from one as well.
  ///   - environment: the variables of the program. `COLUMNS` is the width where no other is given.
  ///   - width: the terminal's width in columns, where that is known.
  public init(isTerminal: Bool, isInteractive: Bool, environment: [String: String], width: Int? = nil) {
    let noColor = environment["NO_COLOR"] ?? ""
    self.init(
      width: width ?? environment["COLUMNS"].flatMap(Int.init) ?? 80,
      hasColor: isTerminal && noColor.isEmpty && environment["TERM"] != "dumb",
      isInteractive: isTerminal && isInteractive)
  }

  /// For a file or another program: 80 columns, no colour, nobody there.
  public static let plain = TerminalStyle(hasColor: false, isInteractive: false)
}
