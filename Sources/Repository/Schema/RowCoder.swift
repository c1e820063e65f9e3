public import Query
import Synchronization

/// A coder between rows and elements, which checks the first elements more thoroughly.
///
/// It is a class, so that the type of its elements is known statically: the type of a generic value has to be looked up.
package final class RowCoder<Element: Storable>: Sendable {
  private let coding: RowCoding<Element>
  private let firstUse = FirstUseCheck()

  init(_ coding: RowCoding<Element>) {
    self.coding = coding
  }

  /// See ``Schema/element(from:in:at:)-(Row,_,_)``.
  package func element(
    from row: any Row, in table: TableSchema, at number: Int? = nil
  ) throws(RepositoryError) -> Element {
    let element: Element
    do throws(ColumnError) {
      element = try coding.decode(row)
    } catch {
      throw .unreadableRow(error, key: row.values(at: table.primaryKey), at: number, in: table)
    }
    if firstUse.isPending, let stored = row.values(at: Array(table.columns.indices)),
      let again = try? values(of: element),
      let error = firstUse.problem(table, id: element.id, written: stored, readAs: again)
    {
      throw error
    }
    return element
  }

  /// Reads an element from each row of a result, positioned before its first row.
  ///
  /// - Parameters:
  ///   - row: the row, whose content changes with each call of `next`.
  ///   - table: the table.
  ///   - next: advances to the next row; `false` if there is none.
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
    do throws(ColumnError) {
      row = try values(of: element)
      again = firstUse.isPending ? try values(of: try coding.decode(ValueRow(row))) : nil
    } catch {
      throw .unstorable(error, in: table)
    }
    if let again, let error = firstUse.problem(table, id: element.id, written: row, readAs: again) { throw error }
    return try table.stored(row)
  }

  /// Passes the values of an element to a closure, in the order of the columns and as its properties make them: a column may
  /// have to convert them, or to refuse them, as ``row(from:in:)`` does.
  ///
  /// - Returns: whether the values were passed; `false` for the first elements, whose check requires a whole row.
  /// - Throws: as ``row(from:in:)`` does.
  package func write(
    _ element: Element, in table: TableSchema, to write: (Value) -> Void
  ) throws(RepositoryError) -> Bool {
    if firstUse.isPending { return false }
    do throws(ColumnError) {
      try coding.encode(element, write)
    } catch {
      throw .unstorable(error, in: table)
    }
    return true
  }

  private func values(of element: Element) throws(ColumnError) -> [Value] {
    var values: [Value] = []
    try coding.encode(element) { values.append($0) }
    return values
  }
}

extension TableSchema {
  /// Returns a row as the table stores it: a type may make other values than its column holds, which no store may accept.
  fileprivate func stored(_ row: [Value]) throws(RepositoryError) -> [Value] {
    if isKept(row: row) { return row }
    var stored: [Value] = []
    stored.reserveCapacity(row.count)
    for (column, value) in zip(columns, row) {
      do throws(QueryError) {
        stored.append(try column.stored(value))
      } catch {
        throw .unstorable(
          ColumnError(column: column.name, error: ValueError(error.summary, suggestion: error.suggestion)), in: self)
      }
    }
    return stored
  }
}

/// The conversions of a model type's elements from rows and to rows.
///
/// Each conversion is one closure for a whole element, made where the model type is declared, so that the compiler can inline
/// the conversions of all columns. With a closure for each column, reading a row of ten columns took a fifth longer.
@usableFromInline
struct RowCoding<Element: Storable>: Sendable {
  /// A function that advances to the next row of a result.
  @usableFromInline typealias Advance = () throws(RepositoryError) -> Bool

  /// Decodes an element from one row.
  let decode: @Sendable (any Row) throws(ColumnError) -> Element
  /// Decodes an element from each remaining row, and stops at the first that can't be read.
  let decodeAll: @Sendable (any Row, Advance, inout [Element]) throws(RepositoryError) -> ColumnError?
  /// Passes an element's values to a closure, in the order of the columns.
  let encode: @Sendable (Element, (Value) -> Void) throws(ColumnError) -> Void

  @usableFromInline
  init(
    decode: @escaping @Sendable (any Row) throws(ColumnError) -> Element,
    decodeAll: @escaping @Sendable (any Row, Advance, inout [Element]) throws(RepositoryError) -> ColumnError?,
    encode: @escaping @Sendable (Element, (Value) -> Void) throws(ColumnError) -> Void
  ) {
    self.decode = decode
    self.decodeAll = decodeAll
    self.encode = encode
  }

  /// Makes conversions that decode rows one by one.
  init(
    decode: @escaping @Sendable (any Row) throws(ColumnError) -> Element,
    encode: @escaping @Sendable (Element, (Value) -> Void) throws(ColumnError) -> Void
  ) {
    self.init(
      decode: decode,
      decodeAll: { row, advance, elements throws(RepositoryError) in
        while try advance() {
          do throws(ColumnError) {
            elements.append(try decode(row))
          } catch {
            return error
          }
        }
        return nil
      }, encode: encode)
  }

