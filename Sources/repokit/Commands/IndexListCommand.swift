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
    let indexes = try database.translating { try store.indexes(ofTable: table) }
    let headings = ["name", "table", "columns", "unique", "made_by", "rows"].map { ColumnHeading($0) }
    let rows = indexes.map { index -> [Value] in
      [
        .text(index.name), .text(index.table), .text(index.columnList), .text(index.isUnique ? "yes" : "no"),
        .text(index.origin.word), .text(index.isPartial ? "some" : "all"), .count(index.size),
      ]
    }
    try console.printRows(
      rows, under: headings + [ColumnHeading("bytes", isNumeric: true)], as: format ?? console.format)
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
