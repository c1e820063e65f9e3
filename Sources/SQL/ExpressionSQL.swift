import Query

/// The frame of a clause: the columns of its rows, the rows that these refer to, and computed expressions.
struct StatementFrame {
  let scope: RowScope
  /// The alias of the table in the statement; `nil` if it needs none.
  let alias: String?
  /// The aliases of the tables of the scope's joins; empty if they are looked up by subqueries.
  let joins: [String]
  /// The terms that were already written, by their positions.
  var terms: [Int: SQLTerm] = [:]

  init(_ scope: RowScope, alias: String?, joins: [String]) {
    (self.scope, self.alias, self.joins) = (scope, alias, joins)
  }
}

extension StatementWriter {
  /// Returns the term at a position of a row.
  mutating func term(_ position: Int) -> SQLTerm {
    if let known = frame.terms[position] { return known }
    var term: SQLTerm
    if let expression = frame.scope.expression(position) {
      term = self.term(expression)
      let constant = term.constant
      if constant == .null { term = SQLTerm(dialect.value(term, as: frame.scope.column(position)), term.column) }
      // A column of another table keeps its properties.
      if case .joined = expression.form {
      } else {
        let checking = term.checking
        term = SQLTerm(term.sql, frame.scope.column(position))
        term.checking = checking
        if constant == .null { term.constant = constant }
      }
    } else {
      term = self.term(frame.scope.table.columns[position], of: frame.alias)
    }
    frame.terms[position] = term
    return term
  }

  func term(_ column: ColumnSchema, of alias: String?) -> SQLTerm {
    let name = dialect.quoted(column.name)
    return SQLTerm(alias.map { "\(dialect.quoted($0)).\(name)" } ?? name, column)
  }

  private mutating func term(_ expression: ResolvedExpression) -> SQLTerm {
    let column = expression.type.column("")
    switch expression.form {
    case .column(let position):
      return dialect.plain(term(position))
    case .joined(let join, let position):
      return dialect.plain(joined(join, position))
    case .converted(let value, let conversion):
      let argument = ResolvedExpression(form: .value(.text(conversion.argument)), type: ExpressionType(.text))
      return SQLTerm("\(conversion.function)(\(term(value).sql), \(term(argument).sql))", column)
    case .value(.null):
      return .null(column)
    case .value(let value):
      let dialect = dialect
      let sql = dialect.constant(value) {
        fragment { writer in
          let placeholder = writer.bind(value)
          writer.write(placeholder)
        }
      }
      var constant = SQLTerm(sql, column)
      constant.constant = value
      return constant
    case .function(let function, let arguments):
      var terms: [SQLTerm] = []
      for argument in arguments { terms.append(term(argument)) }
      return dialect.apply(function, to: terms, as: column)
    case .conditional(let predicate, let then, let otherwise):
      let condition = fragment { $0.writeWithinExpression(predicate) }
      let (then, otherwise) = (term(then), term(otherwise))
      let results = [then, otherwise].map { dialect.value($0, as: column) }
      return SQLTerm("CASE WHEN \(condition) THEN \(results[0]) ELSE \(results[1]) END".inParentheses, column)
    case .aggregate(let function, let rows):
      if let total = dialect.totalOfReals(function), let reals = rows.aggregated,
        rows.scope.column(reals).type == .real
      {
        let query = fragment { writer in
          writer.writeRelated(rows) { writer in "\(writer.dialect.plain(writer.term(reals)).sql) AS x" }
        }
        return SQLTerm(total(query).inParentheses, column)
      }
      let aggregate = fragment { writer in
        writer.writeRelated(rows) { writer in
          let term = rows.aggregated.map { writer.term($0) }
          return writer.dialect.relatedAggregate(
            function, of: term, isReal: column.type == .real && function == .sum)
        }
      }
      return SQLTerm(aggregate.inParentheses, column)
    case .exists(let rows):
      let (yes, no) = (dialect.constant(.integer(1)) { "1" }, dialect.constant(.integer(0)) { "0" })
      return SQLTerm("CASE WHEN \(exists(rows)) THEN \(yes) ELSE \(no) END".inParentheses, column)
    }
  }
}

extension SQLTerm {
  /// Returns a null in place of values.
  fileprivate static func null(_ column: ColumnSchema) -> SQLTerm {
    var term = SQLTerm("NULL", column)
    term.constant = .null
    return term
  }
}

extension ValueConversion {
  /// The name of the function that returns the value in a place of a JSON text.
  package static let jsonFunction = "repokit_json"
  /// The name of the function that returns the text of a date that is kept as a number.
  package static let dateFunction = "repokit_dates"

  /// The function for it, which a driver has to define if its catalog says that columns hold such values.
  package var function: String {
    switch self {
    case .json: Self.jsonFunction
    case .date: Self.dateFunction
    }
  }
}

extension Dialect {
  /// Returns a column as a value of the database's usual type.
  fileprivate func plain(_ term: SQLTerm) -> SQLTerm {
    let operand = operandTerm(term)
    return operand == term.sql && term.nativeType == nil ? term : SQLTerm(operand, term.column.stored(as: nil))
  }
}
