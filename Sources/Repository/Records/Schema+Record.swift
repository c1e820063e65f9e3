public import Query

extension Schema where Element == Record {
  /// A schema of records, for a table whose description was read from a database or made at run time.
  public init(_ table: TableSchema) {
    let shape = RecordShape(of: table)
    self.init(
      table: .success(table),
      coding: RowCoding(
        decode: { row throws(ColumnFault) in
          let keys = shape.keys
          var position = 0
          do throws(ValueError) {
            var values: [Value] = []
            values.reserveCapacity(keys.count)
            while position < keys.count {
              values.append(try row.value(at: position))
              position += 1
            }
            return Record(values: values, shape: shape)
          } catch {
            throw ColumnFault(column: keys[position], error: error)
          }
        },
        encode: { record, write throws(ColumnFault) in
          // Records of the same table hold their values in its order.
          let isInOrder = record.has(shape)
          for (position, column) in table.columns.enumerated() {
            let value = isInOrder ? record.values[position] : record[column.name] ?? .null
            do throws(QueryError) {
              write(try column.stored(value))
            } catch {
              throw ColumnFault(column: column.name, error: ValueError(error.summary, suggestion: error.suggestion))
            }
          }
          if isInOrder { return }
          if let stray = record.keys.first(where: { key in !table.columns.contains { $0.isCalled(key) } }) {
            throw ColumnFault(column: stray, error: ValueError("the table has no such column"))
          }
        }))
  }
}
