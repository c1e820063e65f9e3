public import Query

/// The differences of one database's SQL; everything that databases share is in ``Compiler``.
///
/// A dialect must make up for its database's own rules, so that each condition means what the query means: text compared
/// by bytes, no conversion between kinds, and nulls placed as told.
///
/// Requests that differ in values alone share their SQL, whose bindings are then made without writing it again. So the SQL
/// may depend on the cases of a request's values and on nothing else about them, but for what the members below return for
/// each value: the outcome of ``comparison(_:_:_:)-(_,_,Value)``, and the bindings that ``matches(_:_:_:ignoringCase:bind:)``
/// and ``membership(_:_:isNegated:bind:)`` make.
public protocol Dialect: Sendable {
  // MARK: Names and values

  /// A table's or a column's name, quoted.
  func quoted(_ name: String) -> String

  /// How many bytes a name may have; `nil` for any number. Names of indexes that would be longer are shortened, with a hash.
  var maximumNameLength: Int? { get }

  /// The placeholder of a statement's n-th value, counted from 1.
  func placeholder(_ position: Int) -> String

  /// A value as part of the SQL itself, for definitions of tables, which have no placeholders. It is exactly this value,
  /// whatever it holds.
  func literal(_ value: Value) -> String

  /// A value as the default of a column, where an expression may not be allowed.
  func constant(_ value: Value) -> String

  // MARK: Conditions

  /// The comparison that tells whether a column is in a relation to a value: with the value itself, or with a bound of the
  /// column's own type, so that the database converts nothing and can use an index.
  ///
  /// An integer in a column of integers, and a real in one of reals, is always bound as it is.
  ///
  /// - Parameter value: not null.
  func comparison(_ column: ColumnSchema, _ relation: Relation, _ value: Value) -> ComparisonOutcome

  /// A column as it is compared with values, so that neither the column nor a value is converted for the comparison, and
  /// text is compared by its bytes. It may depend on the cases of the values, and on whether the other case of a number
  /// could hold it.
  ///
  /// - Parameter relation: how they are compared.
  func comparand(_ column: SQLTerm, _ relation: Relation, with values: [Value]) -> String

  /// Whether a column is in a relation to another one, by the same rules; null or false where one of them is null.
  func comparison(_ lhs: SQLTerm, _ relation: Relation, _ rhs: SQLTerm) -> String

  /// Whether a column equals one of several values, or its opposite; null or false for a null.
  ///
  /// - Parameters:
  ///   - values: at least one, none of them null, in the form in which ``comparison(_:_:_:)-(_,_,Value)`` gives them.
  ///   - bind: adds what a closure makes of the values to the statement, and returns its placeholder. For other values it
  ///     returns `nil` where their SQL is another.
  func membership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String

  /// How many values of a list may be placeholders of their own; longer lists are bound as one value.
  var inlineListCount: Int { get }

  /// The text between the parentheses of `IN (…)` for a long list that is bound as one value.
  func list(_ values: [Value], bind: (@escaping ListBinding) -> String) -> String

  /// Whether a column's text matches; false or null for a null, false for a value that is no text.
  ///
  /// - Parameters:
  ///   - sought: what is sought, already folded where case is ignored. The SQL may depend on whether it is empty, and on
  ///     whether it holds U+0000.
  ///   - bind: adds what a closure makes of the text to the statement, and returns its placeholder. For another text it
  ///     returns `nil` where the SQL for that one is another.
  func matches(
    _ column: SQLTerm, _ operation: TextOperation, _ sought: String, ignoringCase: Bool,
    bind: (@escaping TextBinding) -> String
  ) -> String

  /// A prefix that keeps the database's planner from taking a condition in parentheses apart; empty where it may. It is
  /// written before the parts of a conjunction of more than a hundred conditions.
  var planningBarrier: String { get }

  /// Whether a plain name in `ORDER BY` is that of a column of the result first, be it one that the database has made up.
  var sortsByResultNames: Bool { get }

  // MARK: Expressions

  /// The placeholder of a statement's n-th value where it may be written more than once.
  func repeatablePlaceholder(_ position: Int) -> String

  /// A constant of an expression, whose type nothing beside it may tell.
  ///
  /// - Parameter bind: binds the value, and returns its placeholder, which may be written more than once.
  func constant(_ value: Value, bind: () -> String) -> String

  /// What a function of an expression makes of its arguments, exactly as the contract has it.
  ///
  /// - Parameter column: what is known of the result.
  func apply(_ function: ExpressionFunction, to arguments: [SQLTerm], as column: ColumnSchema) -> SQLTerm

  /// A value among others that are put together in one column: a number as a real, where the column holds reals.
  func value(_ term: SQLTerm, as column: ColumnSchema) -> String

