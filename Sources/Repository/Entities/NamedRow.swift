public import Query

/// One row of a result, read by the names of its columns.
public struct NamedRow {
  let row: any Row
  /// Where each column stands; the names are values, which are compared by their bytes.
  let positions: [Value: Int]

  @usableFromInline
  init(row: any Row, positions: [Value: Int]) {
    self.row = row
    self.positions = positions
  }

  /// Reads one column.
  ///
  /// - Throws: ``ColumnFault`` where the schema has no such column, or the value does not fit the type.
  public func read<Property: ValueConvertible>(
    _ column: String, as type: Property.Type = Property.self
  ) throws(ColumnFault) -> Property {
    do throws(ValueError) {
      guard let position = positions[.text(column)] else {
        throw ValueError("the schema has no column of this name")
      }
      return try Property(value: try row.value(at: position))
    } catch {
      throw ColumnFault(column: column, error: error)
    }
  }
}
