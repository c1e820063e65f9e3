import Query
import RowImport
import SQLiteStore

/// The arguments that name files of rows, and describe how to read them.
enum InputArguments {
  static let with = OptionDescription(
    name: "--with", value: "[NAME=]FILE",
    help: "Read another file of rows as a table, also beside a database. Repeat the option for more files.",
    isRepeatable: true,
    completion: .file)
  static let reference = OptionDescription(
    name: "--reference", value: "[T.]C=U.KEY",
    help: "Declare that column C (of table T) refers to KEY of table U, so that queries can follow the path.",
    isRepeatable: true)
  /// The options that say how files are read, as `import` has them.
  static let options =
    [with, reference, from] + DelimitedArguments.options + [types, skipBad]

  /// The help on files, for commands that take them.
  static let note = Note.paragraph(
    "DATABASE can be a file of rows: .csv, .tsv, .json, .ndjson or .jsonl, also with .gz; - is the standard input. "
      + "With --from, the file can have any name. Omit TABLE: the file has one table, named after the file. repokit "
      + "reads the file into memory, with the options of repokit import: --from, --encoding, --delimiter, --quote, "
      + "--decimal-comma, --thousands-comma, --numbers, --date-order, --no-header, --skip-lines, --comment, --pad, "
      + "--rename-columns, --types and --skip-bad. --with [NAME=]FILE adds another file as a table, and --reference "
      + "column=table.key connects two tables. --with also works beside a database: repokit then reads TABLE, with the "
      + "tables that references connect with it, into memory. --immutable reads an SQLite file with a write-ahead log in a read-only "
      + "folder, without the changes in the log; no program may change the file meanwhile."
  )

  static let immutable = OptionDescription(
    name: "--immutable",
    help:
      "Read an SQLite file that no program changes, without locks, and without the changes in its log or journal. "
      + "A note reports a log or journal."
  )
  static let from = OptionDescription(
    name: "--from", value: "FORMAT",
    help: "Set the format (default: by the file's name, else csv).",
    completion: .words(InputFormat.allCases.map(\.rawValue)))
  static let types = OptionDescription(
    name: "--types", value: "A=TYPE,…",
    help: "Set the types of columns of the new table: integer, real, text, blob or any.",
    excluded: ["--append", "--upsert"], exclusionReason: "an existing table keeps its types")
  static let skipBad = OptionDescription(
    name: "--skip-bad", help: "Skip rows that can't be imported, and count them.")

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
    if let known = FileSignature.advice(on: start(of: path), of: path) { return known }
    let name = path.lowercased()
    if [".xlsx", ".xls", ".xlsm", ".ods", ".numbers"].contains(where: name.hasSuffix) {
      let base = path.lastIndex(of: ".").map { path[..<$0] } ?? path[...]
      return "save the spreadsheet as CSV, and read \(base).csv"
    }
    return [".txt", ".dat", ".log"].contains(where: name.hasSuffix)
      ? "write \(from.name) csv, tsv or ndjson to read \(path) as a file of rows" : nil
  }

  /// The first bytes of a file; none of what is not a file.
  private static func start(of path: String) -> [UInt8] {
    let kind = FileKind(ofPath: path)
    guard ConnectionURI(path) == nil, kind != .missing, kind.nameUnlessDatabase == nil else { return [] }
    return (try? BinaryFile.prefix(of: path, byteCount: FileSignature.sampleSize)) ?? []
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
    _ text: String, from main: String, among tables: [String], andOthers acceptsOthers: Bool = false,
    for command: CommandDescription
  ) throws(Failure) -> (table: String, rule: ReferenceRule) {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    func side(_ text: String?) -> (table: String?, column: String) {
      let (known, text) = (Self.side(text ?? "", of: tables), text ?? "")
      guard acceptsOthers, known.table == nil, let point = text.firstIndex(of: ".") else { return known }
      return (String(text[..<point]), String(text[text.index(after: point)...]))
    }
    let (source, target) = (side(sides.first), side(sides.dropFirst().first))
    guard sides.count == 2, !source.column.isEmpty, let table = target.table, !target.column.isEmpty else {
      throw command.usageError(
        "\(reference.name): \(TerminalText.quoted(text)) is not a reference",
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
          "\(option.name): \(TerminalText.quoted(pair)) lacks the column or the \(noun)",
          suggestion: "write a column, = and the \(noun): \(example)")
      }
      let column = String(pair[..<sign])
      let name = String(pair[pair.index(after: sign)...])
      guard let type = Choice(rawValue: name) else {
        throw arguments.command.usageError(
          "\(option.name): unknown \(noun) \(TerminalText.quoted(name))",
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
