package import Query

/// Makes elements of rows and rows of elements, and looks at the first ones more closely.
///
/// A class, so that the type of its elements is known where it is used: a generic value's has to be looked up.
package final class RowCoder<Element: Storable>: Sendable {
  private let coding: RowCoding<Element>
  private let firstUse = FirstUseCheck()

  init(_ coding: RowCoding<Element>) {
    self.coding = coding
  }

  /// See ``Schema/element(from:in:at:)-(Row,_,_)``.
  package func element(
    from row: any Row, in table: TableSchema, at place: Int? = nil
  ) throws(RepositoryError) -> Element {
    let element: Element
    do throws(ColumnFault) {
      element = try coding.decode(row)
    } catch {
      throw .unreadableRow(error, key: row.values(at: table.primaryKey), at: place, in: table)
    }
    if firstUse.isPending, let stored = row.values(at: Array(table.columns.indices)),
      let again = try? values(of: element),
      let error = firstUse.problem(table, id: element.id, written: stored, readAs: again)
    {
      throw error
    }
    return element
  }

  /// Reads an element from each row of a result, which stands before its first row.
  ///
  /// - Parameters:
  ///   - row: the row, which changes when the next one is gone to.
  ///   - table: the table.
  ///   - next: goes to the next row; `false` where there is none.
  /// - Throws: as ``element(from:in:at:)`` does, and what `next` throws.
  package func elements(
    from row: any Row, in table: TableSchema, next: () throws(RepositoryError) -> Bool
  ) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    while firstUse.isPending {
      guard try next() else { return elements }
      elements.append(try element(from: row, in: table, at: elements.count + 1))
    }
    if let fault = try coding.decodeAll(row, next, &elements) {
      throw .unreadableRow(fault, key: row.values(at: table.primaryKey), at: elements.count + 1, in: table)
    }
    return elements
  }

  /// See ``Schema/row(from:in:)``.
  package func row(from element: Element, in table: TableSchema) throws(RepositoryError) -> [Value] {
    let (row, again): ([Value], [Value]?)
    do throws(ColumnFault) {
      row = try values(of: element)
      again = firstUse.isPending ? try values(of: try coding.decode(ValueRow(row))) : nil
    } catch {
      throw .unstorable(error, in: table)
    }
    if let again, let error = firstUse.problem(table, id: element.id, written: row, readAs: again) { throw error }
    return try table.stored(row)
  }

  /// Hands out the values that keep an element, in the order of the columns and as its properties make them: a column may
  /// have to convert them, or to refuse them, as ``row(from:in:)`` does.
  ///
  /// - Returns: whether it did so. The first elements are checked, for which there has to be a row.
  /// - Throws: as ``row(from:in:)`` does.
  package func write(
    _ element: Element, in table: TableSchema, to write: (Value) -> Void
  ) throws(RepositoryError) -> Bool {
    if firstUse.isPending { return false }
    do throws(ColumnFault) {
      try coding.encode(element, write)
    } catch {
      throw .unstorable(error, in: table)
    }
    return true
  }

  private func values(of element: Element) throws(ColumnFault) -> [Value] {
    var values: [Value] = []
    try coding.encode(element) { values.append($0) }
    return values
  }
}

extension TableSchema {
  /// A row as the table keeps it: a type may make other values than its column holds, which no store may take.
  fileprivate func stored(_ row: [Value]) throws(RepositoryError) -> [Value] {
    if zip(columns, row).allSatisfy({ $0.isKept($1) }) { return row }
    var stored: [Value] = []
    stored.reserveCapacity(row.count)
    for (column, value) in zip(columns, row) {
      do throws(QueryError) {
        stored.append(try column.stored(value))
      } catch {
        throw .unstorable(
          ColumnFault(column: column.name, error: ValueError(error.summary, suggestion: error.suggestion)), in: self)
      }
    }
    return stored
  }
}
