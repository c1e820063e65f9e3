package import Query
package import Repository
import SQL
package import SQLStore

// Makes the profiles of columns that `repokit describe` shows; a `ColumnProfile` is the result.
extension SQLDatabase {
  /// Computes statistics of the values of a table's columns, from one state of the database.
  ///
  /// The statistics are exact, at a cost: the rows are sorted once by each column, in a temporary file where they are many,
  /// except for columns that an index begins with.
  ///
  /// - Parameters:
  ///   - name: the table or view.
  ///   - query: the rows to include; all by default.
  ///   - columns: the names of the columns; all by default.
  ///   - commonCount: the number of most common values to find.
  ///   - progress: called with each profile as soon as it is computed.
  /// - Throws: ``RepositoryError`` where there is no such table or column, and where the query is refused.
  package func profiles(
    ofTable name: String, where query: AnyQuery = .true, columns: [String]? = nil, commonCount: Int = 5,
    progress: (ColumnProfile) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let table = try queriedTable(name).schema
    var chosen = table.columns
    if let columns {
      chosen = []
      do throws(QueryError) {
        for column in columns { chosen.append(table.columns[try table.position(of: column)]) }
      } catch {
        throw RepositoryError(error)
      }
    }
    try runBlocking(.read) { connection throws(RepositoryError) in
      let isAlone = !connection.isInTransaction
      if isAlone { try connection.begin(.reading) }
      defer { if isAlone { connection.rollBack(.reading) } }
      let query = try connection.resolve(query, in: table)
      try Profiler(connection: connection).profiles(of: chosen, in: query, commonCount: commonCount, progress: progress)
    }
  }
}

/// Computes profiles.
private struct Profiler {
  let connection: Connection

  /// Computes the profiles of some columns of the rows that match a query, a column at a time.
  func profiles(
    of columns: [ColumnSchema], in query: ResolvedQuery, commonCount: Int,
    progress: (ColumnProfile) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    for (column, bounds) in zip(columns, try bounds(of: columns, in: query)) {
      var builder = ProfileBuilder(column, bounds, commonCount: commonCount)
      try connection.query(connection.compiler.values(of: column, in: query)) { row in
        builder.add(try? row.value(at: 0), times: Int(row.integer(1)))
      }
      try progress(builder.profile(types: try connection.inspection.typeCounts(of: column, in: query)))
    }
  }

  /// In batches, since a result may have 2,000 columns at most, and in PostgreSQL 1,664.
  private func bounds(
    of columns: [ColumnSchema], in query: ResolvedQuery
  ) throws(RepositoryError) -> [ProfileBuilder.Bounds] {
    var bounds: [ProfileBuilder.Bounds] = []
    for start in stride(from: 0, to: columns.count, by: 200) {
      let batch = Array(columns[start..<min(columns.count, start + 200)])
      try connection.query(connection.compiler.ranges(of: batch, in: query)) { row in
        let rowCount = Int(row.integer(0))
        for position in batch.indices {
          bounds.append(
            ProfileBuilder.Bounds(
              rowCount: rowCount, valueCount: Int(row.integer(3 * position + 1)),
              least: (try? row.value(at: 3 * position + 2)) ?? .null,
              greatest: (try? row.value(at: 3 * position + 3)) ?? .null))
        }
      }
    }
    return bounds
  }
}

/// Computes the profile of a column from its values, each with the number of rows that have it.
struct ProfileBuilder {
  /// The facts about a column that are known before its values are read.
  struct Bounds {
    let rowCount: Int
    let valueCount: Int
    let least: Value
    let greatest: Value
  }

  private static let rangeCount = 12

  private let column: ColumnSchema
  private let bounds: Bounds
  private var distinctCount = 0
  private var unreadableCount = 0
  private var typeCounts: [ValueType: Int] = [:]
  private var least = MinMaxAccumulator(isGreatest: false)
  private var greatest = MinMaxAccumulator(isGreatest: true)
  private var total = SumAccumulator()
  private var lengths: (min: Int, max: Int, sum: Int, count: Int)?
  private var common: MostCommonValues
  private var histogram: Histogram?

  init(_ column: ColumnSchema, _ bounds: Bounds, commonCount: Int) {
    self.column = column
    self.bounds = bounds
    common = MostCommonValues(limit: commonCount)
    if let lower = bounds.least.double, let upper = bounds.greatest.double {
      let isWhole = column.type == .integer && bounds.least.isWhole && bounds.greatest.isWhole
      histogram = Histogram(from: lower, to: upper, count: Self.rangeCount, isWhole: isWhole)
    }
  }

  /// Adds a value.
  ///
  /// - Parameter value: `nil` for a text that is not UTF-8.
  mutating func add(_ value: Value?, times: Int) {
    guard let value else {
      distinctCount += 1
      unreadableCount += times
      typeCounts[.text, default: 0] += times
      return
    }
    if value.isNull { return }
    distinctCount += 1
    typeCounts[value.type, default: 0] += times
    least.add(value)
    greatest.add(value)
    common.add(value, count: times)
    switch value {
    case .integer, .real:
      total.add(value, times: times)
      if let number = value.double, number.isFinite { histogram?.add(number, times: times) }
    case .text(let text): addLength(text.unicodeScalars.count, times: times)
    case .null, .blob: break
    }
  }

  private mutating func addLength(_ length: Int, times: Int) {
    let known = lengths ?? (length, length, 0, 0)
    lengths = (
      Swift.min(known.min, length), Swift.max(known.max, length), known.sum + length * times, known.count + times
    )
  }

  /// The profile.
  ///
  /// - Parameter types: the number of values of each type, where the distinct values don't determine it.
  func profile(types: [ValueType: Int]? = nil) -> ColumnProfile {
    ColumnProfile(
      column: column, rowCount: bounds.rowCount, nullCount: bounds.rowCount - bounds.valueCount,
      distinctCount: distinctCount, typeCounts: types ?? typeCounts, min: least.value, max: greatest.value,
      mean: total.average.double == nil ? .null : total.average,
      lengths: lengths.map { lengths in
        TextLengths(min: lengths.min, max: lengths.max, mean: Double(lengths.sum) / Double(lengths.count))
      },
      common: common.values, histogram: histogram, unreadableCount: unreadableCount)
  }
}

extension Value {
  fileprivate var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }

  fileprivate var isWhole: Bool {
    if case .integer = self { true } else { false }
  }

  fileprivate var type: ValueType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    case .null: .any
    }
  }
}
