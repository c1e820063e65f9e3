import Query
import RowImport
import SQLStore
import SQLiteStore

/// Files of rows used as a database: the tables of one in memory, each named after its file.
struct DataFiles {
  /// The files, the one in the position of the database first.
  let files: [InputArguments.File]
  private let references: [(table: String, rule: ReferenceRule)]
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
    var files = [InputArguments.File(path)]
    for text in arguments.all(InputArguments.with) { files.append(InputArguments.File(named: text)) }
    for (index, file) in files.enumerated()
    where files[..<index].contains(where: { Name($0.table).equalsFolded(file.table) }) {
      throw arguments.command.usageError(
        "two files would become the table \(file.table)",
        suggestion: "\(InputArguments.with.name) name=\(file.path) renames one of the tables")
    }
    let main = files[0].table
    references = try arguments.all(InputArguments.reference).map { text throws(Failure) in
      try InputArguments.reference(text, from: main, among: files.map(\.table), for: arguments.command)
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
      let progress = ImportProgress(ProgressBar(Console()), readsStandardInput: files.contains { $0.path == "-" })
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
      if !isQuiet { try noteMismatches(in: store) }
      return store
    } catch {
      throw Failure(translating: error)
    }
  }

  /// Tells of references between numbers and texts, by which no row leads to another.
  private func noteMismatches(in store: SQLDatabase) throws {
    for (table, rule) in references {
      let (source, target) = (try store.schema(ofTable: table), try store.schema(ofTable: rule.table))
      for (from, to) in zip(rule.columns, rule.key) {
        let (column, key) = (source.columns[try source.position(of: from)], target.columns[try target.position(of: to)])
        let isMatch = !column.kinds.isDisjoint(with: key.kinds)
        if isMatch { continue }
        StandardStreams.say(
          "note: \(from) of \(table) is \(column.type), but \(to) of \(rule.table) is \(key.type), so paths find "
            + "no row; \(InputArguments.types.name) \(column.type == .text ? to : from)=text reads both as text")
      }
    }
  }
}
