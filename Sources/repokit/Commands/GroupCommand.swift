import LineEditor
import Query

/// `repokit group`: aggregates of groups of rows.
struct GroupCommand: Command {
  static let description = CommandDescription(
    name: "group", summary: "Counts, adds up and averages rows in groups.",
    examples: [
      .init(arguments: "group pokedex.sqlite pokemon --by type1", meaning: "How many there are of each type."),
      .init(
        arguments: "group pokedex.sqlite pokemon \"weight > 1\" --by type1,type2 --count --avg weight --sort=-count",
        meaning: "Two aggregates of each pair of types, the most common first."),
      .init(
        arguments:
          "group pokedex.sqlite pokemon --by type1 --having \"count() > 10\" --aggregate \"countDistinct(type2)\"",
        meaning: "Types that more than ten have, and with how many second ones."),
      .init(
        arguments: "group pokedex.sqlite pokemon --by type1 --avg weight --chart", meaning: "Bars in the terminal."),
    ],
    positionals: [.database, .table, .condition],
    options: [by] + AggregateOptions.all
      + [having, sort, limit, ChartStyle.option, .parameter, .rowFormat, .engine],
    notes: [
      .paragraph(
        "Nulls make a group of their own, and are left out of every aggregate of a key. A sum of integers is an integer, or "
          + "an error where it is too great; an average is a real. Both are exact, whatever the order of the rows."),
      .queries, .parameters,
    ])

  private static let by = OptionDescription(
    name: "--by", value: "K[,K2]",
    help: "The keys by whose values rows are grouped, or expressions such as year(born); one group if it is left out.",
    completion: .columns)
  private static let having = OptionDescription(
    name: "--having", value: "QUERY",
    help: "Only groups that match a query of their keys and aggregates, such as \"count() > 3 and sum(weight) > 100\".")
  private static let sort = OptionDescription(
    name: "--sort", value: "AGGREGATE",
    help:
      "One of the aggregates, as count, avg or avg(weight), or the first key of the groups; from great to small after "
      + "-. By the keys if it is left out.")
  private static let limit = OptionDescription(name: "--limit", value: "N", help: "At most N groups.")

  private let rows: RowArguments
  private let keys: [String]
  private let aggregates: [AnyAggregate]
  private let order: GroupOrder
  private let having: AnyQuery
  private let limit: Int?
  private let chart: ChartStyle?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    keys = try arguments.names(Self.by) ?? []
    aggregates = try AggregateOptions.aggregate(arguments)
    if let text = arguments[Self.sort] {
      order = try GroupOrder(text, aggregates: aggregates, keys: keys, Self.sort, arguments.command)
    } else {
      order = .byKeys
    }
    do throws(ParseError) {
      having = try arguments[Self.having].map { text throws(ParseError) in try AnyQuery(parsingHaving: text) } ?? .true
    } catch {
      throw Failure(error)
    }
    limit = try arguments.integer(Self.limit)
    chart = ChartStyle(arguments)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable(console)
    // The opposite order begins with the last groups, so that all have to be known.
    let keys = try keys.map { text in
      let key = try table.schema.expression(text)
      try table.schema.check(
        AnySort([SortTerm(key, direction: .ascending, nulls: .first)]), as: text, beside: table.store)
      return key
    }
    let aggregates = try aggregates.map { try $0.reading(table.schema) }
    let request = AggregateRequest(
      aggregates, of: try rows.query(in: table.schema, of: table.store), groupedBy: keys, having: having,
      sortedBy: try order.order.reading(table.schema),
      limit: order.isReversed ? nil : limit)
    var groups = try Failure.translating { try table.aggregate(request) }
    if order.isReversed { groups = Array(groups.reversed().prefix(limit ?? .max)) }
    if let chart {
      let width = StandardStreams.outputSize.columns
      let texts = charts(groups).map { BarChartText($0, width: width, ink: chart == .ascii ? .ascii : .blocks).text }
      return try console.print(texts.joined(separator: "\n"))
    }
    let columns = try Failure.translating {
      try keys.map { key in
        guard let name = key.plainKey else { return ColumnHeading(key.description) }
        return ColumnHeading(table.schema.columns[try table.schema.position(of: name)])
      }
    }
    let headings = aggregates.map { aggregate in
      ColumnHeading(heading(of: aggregate), isNumeric: isNumeric(aggregate, in: table.schema))
    }
    try console.printRows(
      groups.map { $0.keys + $0.aggregates }, under: columns + headings, as: format ?? console.format)
  }

  private func charts(_ groups: [AggregateRow]) -> [BarChart] {
    aggregates.indices.map { position in
      BarChart(
        title: aggregates[position].description,
        groups.map { group in
          (group.keys.map { Excerpt.of($0, columns: 60) }.joined(separator: ", "), group.aggregates[position])
        })
    }
  }

  /// The aggregate's own name, unless a key has that: objects of JSON can't have two members of one name.
  private func heading(of aggregate: AnyAggregate) -> String {
    var heading = aggregate.description
    while keys.contains(named: heading) { heading += "*" }
    return heading
  }

  private func isNumeric(_ aggregate: AnyAggregate, in table: TableSchema) -> Bool {
    guard aggregate.function == .min || aggregate.function == .max, let key = aggregate.key?.plainKey else {
      return true
    }
    return table.columns.first(named: key).map { ColumnHeading($0).isNumeric } ?? false
  }
}

