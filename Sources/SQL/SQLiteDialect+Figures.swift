public import Query

extension SQLiteDialect {
  /// The name of the aggregate function that adds numbers, which the connection has to define: SQLite's own rounds with
  /// every row, in their order, and differently from version 3.43 on (https://www.sqlite.org/lang_aggfunc.html#sumunc).
  package static let sumFunction = "repokit_sum"
  /// The same for a column of reals, whose sum is a real also where integers are kept in it.
  package static let realSumFunction = "repokit_real_sum"
  /// The name of the aggregate function for the average, which the connection has to define.
  package static let averageFunction = "repokit_average"
  /// The name of the aggregate function for the least value of a column that may hold an integer and a real that are
  /// equal, which the connection has to define: SQLite's own gives the one that it meets first.
  package static let minFunction = "repokit_min"
  /// The same for the greatest value.
  package static let maxFunction = "repokit_max"

  /// SQLite's own `count`, and its own `min` and `max` of columns in which equal values are written alike: an index can
  /// serve those. The contract's own functions for the rest.
  public func figure(_ function: AnyFigure.Function, of column: ColumnSchema?, isReal: Bool) -> String {
    guard let column else { return "count(*)" }
    let name = quoted(column.name)
    switch function {
    case .count: return "count(\(name))"
    case .min where hasOneSpelling(column): return "min(\(name)\(collation(column)))"
    case .max where hasOneSpelling(column): return "max(\(name)\(collation(column)))"
    case .min: return "\(Self.minFunction)(\(name))"
    case .max: return "\(Self.maxFunction)(\(name))"
    case .sum: return "\(isReal ? Self.realSumFunction : Self.sumFunction)(\(name))"
    case .average: return "\(Self.averageFunction)(\(name))"
    }
  }

  /// Grouped by bytes, whatever the column's collation.
  public func groupTerm(_ column: ColumnSchema) -> String { quoted(column.name) + collation(column) }

  /// Outside of aggregate functions, SQLite gives the value of any row of the group; that is enough where all are alike.
  public func groupKey(_ column: ColumnSchema) -> String {
    hasOneSpelling(column) ? quoted(column.name) : "\(Self.minFunction)(\(quoted(column.name)))"
  }

  /// Whether equal values of the column are the same: an integer and a real may be equal and are not.
  private func hasOneSpelling(_ column: ColumnSchema) -> Bool {
    if column.loose == nil { return column.type != .any }
    return column.type == .text && column.collation != ColumnSchema.unknownCollation
  }
}
