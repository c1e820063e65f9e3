public import Query

/// The dialect of SQLite, from version 3.38 on.
public struct SQLiteDialect: Dialect {
  /// The name of the function that folds the case of a text, which the connection has to define.
  package static let foldFunction = "repokit_fold"
  /// The name of the function that matches a text with a `like` pattern by `LikePattern`, which the connection has to
  /// define: SQLite's own `LIKE` ignores case and stops at an embedded NUL.
  package static let likeFunction = "repokit_like"
  /// The name of the function that decodes an item of a long list, which the connection has to define.
  package static let itemFunction = "repokit_item"

  /// Whether statements may call functions that the connection has to define.
  let callsFunctions: Bool

  /// Makes the dialect.
  public init() { self.init(callsFunctions: true) }

  private init(callsFunctions: Bool) { self.callsFunctions = callsFunctions }

  /// The dialect without the functions that this toolkit's connections define: other programs don't have them.
  public var portable: any Dialect { SQLiteDialect(callsFunctions: false) }

  /// The dialect without functions of this toolkit, as far as possible.
  public var ofViews: any Dialect { portable }

  /// Returns a name in standard SQL's double quotes; those within the name are doubled.
  public func quoted(_ name: String) -> String { Quoting.quote(name, with: "\"") }

  /// Returns `?`, which SQLite itself numbers.
  public func placeholder(_ position: Int) -> String { "?" }

  /// Returns a literal, as SQLite reads it.
  public func literal(_ value: Value) -> String { SQLiteLiteral.of(value) }

  /// Returns plain numbers and quotes, since the default of an added column may not be an expression.
  /// https://www.sqlite.org/lang_altertable.html#altertabaddcol
  public func plainLiteral(_ value: Value) -> String { SQLiteLiteral.plainLiteral(value) }

  /// Returns a check that a row does not pass if it is null, as it otherwise would in SQLite
  /// (https://www.sqlite.org/lang_createtable.html#ckconst). `IS TRUE` would compare with a column called "true", if there is
  /// one.
  public func check(_ expression: String) -> String { "(\(expression)) IS 1" }

  /// Returns the default, which is checked at the end of a statement, and not `RESTRICT`, which is checked for each row:
  /// whether a row can be deleted together with those that refer to it would depend on the order in which SQLite deletes
  /// them. https://www.sqlite.org/foreignkeys.html#fk_actions
  public func onDelete(_ rule: DeleteRule) -> String {
    switch rule {
    case .restrict: ""
    case .cascade: " ON DELETE CASCADE"
    case .setNull: " ON DELETE SET NULL"
    }
  }

  /// Returns the column, with a unary plus that removes its affinity if it would convert the value: SQLite compares a
  /// numeric column with the text '12' as if that were the number 12. The plus also prevents the use of an index, so it is
  /// written only where needed: a date stays a text.
  ///
  /// Source: SQLite, "Datatypes In SQLite", section 4.2.
  public func comparand(_ column: SQLTerm, _ comparisonOperator: ComparisonOperator, with values: [Value]) -> String {
    let name = column.sql
    let mayConvert =
      column.collation == ColumnSchema.unknownCollation
      || values.contains { value in
        switch (value, Affinity(column)) {
        case (.text(let text), .numeric): text.mayBeNumber
        case (.integer, .text), (.real, .text): true
        // An index on a real column rounds the integer that it looks up. For a strict column, a real is bound instead.
        case (.integer(let integer), .numeric): column.type == .real && Double(exactly: integer) == nil
        default: false
        }
      }
    return (mayConvert ? "+" + name : name) + collation(column)
  }

  /// Returns a comparison with a column on either side; the left side's collation applies to both.
  public func comparison(_ lhs: SQLTerm, _ comparisonOperator: ComparisonOperator, _ rhs: SQLTerm) -> String {
    let isKnown = lhs.collation != ColumnSchema.unknownCollation && rhs.collation != ColumnSchema.unknownCollation
    let plus = isKnown && Affinity(lhs) == Affinity(rhs) ? "" : "+"
    let collation = collation(lhs).isEmpty ? collation(rhs) : collation(lhs)
    return "\(plus + lhs.sql + collation) \(comparisonOperator.sql) \(plus + rhs.sql)"
  }