extension AnyAggregate {
  /// The same aggregate of what its key means in a table.
  fileprivate func reading(_ table: TableSchema) throws(Failure) -> AnyAggregate {
    guard let name = key?.plainKey else { return self }
    return AnyAggregate(function, of: try table.expression(name), where: query)
  }
}

extension AggregateOrder {
  fileprivate func reading(_ table: TableSchema) throws(Failure) -> AggregateOrder {
    switch self {
    case .group: self
    case .ascending(let aggregate): .ascending(try aggregate.reading(table))
    case .descending(let aggregate): .descending(try aggregate.reading(table))
    }
  }
}

/// In which order groups are shown.
struct GroupOrder {
  /// The order of the groups.
  let order: AggregateOrder
  /// Whether they are shown in the opposite of it: by their keys, from great to small.
  let isReversed: Bool

  static let byKeys = GroupOrder(order: .group, isReversed: false)

  private init(order: AggregateOrder, isReversed: Bool) {
    self.order = order
    self.isReversed = isReversed
  }

  /// Reads an order: an aggregate as `count`, `avg` or `avg(weight)`, or the first key of the groups, perhaps after
  /// `-`.
  init(
    _ text: String, aggregates: [AnyAggregate], keys: [String], _ option: OptionDescription,
    _ command: CommandDescription
  )
    throws(Failure)
  {
    let isDescending = text.hasPrefix("-")
    let name = isDescending ? String(text.dropFirst()) : text
    if let first = keys.first, Name(first) == name {
      self.init(order: .group, isReversed: isDescending)
      return
    }
    let named = aggregates.filter { Self.names(of: $0).contains(named: name) }
    guard let aggregate = named.first, named.count == 1 else {
      let known = keys.prefix(1) + aggregates.map(Self.shortName)
      throw command.usageError(
        "\(option.name): groups can't be sorted by \(TerminalText.quoted(name))",
        suggestion: .among(Array(known), nearestTo: name))
    }
    self.init(order: isDescending ? .descending(aggregate) : .ascending(aggregate), isReversed: false)
  }

  /// The aggregate as an option asks for it: `avg(weight)`.
  private static func shortName(_ aggregate: AnyAggregate) -> String {
    "\(aggregate.function == .average ? "avg" : aggregate.function.rawValue)\(aggregate.key.map { "(\($0.plainKey ?? $0.description))" } ?? "")"
  }

  private static func names(of aggregate: AnyAggregate) -> [String] {
    let short = shortName(aggregate)
    return [aggregate.description, short, aggregate.function.rawValue, String(short.prefix { $0 != "(" })]
  }
}

/// The options that ask for aggregates, each of which makes a column of the result, in the order of the command line.
enum AggregateOptions {
  static let count = OptionDescription(
    name: "--count", help: "How many rows each group has; shown also where no aggregate is asked for.")
  static let average = option("--avg", "The average of the numbers of K.")
  static let sum = option("--sum", "The sum of the numbers of K.")
  static let min = option("--min", "The least value of K.")
  static let max = option("--max", "The greatest value of K.")

  static let aggregate = OptionDescription(
    name: "--aggregate", value: "A",
    help: "Any aggregate, as countDistinct(name), or of some rows alone: sum(weight where legendary = true).",
    isRepeatable: true)

  static let all = [count, average, sum, min, max, aggregate]

  private static func option(_ name: String, _ help: String) -> OptionDescription {
    OptionDescription(name: name, value: "K", help: help, isRepeatable: true, completion: .expression)
  }

  /// The aggregates that a call asks for, in the order in which they were written.
  static func aggregate(_ arguments: Arguments) throws(Failure) -> [AnyAggregate] {
    var aggregates: [AnyAggregate] = []
    for (option, value) in arguments.inOrder(all) {
      // A name may be in double quotes, as in the other options.
      let key = NameList.parse(value).flatMap { $0.count == 1 ? $0[0] : nil } ?? value
      let aggregate = option.name == Self.aggregate.name ? try read(value) : aggregate(option.name, of: key)
      if aggregates.contains(aggregate) {
        throw arguments.command.usageError("\(option.name) \(TerminalText.quoted(value)) stands there twice")
      }
      aggregates.append(aggregate)
    }
    return aggregates.isEmpty ? [.count] : aggregates
  }

  private static func read(_ text: String) throws(Failure) -> AnyAggregate {
    do throws(ParseError) {
      return try AnyAggregate(parsing: text)
    } catch {
      throw Failure(error)
    }
  }

  private static func aggregate(_ option: String, of key: String) -> AnyAggregate {
    switch option {
    case average.name: .average(key: key)
    case sum.name: .sum(key: key)
    case min.name: .min(key: key)
    case max.name: .max(key: key)
    default: .count
    }
  }
}
