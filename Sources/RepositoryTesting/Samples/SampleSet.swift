import Query
import Repository

/// Elements for the questions to a repository, with a repository in memory that has the expected answers.
struct SampleSet<Model: Entity>: Sendable {
  let table: TableSchema
  let elements: [Model]
  let rows: [[Value]]
  let columns: [SampleColumn]
  /// The repository in memory that has the expected answers. It contains records, which are decoded faster than the elements of
  /// some models.
  private let oracle: BlockingMemoryRepository<Record>
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
    // The schema of the oracle has no references: the tables to which they lead are not in memory.
    let plain = try? TableSchema(
      table.name, columns: table.columns, primaryKey: table.primaryKeyColumns.map(\.name))
    oracle = try MemoryRepository(
      rows.map { Record(values: $0, in: table) }, schema: Schema(plain ?? table)
    ).blocking
  }

  /// Returns the elements that a request finds, in its order.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the request has to be refused.
  func answer(_ request: FetchRequest) throws(RepositoryError) -> [Model] {
    try oracle.findAll(request).compactMap { record in index(of: record.values).map { elements[$0] } }
  }

  /// Returns the aggregates of a request, as in a report.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the request has to be refused, or if an aggregate is not a number.
  func answer(_ request: AggregateRequest) throws(RepositoryError) -> [String] {
    try oracle.aggregate(request).map(\.written)
  }

  /// Returns the indices of the elements that match a query.
  func indices(of query: AnyQuery) throws(RepositoryError) -> [Int] {
    try oracle.findAll(FetchRequest(query)).compactMap { index(of: $0.values) }
  }

  /// Returns the index of the element with the same key as a row; `nil` if there is none.
  func index(of row: [Value]) -> Int? { indices[key(of: row)] }

  /// The columns that are no part of the key.
  var contentColumns: [SampleColumn] { columns.filter { !$0.isKey } }

  /// The unique columns that are not the whole key.
  var uniqueColumns: [SampleColumn] { columns.filter { $0.schema.isUnique && table.primaryKey != [$0.position] } }

  func key(of row: [Value]) -> [Value] { table.primaryKey.map { row[$0] } }

  /// Returns the element of a row; `nil` if the row violates a check, or the model refuses or changes it.
  func element(from row: [Value]) -> Model? { brokenChecks(row).isEmpty ? made(from: row) : nil }

  /// Returns the names of the checks that a row violates.
  func brokenChecks(_ row: [Value]) -> [String] { checks.filter { !$0.query.matches(row) }.map(\.rule.name) }

  /// Returns the element of a row; `nil` if the model refuses or changes the row.
  func made(from row: [Value]) -> Model? {
    guard let element = try? Model.schema.element(from: row, in: table),
      (try? Model.schema.row(from: element, in: table)) == row
    else { return nil }
    return element
  }

  /// Returns an element with the key of one sample and as many values of others as possible; `nil` if the model refuses all.
  func variant(of index: Int) -> Model? {
    for other in rows.indices where other != index {
      var row = rows[index]
      for column in contentColumns where !column.isUnique { row[column.position] = rows[other][column.position] }
      if row != rows[index], isFree(row, inPlaceOf: index), let element = element(from: row) { return element }
    }
    // The model refuses all values of another sample together, so single values are tried.
    for column in contentColumns where !column.isUnique {
      for other in rows.indices where rows[other][column.position] != rows[index][column.position] {
        var row = rows[index]
        row[column.position] = rows[other][column.position]
        if isFree(row, inPlaceOf: index), let element = element(from: row) { return element }
      }
    }
    return nil
  }

  /// Returns the element at an index with the value of another element in a column; `nil` if that is null, or not allowed.
  func conflictingElement(_ index: Int, with column: SampleColumn, of other: Int) -> Model? {
    var row = rows[index]
    row[column.position] = rows[other][column.position]
    return row[column.position].isNull || !isFree(row, inPlaceOf: index) ? nil : element(from: row)
  }
}

// The constraints of a table for rows that are made of samples. References are left out: the suite does not know the rows of
// other tables.
extension SampleSet {
  /// Returns whether no other row has the same values in columns that are unique together, or under a condition.
  func isFree(_ row: [Value], among others: some Sequence<[Value]>) -> Bool {
    func isFree(_ set: [Int], among others: some Sequence<[Value]>) -> Bool {
      let values = set.map { row[$0] }
      return values.contains(where: \.isNull) || !others.contains { other in set.map { other[$0] } == values }
    }
    return table.uniqueSets.allSatisfy { isFree($0, among: others) }
      && table.resolvedPartialUnique().allSatisfy { _, set, query in
        !query.matches(row) || isFree(set, among: others.filter(query.matches))
      }
  }

  /// Returns whether a row can replace the row at an index.
  func isFree(_ row: [Value], inPlaceOf index: Int) -> Bool {
    table.uniqueSets.isEmpty && table.partialUnique.isEmpty
      || isFree(row, among: rows.indices.filter { $0 != index }.map { rows[$0] })
  }

  /// Returns an element with the key of one sample, and with the values of another in columns that are unique together; `nil`
  /// if there is none.
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

  /// Returns an element that violates only one check, made with values of the samples and of the check, or close to them;
  /// `nil` if none of these violates the check.
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
    conditions.flatMap(\.operands).compactMap(\.value).flatMap { value -> [Value] in
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