  /// Makes conversions that decode elements by a closure, and encode them by their columns.
  ///
  /// - Parameters:
  ///   - columns: the columns, to find the column that can't be read after the closure has failed.
  ///   - direct: decodes an element from a row. The closure has to be known where this initialiser is called, so that it is
  ///     inlined into the loop.
  @inlinable
  init<each Property>(
    _ columns: repeat Column<Element, each Property>, direct: @escaping @Sendable (any Row) throws -> Element
  ) {
    let readers = (repeat (each columns).read)
    var names: [String] = []
    for column in repeat each columns { names.append(column.schema.name) }
    let fault: @Sendable (any Error, any Row) -> ColumnError = { [names] error, row in
      guard error is ValueError else { return .refusal(by: Element.self, error) }
      // The error comes from a column, or from the initialiser.
      var position = 0
      for reader in repeat each readers {
        do throws(ValueError) {
          _ = try reader(row, position)
        } catch {
          return ColumnError(column: names[position], error: error)
        }
        position += 1
      }
      return .refusal(by: Element.self, error)
    }
    self.init(
      decode: { row throws(ColumnError) in
        do {
          return try direct(row)
        } catch {
          throw fault(error, row)
        }
      },
      decodeAll: { row, advance, elements throws(RepositoryError) in
        while try advance() {
          do {
            elements.append(try direct(row))
          } catch {
            return fault(error, row)
          }
        }
        return nil
      }, encode: Self.encoding(repeat each columns))
  }

  /// Makes conversions that decode columns in the order of an initialiser's parameters, each by its own conversion.
  @inlinable
  init<each Property>(
    inOrder columns: repeat Column<Element, each Property>,
    make: @escaping @Sendable (repeat each Property) throws -> Element
  ) {
    let readers = (repeat (each columns).read)
    self.init(repeat each columns) { row in
      var position = -1
      func next() -> Int {
        position += 1
        return position
      }
      return try make(repeat try (each readers)(row, next()))
    }
  }

  /// Returns the encoding of elements by their columns.
  @inlinable
  static func encoding<each Property>(
    _ columns: repeat Column<Element, each Property>
  ) -> @Sendable (Element, (Value) -> Void) throws(ColumnError) -> Void {
    var names: [String] = []
    var writers: [@Sendable (UnsafePointer<Element>) throws(ValueError) -> Value] = []
    for column in repeat each columns {
      names.append(column.schema.name)
      writers.append(column.value)
    }
    let (columnNames, columnWriters) = (names, writers)
    return { element, write throws(ColumnError) in
      var position = 0
      do throws(ValueError) {
        try withUnsafePointer(to: element) { element throws(ValueError) in
          while position < columnWriters.count {
            write(try columnWriters[position](element))
            position += 1
          }
        }
      } catch {
        throw ColumnError(column: columnNames[position], error: error)
      }
    }
  }
}

extension ColumnError {
  /// Returns the error for a row that a model type refuses as a whole.
  @usableFromInline
  static func refusal(by type: Any.Type, _ error: any Error) -> ColumnError {
    if let fault = error as? ColumnError { return fault }
    if let error = error as? ValueError {
      return ColumnError(column: nil, error: ValueError("\(type) refused the row: \(error.summary)"))
    }
    // The messages of other errors may contain the row's values.
    return ColumnError(column: nil, error: ValueError("\(type) refused the row with \(Swift.type(of: error))"))
  }
}

/// A check for mistakes in a schema that compile: columns in another order than the initialiser's parameters, and a primary
/// key that is not the element's `id`.
///
/// The first elements that a schema writes or reads are converted to a row and back once more. If two columns are swapped in
/// the result, the order is wrong.
final class FirstUseCheck: Sendable {
  /// Elements with equal values in both columns are not conclusive, so more than one is checked.
  private let remaining = Atomic(64)

  var isPending: Bool { remaining.load(ordering: .relaxed) > 0 }

  /// Compares a row with the row that results from decoding and encoding it.
  ///
  /// - Parameters:
  ///   - id: the key of the row's element.
  ///   - written: the row.
  ///   - again: the row of the element that was read from it.
  func problem(
    _ table: TableSchema, id: some PrimaryKey, written: [Value], readAs again: [Value]
  ) -> RepositoryError? {
    remaining.subtract(1, ordering: .relaxed)
    let changed = written.indices.filter { written[$0] != again[$0] }
    // The same values in other columns, either two that were swapped or several that were rotated.
    if let first = changed.first, changed.map({ written[$0] }).sorted() == changed.map({ again[$0] }).sorted(),
      let second = changed.first(where: { written[$0] == again[first] })
    {
      return .swappedColumns(table.columns[first].name, table.columns[second].name, in: table)
    }
    if let key = try? id.keyValues(), !table.primaryKey.isEmpty, key != table.primaryKey.map({ again[$0] }) {
      return .primaryKeyIsNotID(table)
    }
    return nil
  }
}
