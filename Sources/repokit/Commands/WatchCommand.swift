import Query
import SQLiteStore

/// `repokit watch`: rows, and again after each change.
struct WatchCommand: Command {
  static let description = CommandDescription(
    name: "watch", summary: "Shows rows, and shows them anew whenever they change.",
    examples: [
      .init(
        arguments: "watch pokedex.sqlite pokemon \"type1 = 'fire'\" --sort=-weight --limit 10",
        meaning: "The ten heaviest, whoever writes to the file."),
      .init(
        arguments: "watch pokedex.sqlite pokemon --times 2 --format json",
        meaning: "What is there, and what is there after the next change; then it ends."),
    ],
    positionals: [.database, .table, .condition],
    options: [.sort, .limit, .offset, .columns, times, .parameter, .rowFormat],
    notes: [
      .paragraph(
        "Changes by any program are noticed within a tenth of a second, and only those that change the result are "
          + "shown; of several in a row, perhaps only the last. On a terminal each result takes the place of the one "
          + "before. Elsewhere they follow each other, with an empty line between them; in json without."),
      .paragraph("Control-C ends it, and so does whoever reads its output by reading no more."),
      .queries, .parameters,
    ])

  private static let times = OptionDescription(
    name: "--times", value: "N", help: "Ends after N results, the first one included.")

  private let rows: RowArguments
  private let arguments: Arguments
  private let columns: [String]?
  private let times: Int?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    self.arguments = arguments
    // What is wrong with the options is said before anything is opened.
    _ = try FetchRequest(rows.query, arguments)
    columns = try arguments.names(.columns)
    times = try arguments.integer(Self.times)
    if let times, times < 1 { throw arguments.command.misused("\(Self.times.name): it has to be 1 or more") }
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    // In a shell, Control-C ends the command, and not the program.
    let isAlone = !CancellableCommand.isListening
    if isAlone { Interruption.postpone() }
    try await watch(console, isAlone: isAlone)
    // The database is closed by now.
    if isAlone { Interruption.resume() }
  }

  private func watch(_ console: Console, isAlone: Bool) async throws {
    let store = try rows.database.open(.readOnly)
    let (schema, repository) = try Failure.translating {
      let schema = try store.schema(ofTable: rows.table)
      return (schema, try store.repository(for: Schema(schema)) as SQLiteRepository<Record>)
    }
    let positions = try Failure.translating {
      try columns?.map { try schema.position(of: $0) } ?? Array(schema.columns.indices)
    }
    let screen = WatchScreen(
      console, positions.map { ColumnHeading(schema.columns[$0]) }, format ?? console.format, of: rows.table)
    let request = try FetchRequest(try rows.query(in: schema), arguments)
    let (changes, times) = (repository.changes(request), times)
    try await withThrowingTaskGroup { group in
      group.addTask {
        var count = 0
        for try await records in changes {
          try screen.show(records.map { record in positions.map { record.values[$0] } }, number: count)
          count += 1
          if count == times { break }
        }
      }
      group.addTask {
        // A signal can only set a flag, and nobody tells of a reader that has left: so both are looked for.
        while !Task.isCancelled, !(isAlone && Interruption.isRequested), !WatchScreen.isReaderGone {
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
      // Whichever ends first ends the other.
      try await group.next()
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}
