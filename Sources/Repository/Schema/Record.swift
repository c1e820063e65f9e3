public import Query

/// A row of any table, as keys and values, for programs without a model type for it.
///
/// ```swift
/// let records = try store.repository(Schema(try store.schema(ofTable: "pokemon")))
/// let pikachu = try await records.filter(.equal(key: "name", value: "Pikachu")).first()
/// pikachu?["weight"]  // 6.0
/// ```
public struct Record: Storable, Hashable {
  private let layout: RecordLayout
  /// The values, in the order of the keys.
  public let values: [Value]

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - fields: names and values, in any order. Columns that are left out are null. If a name is given twice, the last
  ///     value counts.
  ///   - table: the table of the record.
  /// - Throws: ``RepositoryError`` if the table has no such column.
  public init(_ fields: KeyValuePairs<String, Value>, for table: TableSchema) throws(RepositoryError) {
    var values = [Value](repeating: .null, count: table.columns.count)
    do throws(QueryError) {
      for (key, value) in fields { values[try table.position(of: key)] = value }
    } catch {
      throw RepositoryError(error)
    }
    self.init(values: values, layout: RecordLayout(of: table))
  }

  /// Makes a record of values in the order of its keys.
  init(values: [Value], layout: RecordLayout) {
    self.values = values
    self.layout = layout
  }

  /// Makes a record from the values of all columns of a table, in order.
  package init(values: [Value], in table: TableSchema) {
    self.init(values: values, layout: RecordLayout(of: table))
  }

  /// Makes a record of a result that is not of one table; all its values identify it.
  package init(keys: [String], values: [Value]) {
    self.init(values: values, layout: RecordLayout(keys: keys, primaryKey: Array(keys.indices)))
  }

  /// The key of a record: the values of its primary key.
  public var id: RecordKey { RecordKey(values: layout.primaryKey.map { values[$0] }) }

  /// The names of the columns.
  public var keys: [String] { layout.keys }

  /// Returns the value of a column; `nil` if the table has no such column.
  public subscript(key: String) -> Value? {
    // Keys are compared by their bytes, as tables find their columns.
    keys.firstIndex(named: key).map { values[$0] }
  }

  /// Returns whether the record has the keys of a layout, in the same order.
  func has(_ layout: RecordLayout) -> Bool { self.layout === layout || self.layout.hasKeys(of: layout) }
}

extension Record: CustomStringConvertible {
  /// The fields in order, with values as queries write them: `[id: 25, name: 'Pikachu', height: null]`.
  public var description: String {
    "[" + zip(keys, values).map { "\($0): \($1)" }.joined(separator: ", ") + "]"
  }
}

/// The primary key of a record: `25`, `"pikachu"` or `["red", 25]`.
public struct RecordKey: PrimaryKey {
  /// The values of the key's columns.
  public let values: [Value]

  /// Makes a key of one or several columns.
  public init(values: [Value]) {
    self.values = values
  }

  /// Returns the values of the key's columns.
  public func keyValues() -> [Value] { values }
}

extension RecordKey: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Makes a key of one integer.
  public init(integerLiteral value: Int64) { self.init(values: [.integer(value)]) }

  /// Makes a key of one text.
  public init(stringLiteral value: String) { self.init(values: [.text(value)]) }

  /// Makes a key of several columns.
  public init(arrayLiteral elements: Value...) { self.init(values: elements) }
}

/// The layout of the records of one table: their keys, and those that identify a record.
final class RecordLayout: Hashable, Sendable {
  let keys: [String]
  let primaryKey: [Int]

  init(keys: [String], primaryKey: [Int]) {
    self.keys = keys
    self.primaryKey = primaryKey
  }

  convenience init(of table: TableSchema) {
    let keys = table.columns.map(\.name)
    // Without a key, a row is identified by all its values.
    self.init(keys: keys, primaryKey: table.primaryKey.isEmpty ? Array(keys.indices) : table.primaryKey)
  }

  static func == (lhs: RecordLayout, rhs: RecordLayout) -> Bool {
    lhs === rhs || lhs.hasKeys(of: rhs) && lhs.primaryKey == rhs.primaryKey
  }

  /// Returns whether the keys are the same, by their bytes, in the same order.
  func hasKeys(of other: RecordLayout) -> Bool {
    keys.map(Name.init) == other.keys.map(Name.init)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
  }
}

extension Schema where Element == Record {
  /// Makes a schema of records, for a table whose description was read from a database or made at run time.
  public init(_ table: TableSchema) {
    let layout = RecordLayout(of: table)
    self.init(
      table: .success(table),
      coding: RowCoding(
        decode: { row throws(ColumnError) in
          let keys = layout.keys
          var position = 0
          do throws(ValueError) {
            var values: [Value] = []
            values.reserveCapacity(keys.count)
            while position < keys.count {
              values.append(try row.value(at: position))
              position += 1
            }
            return Record(values: values, layout: layout)
          } catch {
            throw ColumnError(column: keys[position], error: error)
          }
        },
        encode: { record, write throws(ColumnError) in
          // Records of the same table hold their values in its order.
          let isInOrder = record.has(layout)
          for (position, column) in table.columns.enumerated() {
            let value = isInOrder ? record.values[position] : record[column.name] ?? .null
            do throws(QueryError) {
              write(try column.stored(value))
            } catch {
              throw ColumnError(column: column.name, error: ValueError(error.summary, suggestion: error.suggestion))
            }
          }
          if isInOrder { return }
          if let stray = record.keys.first(where: { key in !table.columns.contains(named: key) }) {
            throw ColumnError(column: stray, error: ValueError("the table has no such column"))
          }
        }))
  }
}