  /// Returns the column in SQLite's own order, which is the total order with the binary collation.
  public func sortKey(_ column: SQLTerm) -> String { column.sql + collation(column) }

  /// `instr` is exact and respects the length of a text; `substr` on texts and SQLite's `LIKE` stop at NUL, so a suffix is
  /// compared as bytes and patterns have their own function. A prefix is a range, which an index can serve. `substr` of the
  /// empty blob is null, so bytes are compared with `IS`.
  public func matches(
    _ column: SQLTerm, _ operation: TextOperation, _ sought: String, ignoringCase: Bool,
    bind: (@escaping TextBinding) -> String
  ) -> String {
    let name = column.sql
    let text = ignoringCase ? "\(Self.foldFunction)(\(name))" : name
    let match: String
    switch operation {
    case .contains:
      match = "instr(\(text), \(bind { .text($0) })) > 0"
    case .hasPrefix where sought.isEmpty, .hasSuffix where sought.isEmpty:
      match = "\(name) IS NOT NULL"
    case .hasSuffix:
      let length = bind { .integer(Int64(-$0.utf8.count)) }
      match = "substr(CAST(\(text) AS BLOB), \(length)) IS \(bind { .blob(Array($0.utf8)) })"
    case .like:
      match = "\(Self.likeFunction)(\(text), \(bind { .text($0) }))"
    case .hasPrefix where ignoringCase:
      let length = bind { .integer(Int64($0.utf8.count)) }
      match = "substr(CAST(\(text) AS BLOB), 1, \(length)) IS \(bind { .blob(Array($0.utf8)) })"
    case .hasPrefix:
      // The end of the range may spell a number where the beginning does not: `1-` and `1.`.
      let compared = comparand(column, .greaterThanOrEqual, with: [.text("0")])
      if TextRange.end(ofPrefix: sought) == nil {
        match = "\(compared) >= \(bind { TextRange.end(ofPrefix: $0) == nil ? .text($0) : nil })"
      } else {
        let start = "\(compared) >= \(bind { .text($0) })"
        match = "\(start) AND \(compared) < \(bind { TextRange.end(ofPrefix: $0).map(Value.text) })"
      }
    }
    return column.holdsTextsAlone ? match : "typeof(\(name)) = 'text' AND \(match)"
  }

  /// The barrier, a unary plus: the planner collects the terms of a whole conjunction in one chain for each way to use indexes,
  /// and then refuses the chain as too deep.
  public var planningBarrier: String { "+" }

  /// The number is small enough that lists of every length need only a handful of statements.
  public var inlineListCount: Int { 16 }

  /// SQLite accepts a list without values: https://www.sqlite.org/lang_expr.html#the_in_and_not_in_operators
  public var acceptsEmptyLists: Bool { true }

  /// Returns a JSON array in one binding, which SQLite reads as a table.
  ///
  /// Without a schema, a table called "json_each" would be read instead; the temporary schema contains no tables.
  public func list(_ values: [Value], bind: (@escaping ListBinding) -> String) -> String {
    let isCoded = JSONList.isCoded(values)
    let list = bind { values in
      JSONList.isCoded(values) == isCoded ? .value(.text(JSONList(values).json)) : nil
    }
    return "SELECT \(isCoded ? "\(Self.itemFunction)(value)" : "value") FROM temp.json_each(\(list))"
  }

  /// Returns the clause; SQLite has no offset without a limit, so -1 means none.
  public func range(hasLimit: Bool, hasOffset: Bool, bind: (RangeBound) -> String) -> String {
    if hasOffset { return " LIMIT \(bind(.limit)) OFFSET \(bind(.offset))" }
    return hasLimit ? " LIMIT \(bind(.limit))" : ""
  }

  /// A source of one row. SQLite evaluates subqueries of an update row by row, after it has changed the rows before; an update
  /// with a `FROM` clause it makes from the finished result of a query. https://www.sqlite.org/lang_update.html#upfrom
  public var updateSource: String { " FROM (SELECT 1) AS \(quoted("once"))" }

  /// Returns the type of a strict table.
  public func typeName(_ column: ColumnSchema) -> String {
    switch column.type {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .any: "ANY"
    }
  }

  /// The options: strict, so that a value of another type is refused rather than stored.
  public var tableOptions: String { " STRICT" }

