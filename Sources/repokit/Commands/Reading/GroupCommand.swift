import LineEditor
import Query

/// `repokit group`: aggregates of groups of rows.
struct GroupCommand: Command {
  static let description = CommandDescription(
    name: "group", summary: "Count, sum and average rows by group.",
    examples: [
      .init(arguments: "group pokedex.sqlite pokemon --by type1", meaning: "Count the Pokémon of each type."),
      .init(
        arguments: "group pokedex.sqlite pokemon \"weight > 1\" --by type1,type2 --count --avg weight --sort=-count",
        meaning: "Count and average each pair of types, most common pair first."),
      .init(
        arguments:
          "group pokedex.sqlite pokemon --by type1 --having \"count() > 10\" --aggregate \"countDistinct(type2)\"",
        meaning: "Types with more than ten Pokémon, and their distinct second types."),
      .init(
        arguments: "group pokedex.sqlite pokemon --by type1 --avg weight --chart", meaning: "Draw bars in the terminal."
      ),
    ],
    positionals: [.source, .table, .condition],
    options: [by] + AggregateOptions.all
      + [having, sort, .limit, ChartStyle.option, FullTextMatch.option, .dates, .parameter, .rowFormat, .engine],
    notes: [
      .paragraph(
        "Nulls form a group of their own; aggregates ignore nulls. A sum of integers is an integer, or an error on "
          + "overflow; an average is a real. Both are exact, in any order of rows."),
      .queries, .parameters,
      InputArguments.note,
    ])

  private static let by = OptionDescription(
    name: "--by", value: "K[,K2]",
    help: "Group by these columns or expressions, such as \"year(born) as year\" (default: one group).",
    completion: .columns)
  private static let having = OptionDescription(
    name: "--having", value: "QUERY",
    help: "Show only groups that match a query on keys and aggregates, such as \"count() > 3 and sum(weight) > 100\".")
  private static let sort = OptionDescription(
    name: "--sort", value: "SORT",
    help:
      "Sort by an aggregate such as count, avg or avg(weight), or by the first group key; - sorts descending "
      + "(default: the keys).")

