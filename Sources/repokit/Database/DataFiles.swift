import Query
import RowImport
import SQLStore
import SQLiteStore

/// Files of rows used as a database: the tables of one in memory, each named after its file.
struct DataFiles {
  /// The files, the one in the position of the database first.
  let files: [InputArguments.File]
  typealias Reference = (table: String, rule: ReferenceRule)
  let references: [Reference]
  private let format: InputFormat?
  private let options: DelimitedOptions
  private let types: [(column: String, type: ValueType)]
  private let skipsBadRows: Bool

  /// A file without any options, for completions.
  init(_ path: String) {
    files = [InputArguments.File(path)]
    (references, format, options, types, skipsBadRows) = ([], nil, DelimitedOptions(), [], false)
  }

  /// - Throws: ``Failure`` where options are invalid.
  init(_ path: String, _ arguments: Arguments) throws(Failure) {
    let file = InputArguments.File(path)
    try self.init([file], main: file.table, arguments)
  }

  /// Files beside a database.
  ///
  /// - Parameter table: the table of the database in whose columns references begin, unless they name another.
  init(beside table: String?, _ arguments: Arguments) throws(Failure) {
    try self.init([], main: table, arguments)
  }

  private init(_ first: [InputArguments.File], main: String?, _ arguments: Arguments) throws(Failure) {
    var files = first
    for text in arguments.all(InputArguments.with) { files.append(InputArguments.File(named: text)) }
    for (index, file) in files.enumerated()
    where files[..<index].contains(where: { Name($0.table).equalsFolded(file.table) }) {
      throw arguments.command.usageError(
        "two files would become the table \(file.table)",
        suggestion: "\(InputArguments.with.name) name=\(file.path) renames one of the tables")
    }
    let tables = files.map(\.table) + (first.isEmpty ? [main].compactMap(\.self) : [])
    references = try arguments.all(InputArguments.reference).map { text throws(Failure) in
      try InputArguments.reference(
        text, from: main ?? tables[0], among: tables, andOthers: first.isEmpty, for: arguments.command)
    }
    format = try arguments.choice(InputArguments.from, of: InputFormat.self)
    options = try DelimitedArguments.read(arguments)
    types = try ColumnTypes.read(InputArguments.types, of: arguments)
    skipsBadRows = arguments.has(InputArguments.skipBad)
    self.files = files
  }

  // MARK: Reading

  /// Reads the files into a database in memory.
  ///
  /// - Parameter isQuiet: whether notes on assumptions about the files are suppressed.
  func open(isQuiet: Bool = false) throws(Failure) -> SQLDatabase {
    do {
      let store = try SQLiteStore.inMemory()
      OpenStores.add(store)
      try add(to: store, isQuiet: isQuiet)
      return store
    } catch {
      throw Failure(translating: error)
    }
  }

  /// Adds the tables of the files to a database.
  ///
  /// - Parameter prepare: makes what a reference needs, once its tables are there.
  func add(
    to store: SQLiteStore, isQuiet: Bool = false, _ prepare: (Reference) throws -> Void = { _ in }
  ) throws {
    let progress = ImportProgress(ProgressBar(Console()), readsStandardInput: files.contains { $0.path == "-" })
    let names = files.map(\.table)
    for reference in references where !names.contains(named: reference.rule.table) { try prepare(reference) }
    for file in files {
      let input = try InputFile(opening: file.path, format, options, skipsBadRows: skipsBadRows, progress)
      let own = references.filter { Name($0.table) == file.table }.map(\.rule)
      let keys = references.map(\.rule).filter { Name($0.table) == file.table }.flatMap(\.key)
      let job = TableImport.Job(
        table: file.table, types: types, mode: .create, skipsBadRows: skipsBadRows, uniqueColumns: keys,
        references: own)
      let report = try TableImport(job, of: [input], into: store, progress).run()
      if isQuiet { continue }
      for note in report.notes { StandardStreams.say("note: \(note)") }
      if let skipped = report.skippedRows { StandardStreams.say("\(skipped)") }
    }
    for reference in references where names.contains(named: reference.rule.table) { try prepare(reference) }
    if !isQuiet { try noteMismatches(in: store) }
  }

  /// Tells of references between numbers and texts, by which no row leads to another.
  private func noteMismatches(in store: SQLDatabase) throws {
    for (table, rule) in references {
      let (source, target) = (try store.schema(ofTable: table), try store.schema(ofTable: rule.table))
      for (from, to) in zip(rule.columns, rule.key) {
        let (column, key) = (source.columns[try source.position(of: from)], target.columns[try target.position(of: to)])
        let isMatch = !column.kinds.isDisjoint(with: key.kinds)
        if isMatch { continue }
        // Only columns of files take a type.
        let isOfTarget = column.type == .text
        let isOfFile = files.map(\.table).contains(named: isOfTarget ? rule.table : table)
        let advice = "; \(InputArguments.types.name) \(isOfTarget ? to : from)=text reads both as text"
        StandardStreams.say(
          "note: \(from) of \(table) is \(column.type), but \(to) of \(rule.table) is \(key.type), so paths find "
            + "no row\(isOfFile ? advice : "")")
      }
    }
  }
}
