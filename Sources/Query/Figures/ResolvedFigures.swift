/// A question for figures that was checked against a table; stores carry out nothing else, so that all of them refuse the
/// same requests for the same reasons.
public struct ResolvedFigures: Sendable {
  /// One figure, its key found in the table.
  package struct Figure: Sendable {
    /// The figure as it was asked for.
    package let asked: AnyFigure
    /// The position of the column, if there is one.
    package let column: Int?
    /// Whether a sum is a real even where all numbers are integers: the column holds nothing else.
    package let isReal: Bool

    /// What is worked out.
    package var function: AnyFigure.Function { asked.function }
  }

  /// The rows that are meant.
  public let query: ResolvedQuery
  package let figures: [Figure]
  /// The positions of the columns by which rows are grouped.
  package let groups: [Int]
  let columns: [ColumnSchema]
  let order: FigureOrder
  let limit: Int?

  /// How many values a row of the result has: the keys of its group and its figures.
  package var columnCount: Int { groups.count + figures.count }

  /// The column of which a value of the result tells; `nil` for the number of rows.
  package func columnName(at position: Int) -> String? {
    let column = position < groups.count ? groups[position] : figures[position - groups.count].column
    return column.map { columns[$0].name }
  }

  /// The same question to a table that holds the same columns less strictly.
  ///
  /// - Parameter query: the query, resolved in that table.
  package func asking(_ query: ResolvedQuery) -> ResolvedFigures {
    ResolvedFigures(
      query: query, figures: figures, groups: groups, columns: columns, order: order, limit: limit)
  }
}

extension FigureRequest {
  /// Finds the request's keys in a table and checks that the figures can be worked out of their columns.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a sum or an average of a column that holds no numbers, an order by a
  ///   figure that is not asked for, a negative limit, too many figures or none at all, and where the query is refused.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedFigures {
    if let limit, limit < 0 {
      throw QueryError(
        .negativeRange, "the limit \(limit) is negative", suggestion: "leave the limit out for all groups")
    }
    if figures.isEmpty, groupKeys.isEmpty {
      throw QueryError(.invalidFigure, "no figure is asked for", suggestion: "ask for count, for instance")
    }
    if figures.count + groupKeys.count > Self.maximumColumnCount {
      throw QueryError(.tooComplex, "more than \(Self.maximumColumnCount) figures and keys are asked for at once")
    }
    var resolved: [ResolvedFigures.Figure] = []
    for figure in figures { resolved.append(try figure.resolved(in: table)) }
    switch order {
    case .group: break
    case .ascending(let figure), .descending(let figure):
      if !figures.contains(figure) {
        throw QueryError(
          .invalidFigure, "groups can't be sorted by \(figure)", suggestion: "ask for that figure too")
      }
    }
    var groups: [Int] = []
    for key in groupKeys { groups.append(try table.position(of: key)) }
    return ResolvedFigures(
      query: try query.resolved(in: table), figures: resolved, groups: groups, columns: table.columns, order: order,
      limit: limit)
  }
}

extension AnyFigure {
  fileprivate func resolved(in table: TableSchema) throws(QueryError) -> ResolvedFigures.Figure {
    guard let key else { return ResolvedFigures.Figure(asked: self, column: nil, isReal: false) }
    let position = try table.position(of: key)
    let column = table.columns[position]
    if function == .sum || function == .average, !column.kinds.contains(.number) {
      let held = Value.Kind.allCases.filter(column.kinds.contains).map(\.plural).joined(separator: " and ")
      throw QueryError(
        .kindMismatch, "\(column.name) holds \(held) and has no \(function.rawValue)",
        suggestion: "count, min and max take columns of every kind")
    }
    return ResolvedFigures.Figure(asked: self, column: position, isReal: column.type == .real && column.loose == nil)
  }
}
