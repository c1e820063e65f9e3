import Query
import SQLiteStore

/// `repokit index list`: lists indexes.
struct IndexListCommand: Command {
  static let description = CommandDescription(
    name: "list", group: "index", summary: "Lists the indexes of a table, or of all.",
    examples: [
      .init(arguments: "index list pokedex.sqlite", meaning: "Those of all tables."),
      .init(arguments: "index list pokedex.sqlite pokemon --format json", meaning: "Those of one, for a program."),
    ],
    positionals: [.database, optionalTable], options: [format],
    notes: [
      .list(
        "Columns",
        [
          ("columns", "what the index sorts by, the first column first"),
          ("unique", "whether no two rows may be the same in these columns"),
          ("made_by", "index: somebody; rule: a rule of uniqueness of the table; key: its primary key"),
          ("rows", "all, or some for an index with a condition"),
          ("bytes", "the size in the file; null where SQLite can't tell"),
        ])
    ])

  private static let optionalTable = PositionalDescription(
    name: "TABLE", help: "The table; all if it is left out.", isOptional: true, completion: .table)
  private static let format = OptionDescription(
    name: "--format", value: "FORMAT",
    help: "How they are shown: \(FormatName.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .words(FormatName.allCases.map(\.rawValue)))

  private let database: DatabaseFile
  private let table: String?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = arguments[Self.optionalTable]
    format = try arguments.choice(Self.format, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    let indexes = try Failure.translating { try store.indexes(ofTable: table) }
    var output = console.output()
    var format = (format ?? console.format)
      .makeFormat(
        [
          ColumnHeading("name"), ColumnHeading("table"), ColumnHeading("columns"), ColumnHeading("unique"),
          ColumnHeading("made_by"), ColumnHeading("rows"), ColumnHeading("bytes", isNumeric: true),
        ], console.style)
    format.begin(&output)
    for index in indexes {
      format.append(
        [
          .text(index.name), .text(index.table), .text(index.columnList), .text(index.isUnique ? "yes" : "no"),
          .text(index.origin.word), .text(index.isPartial ? "some" : "all"),
          index.size.map { .integer(Int64($0)) } ?? .null,
        ], to: &output)
    }
    try format.end(&output)
    try output.flush()
  }
}

extension IndexDescription {
  /// The columns between commas.
  var columnList: String { columns.map { $0 ?? "(expression)" }.joined(separator: ", ") }
}

extension IndexDescription.Origin {
  /// What made the index, in a word.
  fileprivate var word: String {
    switch self {
    case .created: "index"
    case .uniqueness: "rule"
    case .primaryKey: "key"
    }
  }
}
