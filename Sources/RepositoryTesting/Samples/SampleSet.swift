import Query
import Repository

/// Elements for the questions to a repository, with the repository in memory that has the answers.
struct SampleSet<Model: Entity>: Sendable {
  let table: TableSchema
  let elements: [Model]
  let rows: [[Value]]
  let columns: [SampleColumn]
  /// The source of the answers: the rows, in memory. Records are decoded fast, elements of some models are not.
  private let oracle: MemoryRepository<Record>
  private let indices: [[Value]: Int]
  private let checks: [(rule: CheckRule, query: ResolvedQuery)]
  /// The seed of random questions.
  let seed: UInt64
  /// Whether the repository is known not to return elements as they were saved: then elements are compared only by their
  /// keys, so that one mistake does not violate all rules.
  var isLossy = false

  init(_ elements: [Model], seed: UInt64) throws(RepositoryError) {
    let table = try Model.schema.table()
    var rows: [[Value]] = []
    for element in elements { rows.append(try Model.schema.row(from: element, in: table)) }
    self.table = table
    self.elements = elements
    self.rows = rows
    self.seed = seed
    indices = Dictionary(
      rows.enumerated().map { index, row in (table.primaryKey.map { row[$0] }, index) }, uniquingKeysWith: { $1 })
    columns = table.columns.indices.map { SampleColumn(table, $0, rows: rows) }
    checks = table.resolvedChecks()
    // It is asked alone, and could not keep what refers to other tables.
    let plain = try? TableSchema(
      table.name, columns: table.columns, primaryKey: table.primaryKeyColumns.map(\.name))
    oracle = try MemoryRepository(
      rows.map { Record(values: $0, in: table) }, schema: Schema(plain ?? table))
  }

  /// Returns the elements that a request finds, in its order.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if it has to be refused.
  func answer(_ request: FetchRequest) throws(RepositoryError) -> [Model] {
    try oracle.findAll(request).compactMap { record in index(of: record.values).map { elements[$0] } }
  }

  /// Returns the aggregates of a request, as in a report.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if it has to be refused, or if an aggregate is not a number.
  func answer(_ request: AggregateRequest) throws(RepositoryError) -> [String] {
    try oracle.aggregate(request).map(\.written)
  }

  /// Where the elements are that match a query.
  func indices(of query: AnyQuery) throws(RepositoryError) -> [Int] {
    try oracle.findAll(FetchRequest(query)).compactMap { index(of: $0.values) }
  }

  /// The index of the element that has the same key as a row has; `nil` where none has it.
  func index(of row: [Value]) -> Int? { indices[key(of: row)] }

  /// The columns that are no part of the key.
  var contentColumns: [SampleColumn] { columns.filter { !$0.isKey } }

  /// The unique columns that are not the whole key.
  var uniqueColumns: [SampleColumn] { columns.filter { $0.schema.isUnique && table.primaryKey != [$0.position] } }

  func key(of row: [Value]) -> [Value] { table.primaryKey.map { row[$0] } }

  /// The element of a row, where the model takes it as it is and it keeps the table's checks.
  func element(from row: [Value]) -> Model? { brokenChecks(row).isEmpty ? made(from: row) : nil }

  /// The names of the checks that a row breaks.
  func brokenChecks(_ row: [Value]) -> [String] { checks.filter { !$0.query.matches(row) }.map(\.rule.name) }

  /// The element of a row, where the model takes it as it is.
  func made(from row: [Value]) -> Model? {
    guard let element = try? Model.schema.element(from: row, in: table),
      (try? Model.schema.row(from: element, in: table)) == row
    else { return nil }
    return element
  }

  /// An element with the key of one and with as much as possible of the others.
  func variant(of index: Int) -> Model? {
    for other in rows.indices where other != index {
      var row = rows[index]
      for column in contentColumns where !column.isUnique { row[column.position] = rows[other][column.position] }
      if row != rows[index], isFree(row, inPlaceOf: index), let element = element(from: row) { return element }
    }
    // The model refuses them as a whole, so one property after the other.
    for column in contentColumns where !column.isUnique {
      for other in rows.indices where rows[other][column.position] != rows[index][column.position] {
        var row = rows[index]
        row[column.position] = rows[other][column.position]
        if isFree(row, inPlaceOf: index), let element = element(from: row) { return element }
      }
    }
    return nil
  }

  /// The element at one index, with the value that another has in a column.
  func intruder(_ index: Int, with column: SampleColumn, of other: Int) -> Model? {
    var row = rows[index]
    row[column.position] = rows[other][column.position]
    return row[column.position].isNull || !isFree(row, inPlaceOf: index) ? nil : element(from: row)
  }
}

// What the rules of a table have to say about rows that are made of samples. References are left out: what they lead to
// is in other tables, of which the suite knows nothing.
extension SampleSet {
  /// Whether no other row has the same values in columns that are unique together.
  func isFree(_ row: [Value], among others: some Sequence<[Value]>) -> Bool {
    table.uniqueSets.allSatisfy { set in
      let values = set.map { row[$0] }
      return values.contains(where: \.isNull) || !others.contains { other in set.map { other[$0] } == values }
    }
  }

  /// Whether a row can replace the one at an index.
  func isFree(_ row: [Value], inPlaceOf index: Int) -> Bool {
    table.uniqueSets.isEmpty || isFree(row, among: rows.indices.filter { $0 != index }.map { rows[$0] })
  }

  /// An element with the key of one and the values of another in columns that are unique together; `nil` where there is
  /// none.
  func twin(in set: [Int]) -> Model? {
    for index in rows.indices {
      for other in rows.indices where other != index {
        var row = rows[index]
        for position in set where !table.primaryKey.contains(position) { row[position] = rows[other][position] }
        // A column that is unique by itself would be another conflict.
        if row == rows[index] || uniqueColumns.contains(where: { row[$0.position] != rows[index][$0.position] }) {
          continue
        }
        if !isFree(row, inPlaceOf: index), let element = element(from: row) { return element }
      }
    }
    return nil
  }

  /// An element that breaks only one check; `nil` where neither values of the samples nor those close to the check's own
  /// lead to any.
  func element(breaking check: CheckRule) -> Model? {
    let literals = check.query.literals
    for index in rows.indices {
      for column in contentColumns where !column.isUnique {
        for value in literals + column.probes + (column.schema.isNullable ? [.null] : []) {
          var row = rows[index]
          row[column.position] = value
          if brokenChecks(row) == [check.name], isFree(row, inPlaceOf: index), let element = made(from: row) {
            return element
          }
        }
      }
    }
    return nil
  }
}

extension AnyQuery {
  /// The values that a query compares with, and some close to them.
  fileprivate var literals: [Value] {
    var values: [Value] = []
    var pending = [self]
    while let query = pending.popLast() {
      switch query.form {
      case .not(let query): pending.append(query)
      case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [lhs, rhs]
      case .condition(let condition): values += condition.operands.compactMap(\.value)
      }
    }
    return values.flatMap { value -> [Value] in
      switch value {
      case .integer(let integer):
        [value, .integer(integer.addingReportingOverflow(1).partialValue)]
          + [.integer(integer.subtractingReportingOverflow(1).partialValue), .real(Double(integer))]
          + [.real(Double(integer) + 1), .real(Double(integer) - 1)]
      case .real(let real): [value, .real(real + 1), .real(real - 1)]
      case .text(let text): [value, .text(text + "a"), .text("")]
      case .null, .blob: [value]
      }
    }
  }
}
