import Query

/// `repokit group`: figures of groups of rows.
struct GroupCommand: Command {
  static let description = CommandDescription(
    name: "group", summary: "Counts, adds up and averages rows in groups.",
    examples: [
      .init(arguments: "group pokedex.sqlite pokemon --by type1", meaning: "How many there are of each type."),
      .init(
        arguments: "group pokedex.sqlite pokemon \"weight > 1\" --by type1,type2 --count --avg weight --sort=-count",
        meaning: "Two figures of each pair of types, the most common first."),
      .init(
        arguments: "group pokedex.sqlite pokemon --by type1 --avg weight --chart", meaning: "Bars in the terminal."),
      .init(
        arguments: "group pokedex.sqlite pokemon --by type1 --chart svg types.svg", meaning: "A picture of bars."),
    ],
    positionals: [.database, .table, .condition],
    options: [by] + FigureOptions.all
      + [sort, limit, ChartForm.option, OutputFile.force, .parameter, .rowFormat, .engine],
    notes: [
      .paragraph(
        "Nulls make a group of their own, and are left out of every figure of a key. A sum of integers is an integer, or "
          + "an error where it is too great; an average is a real. Both are exact, whatever the order of the rows."),
      .queries, .parameters,
    ])

  private static let by = OptionDescription(
    name: "--by", value: "K[,K2]", help: "The keys by whose values rows are grouped; one group if it is left out.",
    completion: .columns)
  private static let sort = OptionDescription(
    name: "--sort", value: "FIGURE",
    help: "One of the figures, as count, avg or avg(weight), or the first key of the groups; from great to small after "
      + "-. By the keys if it is left out.")
  private static let limit = OptionDescription(name: "--limit", value: "N", help: "At most N groups.")

  private let rows: RowArguments
  private let keys: [String]
  private let figures: [AnyFigure]
  private let order: GroupOrder
  private let limit: Int?
  private let chart: ChartForm?
  private let replaces: Bool
  private let format: FormatName?
  private let condition: String?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    keys = try arguments.names(Self.by) ?? []
    figures = try FigureOptions.figures(arguments)
    if let text = arguments[Self.sort] {
      order = try GroupOrder(text, figures: figures, keys: keys, Self.sort, arguments.command)
    } else {
      order = .byKeys
    }
    limit = try arguments.integer(Self.limit)
    chart = ChartForm(arguments)
    replaces = arguments.has(OutputFile.force)
    if replaces, chart.map({ [.bars, .ascii].contains($0) }) ?? true {
      throw arguments.command.misused("--force makes no sense without --chart svg")
    }
    format = try arguments.choice(.rowFormat, of: FormatName.self)
    condition = arguments[.condition]
  }

  func run(_ console: Console) async throws {
    // Whether it may be made is told before anything is read.
    var picture: OutputFile?
    if case .svg(let file)? = chart, file != "-" {
      picture = try OutputFile(file, replaces: replaces, from: rows.database)
    }
    let table = try rows.openTable()
    // The opposite order begins with the last groups, so that all have to be known.
    let request = FigureRequest(
      figures, of: try rows.query(in: table.schema), groupedBy: keys, sortedBy: order.order,
      limit: order.isReversed ? nil : limit)
    var groups = try Failure.translating { try table.figures(request) }
    if order.isReversed { groups = Array(groups.reversed().prefix(limit ?? .max)) }
    switch chart {
    case nil:
      let columns = try Failure.translating {
        try keys.map { ColumnHeading(table.schema.columns[try table.schema.position(of: $0)]) }
      }
      let headings =
        columns
        + figures.map { figure in
          ColumnHeading(heading(of: figure), isNumeric: isNumeric(figure, in: table.schema))
        }
      try console.printRows(groups.map { $0.keys + $0.figures }, under: headings, as: format ?? console.format)
    case .bars, .ascii:
      let width = StandardStreams.outputSize.columns
      let texts = charts(groups).map { BarChartText($0, width: width, ink: chart == .ascii ? .ascii : .blocks).text }
      try console.print(texts.joined(separator: "\n"))
    case .svg:
      let by = keys.isEmpty ? "" : " by \(keys.joined(separator: ", "))"
      let title = "\(rows.table)\(by)" + (condition.map { " where \($0)" } ?? "")
      let text = BarChartSVG(title: title, charts(groups)).text
      guard let picture else { return try console.print(text) }
      try picture.write(Array(text.utf8)[...])
      try picture.finish()
    }
  }

  private func charts(_ groups: [FigureRow]) -> [BarChart] {
    figures.indices.map { position in
      BarChart(
        title: figures[position].description,
        groups.map { group in
          (group.keys.map { Excerpt.of($0, columns: 60) }.joined(separator: ", "), group.figures[position])
        })
    }
  }

  /// The figure's own name, unless a key has that: objects of JSON can't have two members of one name.
  private func heading(of figure: AnyFigure) -> String {
    var heading = figure.description
    while keys.contains(heading) { heading += "*" }
    return heading
  }

  private func isNumeric(_ figure: AnyFigure, in table: TableSchema) -> Bool {
    guard figure.function == .min || figure.function == .max, let key = figure.key else { return true }
    return table.columns.first { $0.isCalled(key) }.map { ColumnHeading($0).isNumeric } ?? false
  }
}