  func collation(_ column: SQLTerm) -> String {
    column.collation == nil ? "" : " COLLATE BINARY"
  }
}

extension SQLiteDialect {
  /// The affinity of a column, by which it converts the values that it is compared with.
  private enum Affinity {
    case numeric
    case text
    case none

    init(_ column: SQLTerm) {
      switch column.type {
      case .integer, .real: self = .numeric
      case .text: self = .text
      case .blob, .any: self = .none
      }
    }
  }
}

extension SQLiteDialect {
  /// The name of the aggregate function that adds numbers, which the connection has to define: SQLite's own `sum` rounds with
  /// every row, in their order, and differently from version 3.43 on (https://www.sqlite.org/lang_aggfunc.html#sumunc).
  package static let sumFunction = "repokit_sum"
  /// The name of the aggregate function for a column of reals, whose sum is a real even if integers are stored in it.
  package static let realSumFunction = "repokit_real_sum"
  /// The name of the aggregate function for the average, which the connection has to define.
  package static let averageFunction = "repokit_average"
  /// The name of the aggregate function for the smallest value of a column that may hold an integer and a real that are equal,
  /// which the connection has to define: SQLite's own `min` returns the first of them that it reads.
  package static let minFunction = "repokit_min"
  /// The name of the aggregate function for the largest value, correspondingly.
  package static let maxFunction = "repokit_max"

  /// Returns SQLite's own `count`, and its own `min` and `max` of columns in which equal values are spelled alike: an index
  /// can serve those. The contract's own functions are used for the rest.
  public func aggregate(_ function: AnyAggregate.Function, of column: SQLTerm?, isReal: Bool) -> String {
    guard let column else { return "count(*)" }
    let name = column.sql
    switch function {
    case .count: return "count(\(name))"
    case .countDistinct: return "count(DISTINCT \(groupTerm(column)))"
    case .min where hasOneSpelling(column): return "min(\(name)\(collation(column)))"
    case .max where hasOneSpelling(column): return "max(\(name)\(collation(column)))"
    case .min: return "\(Self.minFunction)(\(name))"
    case .max: return "\(Self.maxFunction)(\(name))"
    case .sum: return "\(isReal ? Self.realSumFunction : Self.sumFunction)(\(name))"
    case .average: return "\(Self.averageFunction)(\(name))"
    }
  }

  /// Returns the column, grouped by bytes, whatever its collation.
  public func groupTerm(_ column: SQLTerm) -> String { column.sql + collation(column) }

  /// The time in milliseconds: https://www.sqlite.org/lang_datefunc.html
  public var currentTime: String { "strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000000Z'" }

  /// `ALTER TABLE` can't add a column that the table stores: https://www.sqlite.org/gencol.html
  public var storageOfComputedColumns: String { "VIRTUAL" }

  /// Returns the column: outside of aggregate functions, its value is that of any row of the group, which is enough if all
  /// are alike.
  public func groupKey(_ column: SQLTerm) -> String {
    if hasOneSpelling(column) { return column.sql }
    if callsFunctions { return "\(Self.minFunction)(\(column.sql))" }
    let value = "min(\(column.sql))"
    return "CASE WHEN max(typeof(\(column.sql)) = 'integer') THEN CAST(\(value) AS INTEGER) "
      + "WHEN typeof(\(value)) = 'real' THEN \(value) + 0.0 ELSE \(value) END"
  }

  /// Returns whether equal values of the column are identical: an integer and a real may be equal but are not identical.
  private func hasOneSpelling(_ column: SQLTerm) -> Bool {
    if column.declaredType == nil { return column.type != .any }
    return column.type == .text && column.collation != ColumnSchema.unknownCollation
  }
}

extension SQLiteDialect {
  /// Returns a statement that selects the storage types of a column's values, with the number of rows that have them: in other
  /// databases, a column has one type.
  package func types(of column: ColumnSchema, in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(self, query.scope, mayJoin: false)
    writer.write("SELECT typeof(\(quoted(column.name))), count(*) FROM ")
    writer.writeTables(of: query.predicate)
    Compiler(for: self).write(query, to: &writer)
    writer.write(" GROUP BY 1")
    return writer.statement
  }
}