  /// An aggregate of the rows that refer to a row, within a statement; null where there is none.
  ///
  /// - Parameters:
  ///   - term: of what; `nil` for the number of rows.
  ///   - isReal: whether a sum is a real even where all numbers are integers.
  func relatedAggregate(_ function: AnyAggregate.Function, of term: SQLTerm?, isReal: Bool) -> String

  /// What works a sum or an average of reals out of a query that selects them as `x`; `nil` where
  /// ``relatedAggregate(_:of:isReal:)`` gives it.
  func totalOfReals(_ function: AnyAggregate.Function) -> ((_ query: String) -> String)?

  /// The dialect of what the database keeps and works out itself for every program that writes, such as a check.
  var portable: any Dialect { get }
  /// The dialect of views, which other programs read, too.
  var ofViews: any Dialect { get }

  // MARK: Order, groups and ranges

  /// A column as one of the database's usual type for its values, where it is of another one.
  func valueTerm(_ column: SQLTerm) -> String

  /// A column as rows are sorted by it: texts by their bytes, numbers by value, nulls placed as told. Where the column
  /// can't be null, nothing is said about nulls if that could cost an index.
  func sortTerm(_ column: SQLTerm, ascending: Bool, nullsFirst: Bool) -> String

  /// An aggregate of the rows of a group, exactly as the contract has it, whatever the order of the rows.
  ///
  /// - Parameters:
  ///   - function: what is worked out. A sum that can't be given is one of the texts of `AggregateFault`.
  ///   - column: of which column; `nil` for the number of rows.
  ///   - isReal: whether a sum is a real even where all numbers are integers.
  func aggregate(_ function: AnyAggregate.Function, of column: SQLTerm?, isReal: Bool) -> String

  /// An aggregate as the contract has it, made of what the database gives for ``aggregate(_:of:isReal:)``.
  func aggregate(
    _ function: AnyAggregate.Function, of column: ColumnSchema?, isReal: Bool, from found: Value
  ) -> Value

  /// A column as rows are grouped by it: texts by their bytes, numbers by value, nulls as one group.
  func groupTerm(_ column: SQLTerm) -> String

  /// The value of a column that the rows of a group share. Where they share it in several spellings, an integer and a
  /// real, it is the integer.
  func groupKey(_ column: SQLTerm) -> String

  /// The clause for limit and offset, with a blank before it; empty where there is neither.
  ///
  /// - Parameter bind: adds a bound to the statement, and returns its placeholder; -1 for a limit that there is not.
  func range(hasLimit: Bool, hasOffset: Bool, bind: (RangeBound) -> String) -> String

  // MARK: Writes

  /// What is written between the columns of an insert and its values, with a blank before it, so that the database takes values for
  /// columns that it would rather generate; empty where it takes them anyway.
  var insertOverride: String { get }

  /// The end of an insert that replaces the row with the same key, with a blank before it.
  ///
  /// - Parameter table: has a primary key.
  func upsert(into table: TableSchema) -> String

  /// The value that an insert gives a generated key; `nil` where null has the database generate one and tell the connection.
  ///
  /// Where there is one, the insert results in the key of its row.
  ///
  /// - Parameter placeholder: of the key that is given, or of null.
  func generatedKey(_ column: ColumnSchema, of table: TableSchema, unless placeholder: String) -> String?

  // MARK: Definitions

  /// A column's type in a create statement.
  func typeName(_ column: ColumnSchema) -> String

  /// The part of a column's definition that has the database generate its value for rows that are inserted without one, with a
  /// blank before it; empty where a primary key of integers does that by itself.
  func generatedKey(_ column: ColumnSchema) -> String

  /// The text after the closing parenthesis of a create statement, with a blank before it, if there is any.
  var tableOptions: String { get }

  /// A column of an index, such that the index has the rows in the order of ``sortTerm(_:ascending:nullsFirst:)``, ascending
  /// and with nulls first.
  ///
  /// - Parameter isNullable: whether the column may hold nulls, as one does of which nothing is known.
  func indexTerm(_ column: String, isNullable: Bool) -> String

  /// A Boolean expression as a check of a table, which a row must not pass where the expression is null.
  func check(_ expression: String) -> String

  /// The clause of a foreign key for a rule of deletion, with a blank before it; empty for the database's default.
  func onDelete(_ rule: DeleteRule) -> String

  /// Whether each rule of a table is a constraint with a name of its own. Rules of uniqueness are created in the order then in
  /// which a row is held against them.
  var namesConstraints: Bool { get }

  /// The statement that keeps a text with a constraint, by which a check is recognised whose own text the database does not
  /// keep; `nil` where it does.
  func comment(_ text: String, onConstraint name: String, of table: String) -> String?

  /// The statement that spreads a new table's rows over servers, as its schema says; `nil` where that is nothing.
  func distribution(of table: TableSchema) -> String?

  /// The statement that gives a table another name, and the constraints that are called after it.
  func rename(table: String, to name: String) -> String

