public import Query

extension Schema where Element == Record {
  /// A schema of records, for a table whose description was read from a database or made at run time.
  public init(_ table: TableSchema) {
    let keys = table.columns.map(\.name)
    self.init(
      table: .success(table),
      decode: { row throws(ColumnFault) in
        var values: [Value] = []
        values.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() {
          do throws(ValueError) {
            values.append(try row.value(at: position))
          } catch {
            throw ColumnFault(column: key, error: error)
          }
        }
        return Record(values: values, in: table, keys: keys)
      },
      encode: { record throws(ColumnFault) in
        var values: [Value] = []
        values.reserveCapacity(keys.count)
        for (position, column) in table.columns.enumerated() {
          // Records of the same table hold their values in its order.
          let value =
            record.keys.count > position && column.isCalled(record.keys[position])
            ? record.values[position] : record[column.name] ?? .null
          do throws(QueryError) {
            values.append(try column.stored(value))
          } catch {
            throw ColumnFault(column: column.name, error: ValueError(error.summary, suggestion: error.suggestion))
          }
        }
        if let stray = record.keys.first(where: { key in !table.columns.contains { $0.isCalled(key) } }) {
          throw ColumnFault(column: stray, error: ValueError("the table has no such column"))
        }
        return values
      })
  }
}