  private let rows: RowArguments
  private let keys: [String]
  /// The names of the keys in the result, if they are given.
  private let keyNames: [String?]
  private let aggregates: AggregateOptions
  private let order: String?
  private let having: String?
  private let limit: Int?
  private let chart: ChartStyle?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    let named = (try arguments.names(Self.by) ?? []).map(NamedText.init)
    (keys, keyNames) = (named.map(\.text), named.map(\.name))
    aggregates = AggregateOptions(arguments)
    (order, having) = (arguments[Self.sort], arguments[Self.having])
    // Invalid arguments are reported before anything is opened.
    let reader = QueryReader(rows.parameters)
    for key in keys { _ = try reader.key(key, Self.by) }
    let found = try aggregates.read(reader)
    if let order { _ = try GroupOrder(order, of: found, keys: keys, keyNames, reader, Self.sort) }
    if let having { _ = try reader.having(having, groupedBy: [], Self.having) }
    try rows.parameters.checkUsed()
    limit = try arguments.integer(.limit)
    chart = ChartStyle(arguments)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable(console)
    let reader = rows.reader(in: table.schema, of: table.store)
    let query = try rows.query(reader)
    let groupKeys = try keys.map { try reader.groupKey($0, Self.by) }
    let keys = groupKeys.map(\.read)
    let named = try aggregates.read(reader)
    let aggregates = named.map(\.aggregate)
    let order = try order.map { try GroupOrder($0, of: named, keys: self.keys, keyNames, reader, Self.sort) } ?? .byKeys
    let having = try having.map { try reader.having($0, groupedBy: groupKeys.map(\.written), Self.having) } ?? .true
    // The opposite order begins with the last groups, so that all have to be known. A limit that makes no sense is refused by
    // the request.
    let isCutHere = order.isReversed && limit ?? 0 >= 0
    let request = AggregateRequest(
      aggregates, of: query, groupedBy: keys, having: having, sortedBy: order.order,
      limit: isCutHere ? nil : limit)
    let bar = ProgressBar(console)
    bar.begin("grouping \(rows.table)", total: nil, isSlow: rows.database.isLarge)
    var groups = try Failure.translating {
      defer { bar.end() }
      return try table.aggregate(request)
    }
    if order.isReversed { groups = Array(groups.reversed().prefix(limit ?? .max)) }
    let show = rows.dates.formatter(of: keys.map(\.plainKey) + aggregates.map(Self.dateColumn))
    let shown = groups.map { show($0.keys + $0.aggregates) }
    let columns = try Failure.translating {
      try zip(groupKeys.map(\.written), keyNames).map { key, name in
        guard let column = key.plainKey else { return ColumnHeading(name ?? key.description) }
        let heading = table.schema.columns[try table.schema.position(of: column)]
        return name.map { ColumnHeading(heading, as: $0) } ?? ColumnHeading(heading)
      }
    }
    let plainKeys = keys.compactMap(\.plainKey)
    defer { table.reportNotes(on: query, keys: plainKeys, console) }
    if let chart {
      let width = StandardStreams.outputSize.columns
      let texts = charts(groups, shown, under: columns, of: named).map {
        BarChartText($0, width: width, style: chart).text
      }
      return try console.print(texts.joined(separator: "\n"))
    }
    let headings = named.map { named in
      let column = Self.column(of: named.aggregate, in: table.schema)
      return column.map { ColumnHeading($0, as: heading(of: named, under: columns)) }
        ?? ColumnHeading(
          heading(of: named, under: columns), isNumeric: isNumeric(named.aggregate, in: table.schema))
    }
    try console.printRows(shown, under: columns + headings, as: format ?? console.format)
  }

  /// The column whose values an aggregate returns.
  private static func dateColumn(of aggregate: AnyAggregate) -> String? {
    switch aggregate.function {
    case .min, .max, .average: aggregate.key?.plainKey
    case .count, .countDistinct, .sum: nil
    }
  }

  /// - Parameter shown: the keys and aggregates of the groups, as they are shown.
  private func charts(
    _ groups: [AggregateRow], _ shown: [[Value]], under columns: [ColumnHeading], of aggregates: [NamedAggregate]
  ) -> [BarChart] {
    aggregates.indices.map { position in
      BarChart(
        title: aggregates[position].heading,
        zip(groups, shown).map { group, shown in
          let label = zip(columns, shown).map { TruncatedText.of($0.shown($1), columns: 60) }.joined(separator: ", ")
          return (label, group.aggregates[position])
        })
    }
  }

  /// The aggregate's own name, unless a key has that: objects of JSON can't have two members of one name.
  private func heading(of aggregate: NamedAggregate, under columns: [ColumnHeading]) -> String {
    var heading = aggregate.heading
    while columns.contains(where: { Name($0.name) == Name(heading) }) { heading += "*" }
    return heading
  }

  /// The column of the values that an aggregate chooses among; `nil` for one that computes a value.
  private static func column(of aggregate: AnyAggregate, in table: TableSchema) -> ColumnSchema? {
    guard aggregate.function == .min || aggregate.function == .max else { return nil }
    return aggregate.key?.plainKey.flatMap { table.columns.first(named: $0) }
  }

  private func isNumeric(_ aggregate: AnyAggregate, in table: TableSchema) -> Bool {
    guard aggregate.function == .min || aggregate.function == .max, let key = aggregate.key?.plainKey else {
      return true
    }
    return table.columns.first(named: key).map { ColumnHeading($0).isNumeric } ?? false
  }
}

/// An aggregate, with the name of its column in the result.
struct NamedAggregate {
  let aggregate: AnyAggregate
  /// The name; `nil` for the text of the aggregate.
  let name: String?
  var heading: String { name ?? aggregate.description }
}

/// The order in which groups are shown.
struct GroupOrder {
  /// The order of the groups.
  let order: AggregateOrder
  /// Whether they are shown in reverse: by their keys, in descending order.
  let isReversed: Bool

  static let byKeys = GroupOrder(order: .group, isReversed: false)

  private init(order: AggregateOrder, isReversed: Bool) {
    self.order = order
    self.isReversed = isReversed
  }

  /// Reads an order: an aggregate as `count`, `avg` or `avg(weight)`, or the first key of the groups, perhaps after `-` or
  /// before `desc`.
  init(
    _ text: String, of named: [NamedAggregate], keys: [String], _ keyNames: [String?], _ reader: QueryReader,
    _ option: OptionDescription
  ) throws(Failure) {
    let (name, isDescending) = Self.direction(of: text)
    let aggregates = named.map(\.aggregate)
    if let own = named.first(where: { $0.name.map { Name($0) == name } ?? false })?.aggregate {
      self.init(order: isDescending ? .descending(own) : .ascending(own), isReversed: false)
      return
    }
    if let first = keys.first,
      Name(first) == name || Self.isSame(first, name) || keyNames[0].map({ Name($0) == name }) ?? false
    {
      self.init(order: .group, isReversed: isDescending)
      return
    }
    var found = aggregates.filter { Self.names(of: $0).contains(named: name) }
    // It may be written with other blanks.
    if found.isEmpty, let same = reader.aggregate(like: name) { found = aggregates.filter { $0 == same } }
    guard let aggregate = found.first, found.count == 1 else {
      let known = keys.prefix(1) + named.map { $0.name ?? Self.shortName($0.aggregate) }
      throw Failure(
        "\(option.name): groups have no \(TerminalText.quoted(name)) to sort by",
        details: [.among(Array(known), nearestTo: name)], status: .usageError)
    }
    self.init(order: isDescending ? .descending(aggregate) : .ascending(aggregate), isReversed: false)
  }