  /// The statement that gives a column another name, also in what ``comment(_:onConstraint:of:)`` has kept.
  func renameColumn(_ column: String, to name: String, in table: String) -> String
}

/// What a dialect binds for a text that is sought; `nil` where the SQL for that text is another.
public typealias TextBinding = @Sendable (_ sought: String) -> Value?

/// What a dialect binds for a list of values; `nil` where the SQL for that list is another.
public typealias ListBinding = @Sendable (_ values: [Value]) -> Binding?

/// A bound of the rows of a result.
public enum RangeBound: Hashable, Sendable {
  /// At most how many rows.
  case limit
  /// How many rows are left out at the start.
  case offset
}

// MARK: - Defaults

extension Dialect {
  /// Names of any length.
  public var maximumNameLength: Int? { nil }

  /// The value's bound of the column's own type, see ``ColumnSchema/comparison(_:_:)``.
  public func comparison(_ column: ColumnSchema, _ relation: Relation, _ value: Value) -> ComparisonOutcome {
    column.comparison(relation, value)
  }

  /// `IN`, with as many placeholders as there are values, or with the values as one list where that would be too many.
  ///
  /// Placeholders are filled up with the last value to a power of two, so that few statements serve all lengths.
  public func membership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String {
    let inlineCount = inlineListCount
    if values.count <= inlineCount { return inlineMembership(column, values, isNegated: isNegated, bind: bind) }
    let list = self.list(values) { make in bind { $0.count > inlineCount ? make($0) : nil } }
    return "\(comparand(column, .equal, with: values)) \(isNegated ? "NOT IN" : "IN") (\(list))"
  }

  /// `IN` with a placeholder for each value.
  func inlineMembership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String {
    let (inlineCount, count) = (inlineListCount, values.count.roundedUpToPowerOfTwo)
    let list = (0..<count).map { index in
      bind { values in
        guard values.count <= inlineCount, values.count.roundedUpToPowerOfTwo == count else { return nil }
        return .value(values[min(index, values.count - 1)])
      }
    }.joined(separator: ", ")
    return "\(comparand(column, .equal, with: values)) \(isNegated ? "NOT IN" : "IN") (\(list))"
  }

  /// The column itself.
  public func valueTerm(_ column: SQLTerm) -> String { column.sql }

  /// No: it is that of a column of the table.
  public var sortsByResultNames: Bool { false }

  /// The same as any placeholder.
  public func repeatablePlaceholder(_ position: Int) -> String { placeholder(position) }

  /// The placeholder.
  public func constant(_ value: Value, bind: () -> String) -> String { bind() }

  /// The aggregate, in parentheses.
  public func relatedAggregate(_ function: AnyAggregate.Function, of term: SQLTerm?, isReal: Bool) -> String {
    aggregate(function, of: term, isReal: isReal)
  }

  /// The dialect itself.
  public var portable: any Dialect { self }

  /// The same dialect.
  public var ofViews: any Dialect { self }

  /// An aggregate gives it.
  public func totalOfReals(_ function: AnyAggregate.Function) -> ((_ query: String) -> String)? { nil }

  /// The column's name.
  public func indexTerm(_ column: String, isNullable: Bool) -> String { quoted(column) }

  /// What the database gives.
  public func aggregate(
    _ function: AnyAggregate.Function, of column: ColumnSchema?, isReal: Bool, from found: Value
  ) -> Value { found }

  /// `ON CONFLICT`, as SQLite and PostgreSQL have it. It leaves rows alone that conflict in another unique column: those stay
  /// errors.
  public func upsert(into table: TableSchema) -> String {
    let others = table.columns.indices.filter { !table.primaryKey.contains($0) }.map { quoted(table.columns[$0].name) }
    let action =
      others.isEmpty
      ? "NOTHING" : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return " ON CONFLICT (\(table.primaryKeyColumns.map { quoted($0.name) }.joined(separator: ", "))) DO \(action)"
  }

  /// Nothing.
  public var insertOverride: String { "" }

  /// None.
  public func generatedKey(_ column: ColumnSchema, of table: TableSchema, unless placeholder: String) -> String? { nil }

  /// Nothing.
  public func generatedKey(_ column: ColumnSchema) -> String { "" }

  /// Only checks have names.
  public var namesConstraints: Bool { false }

  /// None.
  public func comment(_ text: String, onConstraint name: String, of table: String) -> String? { nil }

  /// None: all rows are on one server.
  public func distribution(of table: TableSchema) -> String? { nil }

  /// `ALTER TABLE … RENAME COLUMN … TO …`.
  public func renameColumn(_ column: String, to name: String, in table: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(column)) TO \(quoted(name))"
  }

  /// `ALTER TABLE … RENAME TO …`.
  public func rename(table: String, to name: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))"
  }
}

extension Int {
  /// The least power of two that is no less.
  fileprivate var roundedUpToPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
