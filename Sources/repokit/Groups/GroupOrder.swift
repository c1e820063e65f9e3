import Query

/// In which order groups are shown.
struct GroupOrder {
  /// The order in which the groups are asked for.
  let order: FigureOrder
  /// Whether they are shown in the opposite of it: by their keys, from great to small.
  let isReversed: Bool

  static let byKeys = GroupOrder(order: .group, isReversed: false)

  private init(order: FigureOrder, isReversed: Bool) {
    self.order = order
    self.isReversed = isReversed
  }

  /// Reads an order: a figure as `count`, `avg` or `avg(weight)`, or the first key of the groups, perhaps after `-`.
  init(_ text: String, figures: [AnyFigure], keys: [String], _ option: OptionDescription, _ command: CommandDescription)
    throws(Failure)
  {
    let isDescending = text.hasPrefix("-")
    let name = isDescending ? String(text.dropFirst()) : text
    if let first = keys.first, name.utf8.elementsEqual(first.utf8) {
      self.init(order: .group, isReversed: isDescending)
      return
    }
    let named = figures.filter { Self.names(of: $0).contains { $0.utf8.elementsEqual(name.utf8) } }
    guard let figure = named.first, named.count == 1 else {
      let known = keys.prefix(1) + figures.map(Self.shortName)
      throw command.misused(
        "\(option.name): groups can't be sorted by \(TerminalText.quoted(name))",
        suggestion: .among(Array(known), nearestTo: name))
    }
    self.init(order: isDescending ? .descending(figure) : .ascending(figure), isReversed: false)
  }

  /// The figure as an option asks for it: `avg(weight)`.
  private static func shortName(_ figure: AnyFigure) -> String {
    "\(figure.function == .average ? "avg" : figure.function.rawValue)\(figure.key.map { "(\($0))" } ?? "")"
  }

  private static func names(of figure: AnyFigure) -> [String] {
    let short = shortName(figure)
    return [figure.description, short, figure.function.rawValue, String(short.prefix { $0 != "(" })]
  }
}
