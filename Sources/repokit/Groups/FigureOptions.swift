import Query

/// The options that ask for figures, each of which makes a column of the result, in the order in which they stand.
enum FigureOptions {
  static let count = OptionDescription(
    name: "--count", help: "How many rows each group has; shown also where no figure is asked for.")
  static let average = option("--avg", "The average of the numbers of K.")
  static let sum = option("--sum", "The sum of the numbers of K.")
  static let min = option("--min", "The least value of K.")
  static let max = option("--max", "The greatest value of K.")

  static let all = [count, average, sum, min, max]

  private static func option(_ name: String, _ help: String) -> OptionDescription {
    OptionDescription(name: name, value: "K", help: help, isRepeatable: true, completion: .column)
  }

  /// The figures that a call asks for, in the order in which they were written.
  static func figures(_ arguments: Arguments) throws(Failure) -> [AnyFigure] {
    var figures: [AnyFigure] = []
    for (option, value) in arguments.inOrder(all) {
      // A name may stand in double quotes, as in the other options.
      let key = NameList.parse(value).flatMap { $0.count == 1 ? $0[0] : nil } ?? value
      let figure = figure(option.name, of: key)
      if figures.contains(figure) {
        throw arguments.command.misused("\(option.name) \(TerminalText.quoted(value)) stands there twice")
      }
      figures.append(figure)
    }
    return figures.isEmpty ? [.count] : figures
  }

  private static func figure(_ option: String, of key: String) -> AnyFigure {
    switch option {
    case average.name: .average(key: key)
    case sum.name: .sum(key: key)
    case min.name: .min(key: key)
    case max.name: .max(key: key)
    default: .count
    }
  }
}
