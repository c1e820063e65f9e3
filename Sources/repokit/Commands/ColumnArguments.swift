import Query
import SQLStore

/// The arguments that say which columns of rows are shown, and of which rows of each group.
struct ColumnArguments {
  static let columns = OptionDescription(
    name: "--columns", value: "A,B",
    help: "Only these columns, in this order: names, paths, or expressions with a name, such as hp / 2 as half.",
    completion: .columns)
  static let top = OptionDescription(
    name: "--top", value: "N",
    help: "At most N rows of each group that \(by.name) makes: the first ones in the order of --sort.")
  static let by = OptionDescription(
    name: "--by", value: "K[,K2]", help: "The keys or expressions by which --top groups rows.", completion: .columns)

  /// The columns as they are written; `nil` for all.
  private let text: String?
  /// The same as a list of names, where no column is more than a name.
  let names: [String]?
  private let top: (count: Int, keys: [String])?

  init(_ arguments: Arguments) throws(Failure) {
    text = arguments[Self.columns]
    // What is no list of names may be a list of names and expressions.
    names = text.flatMap(NameList.parse) == nil ? nil : try arguments.names(Self.columns)
    let count = try arguments.integer(Self.top)
    let keys = try arguments.names(Self.by)
    switch (count, keys) {
    case (let count?, let keys?): top = (count, keys)
    case (nil, nil): top = nil
    default:
      throw arguments.command.usageError(
        "\(Self.top.name) and \(Self.by.name) go together",
        suggestion: "write \(Self.top.name) 3 \(Self.by.name) type for the first three of each type")
    }
  }

  /// The request for the columns of some rows.
  ///
  /// - Parameter shown: the columns that are shown unless some are named; `nil` for all.
  func projection(
    of rows: FetchRequest, isDistinct: Bool, in table: TableSchema, showing shown: [String]?
  ) throws(Failure) -> ProjectionRequest {
    let names = names ?? (text == nil ? shown : nil) ?? table.columns.map(\.name)
    // A name that no column has is an error of its own, with what was probably meant.
    let isPlain =
      (text == nil || self.names != nil)
      && names.allSatisfy { name in
        table.columns.contains(named: name) || !name.contains { " ().+-*/%|'".contains($0) }
      }
    var columns = names.map(ProjectedColumn.key)
    if let text, !isPlain {
      do throws(ParseError) {
        columns = try [ProjectedColumn](parsing: text)
      } catch {
        throw Failure(error)
      }
    }
    // Programs that read the result would lose one of two columns of one name.
    var seen: Set<Name> = []
    if let repeated = columns.first(where: { !seen.insert(Name($0.name)).inserted }) {
      throw Failure(
        "\(Self.columns.name): \(TerminalText.visible(repeated.name)) stands there twice",
        details: ["name one of them otherwise: \(TerminalText.visible(repeated.expression.description)) as other"],
        status: .usageError)
    }
    var limit: GroupLimit?
    if let top {
      var keys: [AnyExpression] = []
      for key in top.keys { keys.append(try table.expression(key)) }
      limit = GroupLimit(top.count, of: keys, sortedBy: rows.sort)
    }
    return ProjectionRequest(columns, of: rows, isDistinct: isDistinct, groupLimit: limit)
  }
}

extension TableSchema {
  /// What an option names: a column, or else an expression.
  func expression(_ text: String) throws(Failure) -> AnyExpression {
    if columns.contains(named: text) || !text.contains(where: { "().+-*/%|'".contains($0) }) { return .key(text) }
    do throws(ParseError) {
      return try AnyExpression(parsing: text)
    } catch {
      throw Failure(error)
    }
  }
}