  /// Whether both are the same expression, apart from blanks.
  private static func isSame(_ key: String, _ name: String) -> Bool {
    guard let key = try? AnyExpression(parsing: key), let name = try? AnyExpression(parsing: name) else { return false }
    return key == name
  }

  private static func direction(of text: String) -> (name: String, isDescending: Bool) {
    if text.hasPrefix("-") { return (String(text.dropFirst()), true) }
    let isDescending = text.lowercased().hasSuffix(" desc")
    if !isDescending, !text.lowercased().hasSuffix(" asc") { return (text, false) }
    var name = text.dropLast(isDescending ? 5 : 4)
    while name.last == " " { name.removeLast() }
    return (String(name), isDescending)
  }

  /// The aggregate as an option asks for it: `avg(weight)`.
  private static func shortName(_ aggregate: AnyAggregate) -> String {
    let description = aggregate.description
    return aggregate.function == .average ? "avg" + description.dropFirst("average".count) : description
  }

  private static func names(of aggregate: AnyAggregate) -> [String] {
    let short = shortName(aggregate)
    let plain = aggregate.key?.plainKey.map { "\(short.prefix { $0 != "(" })(\($0))" }
    return [
      aggregate.description, short, plain ?? short, aggregate.function.rawValue, String(short.prefix { $0 != "(" }),
    ]
  }
}

/// The options that ask for aggregates, each of which makes a column of the result, in the order of the command line.
struct AggregateOptions {
  static let count = OptionDescription(
    name: "--count", help: "Count the rows of each group (default without another aggregate).")
  static let average = option("--avg", "Average the numbers of K.")
  static let sum = option("--sum", "Sum the numbers of K.")
  static let min = option("--min", "Show the smallest value of K.")
  static let max = option("--max", "Show the greatest value of K.")

  static let aggregate = OptionDescription(
    name: "--aggregate", value: "A",
    help:
      "Show any aggregate, such as countDistinct(name), or \"sum(weight where legendary = true) as legends\" for some rows "
      + "only, with a name.",
    isRepeatable: true)

  static let all = [count, average, sum, min, max, aggregate]

  private static func option(_ name: String, _ help: String) -> OptionDescription {
    OptionDescription(name: name, value: "K[,K2]", help: help, isRepeatable: true, completion: .expression)
  }

  private let asked: [(option: OptionDescription, value: String)]
  private let command: CommandDescription

  init(_ arguments: Arguments) {
    (asked, command) = (arguments.inOrder(Self.all), arguments.command)
  }

  /// The aggregates that a call asks for, in the order in which they were written.
  func read(_ reader: QueryReader) throws(Failure) -> [NamedAggregate] {
    var aggregates: [NamedAggregate] = []
    for (option, value) in asked {
      for key in Self.keys(option, value) {
        let named = NamedText(key)
        let aggregate = try Self.read(option, named.text, reader)
        if aggregates.contains(where: { $0.aggregate == aggregate }) {
          throw command.usageError("\(option.name) \(TerminalText.quoted(key)) is given twice")
        }
        let column = NamedAggregate(aggregate: aggregate, name: named.name)
        if let other = aggregates.first(where: { Name($0.heading) == Name(column.heading) }) {
          throw command.usageError("\(TerminalText.quoted(other.heading)) is the name of two columns")
        }
        aggregates.append(column)
      }
    }
    return aggregates.isEmpty ? [NamedAggregate(aggregate: .count, name: nil)] : aggregates
  }

  /// Returns the keys of an option: names and expressions with commas between them; a name may be in double quotes.
  private static func keys(_ option: OptionDescription, _ value: String) -> [String] {
    if option.name == count.name || option.name == aggregate.name { return [value] }
    return NameList.parse(value) ?? [value]
  }

  private static func read(
    _ option: OptionDescription, _ key: String, _ reader: QueryReader
  ) throws(Failure) -> AnyAggregate {
    switch option.name {
    case aggregate.name: return try reader.aggregate(key, option)
    case average.name: return try reader.aggregate(.average, of: key, option)
    case sum.name: return try reader.aggregate(.sum, of: key, option)
    case min.name: return try reader.aggregate(.min, of: key, option)
    case max.name: return try reader.aggregate(.max, of: key, option)
    default: return .count
    }
  }
}
