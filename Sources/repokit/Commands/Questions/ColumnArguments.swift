import Query
import SQLStore

/// The arguments for the columns that are shown, and for the rows of each group.
struct ColumnArguments {
  static let columns = OptionDescription(
    name: "--columns", value: "A,B",
    help: "Show these columns, in this order: names, paths, or named expressions such as hp / 2 as half.",
    completion: .columns)
  static let top = OptionDescription(
    name: "--top", value: "N",
    help: "Show the first N rows of each group of \(by.name), in the order of --sort.")
  static let by = OptionDescription(
    name: "--by", value: "K[,K2]", help: "Group rows for --top by these columns or expressions.", completion: .columns)

  /// The columns as they are written; `nil` for all.
  private let text: String?
  /// The same as a list of names, where no column is more than a name.
  let names: [String]?
  private let top: (count: Int, keys: [String])?

  init(_ arguments: Arguments, _ reader: QueryReader) throws(Failure) {
    text = arguments[Self.columns]
    // What is no list of names may be a list of names and expressions.
    names = text.flatMap(NameList.parse) == nil ? nil : try arguments.names(Self.columns)
    let count = try arguments.integer(Self.top)
    let keys = try arguments.names(Self.by)
    if let text { _ = try? reader.columns(text, Self.columns) }
    for key in keys ?? [] { _ = try reader.key(key, Self.by) }
    switch (count, keys) {
    case (let count?, let keys?): top = (count, keys)
    case (nil, nil): top = nil
    default:
      throw arguments.command.usageError(
        count == nil ? "\(Self.by.name) requires \(Self.top.name)" : "\(Self.top.name) requires \(Self.by.name)",
        suggestion: "write \(Self.top.name) 3 \(Self.by.name) type for the first three rows of each type")
    }
  }

  /// The columns of a result.
  ///
  /// - Parameter shown: the columns that are shown unless some are named; `nil` for all.
  func columns(
    in table: TableSchema, showing shown: [String]?, _ reader: QueryReader
  ) throws(Failure) -> [ProjectedColumn] {
    let names = names ?? (text == nil ? shown : nil) ?? table.columns.map(\.name)
    let isOfNames = (text == nil || self.names != nil) && names.allSatisfy { table.columns.contains(named: $0) }
    var columns = names.map(ProjectedColumn.key)
    if let text, !isOfNames {
      let isPlain = self.names?.allSatisfy { name in !name.contains { " ():.+-*/%|'".contains($0) } } ?? false
      do throws(Failure) {
        columns = try reader.columns(text, Self.columns)
      } catch  where isPlain && (try? [ProjectedColumn](parsing: text)) == nil {
        // A name that is a word of the language is a name that no column has.
        for name in names { _ = try reader.key(name, Self.columns) }
        throw error
      }
    }
    // Programs that read the result would lose one of two columns of one name.
    var seen: Set<Name> = []
    if let repeated = columns.first(where: { !seen.insert(Name($0.name)).inserted }) {
      throw Failure(
        "\(Self.columns.name): \(TerminalText.visible(repeated.name)) is given twice",
        details: ["name one of the columns: \(TerminalText.visible(repeated.expression.description)) as other"],
        status: .usageError)
    }
    return columns
  }

  /// The rows of each group to show, in an order; `nil` for all.
  func limit(sortedBy sort: AnySort, _ reader: QueryReader) throws(Failure) -> GroupLimit? {
    guard let top else { return nil }
    var keys: [AnyExpression] = []
    for key in top.keys { keys.append(try reader.key(key, Self.by)) }
    return GroupLimit(top.count, of: keys, sortedBy: sort)
  }
}
