package import Query
package import Repository
import SQL
package import SQLStore

/// A summary of a table or a view, without its rows.
package struct TableOverview: Hashable, Sendable {
  /// The kind of object that a name in a database refers to.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case table, view
    /// A table that a module provides, such as a full-text index.
    case virtual
    /// A table in which a virtual one stores its data.
    case shadow
    /// A table whose rows are on another server.
    case foreign
  }

  /// The name.
  package let name: String
  /// The kind of the object.
  package let kind: Kind
  /// The number of rows, as far as it is known.
  private let rows: RowCount
  /// The size of the table and its indexes on disk, in bytes of whole pages, and for a virtual table that of the tables in
  /// which it stores its data; `nil` for those and for a view, and where SQLite was built without the table `dbstat`.
  package let byteCount: Int?

  package init(name: String, kind: Kind, rowCount: RowCount, byteCount: Int?) {
    (self.name, self.kind, self.byteCount) = (name, kind, byteCount)
    rows = rowCount
  }

  /// The number of rows; `nil` where they were not counted or, as those of a view whose table is gone, can't be.
  package var rowCount: Int? { if case .counted(let count) = rows { count } else { nil } }

  /// The reason why the rows can't be counted; `nil` where they were, or were not to be.
  package var problem: String? { if case .unknown(let problem) = rows { problem } else { nil } }

  /// A number of rows, or why it is not known.
  package enum RowCount: Hashable, Sendable {
    case counted(Int)
    /// The rows were not to be counted.
    case notWanted
    case unknown(problem: String)
  }
}

extension SQLDatabase {
  /// Returns the tables and views in alphabetical order, without the one that records the migrations.
  ///
  /// - Parameters:
  ///   - measuring: whether rows are counted and sizes are added up. That reads every row, and of a file every page.
  ///   - countingViews: whether the rows of views are counted, too. A view may compute any number of rows, without end
  ///     where it refers to itself.
  /// - Throws: ``RepositoryError`` where the database can't be read.
  package func tableOverviews(
    measuring: Bool = true, countingViews: Bool = false
  ) throws(RepositoryError) -> [TableOverview] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.overviews(measuring: measuring, countingViews: countingViews)
    }
  }
}

extension InspectionCatalog {
  /// Returns the number of a table's rows, or why they can't be counted.
  package func knownRowCount(ofTable name: String) throws(RepositoryError) -> TableOverview.RowCount {
    do throws(RepositoryError) {
      return .counted(try connection.rowCount(ofTable: name))
    } catch {
      // Such as a view whose table was dropped, a virtual table whose module is missing, and one that may not be read.
      guard [.cancelled, .busy, .corrupt, .unreachable].contains(error.code) else {
        return .unknown(problem: error.reason ?? error.summary)
      }
      throw error
    }
  }
}

extension SQLDatabase {
  /// Returns the distinct values of a column among the first rows of its table, where they are few, for completions.
  ///
  /// Long texts and blobs are left out, and no row is read beyond the limit. It is stopped when its task is cancelled.
  ///
  /// - Parameters:
  ///   - column: the column's name.
  ///   - table: the name of the table or view.
  ///   - rows: the number of rows that are read.
  ///   - count: the maximum number of values.
  /// - Returns: the values in order; `nil` where there are more of them.
  @concurrent
  package func sampledValues(
    of column: String, in table: String, rows: Int = 5_000, atMost count: Int = 200
  ) async throws(RepositoryError) -> [Value]? {
    let statement: SQLStatement = "SELECT \(identifier: column) FROM \(identifier: table) LIMIT \(rows)"
    return try await run(.read) { connection throws(RepositoryError) in
      var values: Set<Value> = []
      try connection.read(statement.compiled(for: connection.compiler.dialect)) { row throws(RepositoryError) in
        while values.count <= count, try row.step() {
          switch try? row.value(at: 0) {
          case .text(let text) where text.unicodeScalars.count <= Self.longestSample: values.insert(.text(text))
          case .integer(let integer): values.insert(.integer(integer))
          case .real(let real): values.insert(.real(real))
          default: break
          }
        }
      }
      return values.count > count ? nil : values.sorted()
    }
  }

  /// The maximum number of scalars of a text that a completion offers.
  private static var longestSample: Int { 60 }
}
