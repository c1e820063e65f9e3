public import Query

/// A row of any table, as keys and values: what a program gets that knows no model type for it.
///
/// ```swift
/// let records = try store.repository(Schema(try store.schema(ofTable: "pokemon")))
/// let pikachu = try await records.first(where: .equal(key: "name", value: "Pikachu"))
/// pikachu?["weight"]  // 6.0
/// ```
public struct Record: Storable, Hashable {
  private let shape: RecordShape
  /// The values, in the order of the keys.
  public let values: [Value]

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - fields: names and values, in any order. Columns that are left out are null. Of a name that stands twice, the
  ///     last value counts.
  ///   - table: the table for which the record is meant.
  /// - Throws: ``RepositoryError`` where the table has no such column.
  public init(_ fields: KeyValuePairs<String, Value>, for table: TableSchema) throws(RepositoryError) {
    var values = [Value](repeating: .null, count: table.columns.count)
    do throws(QueryError) {
      for (key, value) in fields { values[try table.position(of: key)] = value }
    } catch {
      throw RepositoryError(error)
    }
    self.init(values: values, shape: RecordShape(of: table))
  }

  /// Makes a record of values in the order of its keys.
  init(values: [Value], shape: RecordShape) {
    self.values = values
    self.shape = shape
  }

  /// Makes a record from the values of all columns of a table, in order.
  package init(values: [Value], in table: TableSchema) {
    self.init(values: values, shape: RecordShape(of: table))
  }

  /// Makes a record of a result that is no table's; all its values identify it.
  package init(keys: [String], values: [Value]) {
    self.init(values: values, shape: RecordShape(keys: keys, primaryKey: Array(keys.indices)))
  }

  /// The key of a record: the values of its primary key.
  public var id: RecordKey { RecordKey(values: shape.primaryKey.map { values[$0] }) }

  /// The names of the columns.
  public var keys: [String] { shape.keys }

  /// The value of a column; `nil` where the table has no such column.
  public subscript(key: String) -> Value? {
    // By bytes, as tables find their columns.
    keys.firstIndex { $0.utf8.elementsEqual(key.utf8) }.map { values[$0] }
  }

  /// Whether the record has the keys of others, in their order.
  func has(_ shape: RecordShape) -> Bool { self.shape === shape || self.shape.hasKeys(of: shape) }
}
