import Query
import RowImport
import SQLiteStore

/// The arguments that name files of rows, and describe how to read them.
enum InputArguments {
  static let with = OptionDescription(
    name: "--with", value: "[NAME=]FILE",
    help: "Another file of rows beside the one in the place of the database, as a table of its own.",
    isRepeatable: true,
    completion: .file)
  static let reference = OptionDescription(
    name: "--reference", value: "[T.]C=U.KEY",
    help: "Column C of a file, or of table T, refers to the rows of table U by KEY, so that paths lead there.",
    isRepeatable: true)
  /// The options that say how files are read, as `import` has them.
  static let options =
    [with, reference, from] + DelimitedArguments.options + [types, skipBad]

  /// The help on files, for commands that take them.
  static let note = Note.paragraph(
    "Instead of a database, a file of rows may be named, by its name's end: .csv, .tsv, .json, .ndjson or .jsonl, also with "
      + ".gz, and with --from any other; - is the standard input. It is read into memory as repokit import reads it, with the same "
      + "options (--from, --encoding, --delimiter, --quote, --decimal-comma, --thousands-comma, --numbers, "
      + "--date-order, --no-header, --skip-lines, --comment, --pad, "
      + "--rename-columns, --types, --skip-bad), and its only table, called after the file, goes without saying. "
      + "--with [NAME=]FILE puts another file beside it as a table of its own, and --reference column=table.key lets paths lead "
      + "there. With --immutable, an SQLite file with a write-ahead log "
      + "is read in a folder that can't be written, without what the log holds; nothing may change it meanwhile."
  )

  static let immutable = OptionDescription(
    name: "--immutable",
    help:
      "Reads an SQLite file that nothing changes meanwhile, without locks and without what its log or journal holds, which is told."
  )
  static let from = OptionDescription(
    name: "--from", value: "FORMAT",
    help: "The format, where the file's name does not tell: csv if it is left out.",
    completion: .words(InputFormat.allCases.map(\.rawValue)))
  static let types = OptionDescription(
    name: "--types", value: "A=TYPE,…",
    help: "The types of some columns of the new table: integer, real, text, blob or any.",
    excluded: ["--append", "--upsert"], exclusionReason: "a table that exists keeps its types")
  static let skipBad = OptionDescription(
    name: "--skip-bad", help: "Leaves out rows that can't be imported, and counts them.")

  /// A file that is used as the database, or as a further table of it.
  struct File {
    let table: String
    let path: String

    init(_ path: String) {
      table = tableName(of: path)
      self.path = path
    }

    /// `orders=2024.csv`, or only a path.
    init(named text: String) {
      if let sign = text.firstIndex(of: "="), sign != text.startIndex, FileKind(ofPath: text) == .missing,
        !text[..<sign].contains("/")
      {
        table = String(text[..<sign])
        path = String(text[text.index(after: sign)...])
      } else {
        table = tableName(of: text)
        path = text
      }
    }
  }

  /// Whether a word in the position of the database is a file of rows.
  static func isDataFile(_ path: String, hasFormat: Bool) -> Bool {
    path == "-" || ConnectionURI(path) == nil && (hasFormat || InputFormat(ofPath: path) != nil)
  }

  /// Returns the advice for a file whose name does not tell its format; `nil` for a file that may be a database.
  static func advice(onFile path: String) -> String? {
    let name = path.lowercased()
    if [".xlsx", ".xls", ".xlsm", ".ods", ".numbers"].contains(where: name.hasSuffix) {
      let base = path.lastIndex(of: ".").map { path[..<$0] } ?? path[...]
      return "a spreadsheet is saved as CSV first, and \(base).csv is read"
    }
    return [".txt", ".dat", ".log"].contains(where: name.hasSuffix)
      ? "\(from.name) csv, tsv or ndjson says how \(path) holds rows" : nil
  }

  /// The name of the file's table.
  static func tableName(of path: String) -> String {
    if path == "-" { return "input" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for suffix in [".gz", ".csv", ".tsv", ".tab", ".json", ".ndjson", ".jsonl", ".txt"]
    where name.lowercased().hasSuffix(suffix) && name.count > suffix.count {
      name = String(name.dropLast(suffix.count))
    }
    return name
  }

  /// `orders.customer_id=customers.id`.
  static func reference(
    _ text: String, from main: String, among tables: [String], for command: CommandDescription
  ) throws(Failure) -> (table: String, rule: ReferenceRule) {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    let (source, target) = (side(sides.first ?? "", of: tables), side(sides.count > 1 ? sides[1] : "", of: tables))
    guard sides.count == 2, !source.column.isEmpty, let table = target.table, !target.column.isEmpty else {
      throw command.usageError(
        "\(reference.name): \(TerminalText.quoted(text)) is no reference",
        suggestion: "write column=table.key, such as customer_id=customers.id; the tables are "
          + tables.joined(separator: ", "))
    }
    let rule = ReferenceRule([source.column], to: table, key: [target.column], onDelete: .restrict)
    return (source.table ?? main, rule)
  }

  /// A column, perhaps preceded by its table, whose name may contain points itself.
  private static func side(_ text: String, of tables: [String]) -> (table: String?, column: String) {
    for table in tables where text.hasPrefix(table + ".") { return (table, String(text.dropFirst(table.count + 1))) }
    return (nil, text)
  }
}

/// Types of columns as an option gives them: `code=text,weight=real`.
enum ColumnTypes {
  /// Reads an option.
  static func read(
    _ option: OptionDescription, of arguments: Arguments
  ) throws(Failure) -> [(column: String, type: ValueType)] {
    try read(option, of: arguments, called: "type", such: "code=text")
  }

  /// Reads an option that gives columns one of several words.
  ///
  /// - Parameters:
  ///   - noun: the noun for the words.
  ///   - example: a column with its word.
  static func read<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: OptionDescription, of arguments: Arguments, called noun: String, such example: String
  ) throws(Failure) -> [(column: String, type: Choice)] {
    guard let pairs = try arguments.names(option) else { return [] }
    var types: [(column: String, type: Choice)] = []
    for pair in pairs {
      // A name may hold an equals sign, a type does not.
      guard let sign = pair.lastIndex(of: "="), sign != pair.startIndex else {
        throw arguments.command.usageError(
          "\(option.name): \(TerminalText.quoted(pair)) gives no column a \(noun)",
          suggestion: "write a column, = and its \(noun): \(example)")
      }
      let column = String(pair[..<sign])
      let name = String(pair[pair.index(after: sign)...])
      guard let type = Choice(rawValue: name) else {
        throw arguments.command.usageError(
          "\(option.name): \(TerminalText.quoted(name)) is no \(noun)",
          suggestion: .among(Choice.allCases.map(\.rawValue), nearestTo: name))
      }
      if types.contains(where: { Name($0.column) == column }) {
        throw arguments.command.usageError("\(option.name): \(column) is given twice")
      }
      types.append((column, type))
    }
    return types
  }
}
