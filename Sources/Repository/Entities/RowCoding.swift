public import Query

/// The ways of a model type's elements from rows and into them.
///
/// Each is one closure for a whole element, made where the model type is declared, so that the compiler can put the ways of
/// all columns into it. With a closure for each column, reading a row of ten columns took a fifth longer.
@usableFromInline
struct RowCoding<Element: Storable>: Sendable {
  /// Goes to the next row of a result.
  @usableFromInline typealias Advance = () throws(RepositoryError) -> Bool

  /// Makes an element of one row.
  let decode: @Sendable (any Row) throws(ColumnFault) -> Element
  /// Makes an element of each row that is left, and stops at the first that can't be read.
  let decodeAll: @Sendable (any Row, Advance, inout [Element]) throws(RepositoryError) -> ColumnFault?
  /// Hands out an element's values in the order of the columns.
  let encode: @Sendable (Element, (Value) -> Void) throws(ColumnFault) -> Void

  @usableFromInline
  init(
    decode: @escaping @Sendable (any Row) throws(ColumnFault) -> Element,
    decodeAll: @escaping @Sendable (any Row, Advance, inout [Element]) throws(RepositoryError) -> ColumnFault?,
    encode: @escaping @Sendable (Element, (Value) -> Void) throws(ColumnFault) -> Void
  ) {
    self.decode = decode
    self.decodeAll = decodeAll
    self.encode = encode
  }

  /// Reads many rows one by one.
  init(
    decode: @escaping @Sendable (any Row) throws(ColumnFault) -> Element,
    encode: @escaping @Sendable (Element, (Value) -> Void) throws(ColumnFault) -> Void
  ) {
    self.init(
      decode: decode,
      decodeAll: { row, advance, elements throws(RepositoryError) in
        while try advance() {
          do throws(ColumnFault) {
            elements.append(try decode(row))
          } catch {
            return error
          }
        }
        return nil
      }, encode: encode)
  }

  /// Reads elements as a closure says, and writes them as their columns do.
  ///
  /// - Parameters:
  ///   - columns: tell, where the closure fails, which of them can't be read.
  ///   - direct: makes an element of a row. It is to be known where this is called, so that it becomes a part of the loop.
  @inlinable
  init<each Property>(
    _ columns: repeat Column<Element, each Property>, direct: @escaping @Sendable (any Row) throws -> Element
  ) {
    let readers = (repeat (each columns).read)
    var names: [String] = []
    for column in repeat each columns { names.append(column.schema.name) }
    let fault: @Sendable (any Error, any Row) -> ColumnFault = { [names] error, row in
      guard error is ValueError else { return .refusal(by: Element.self, error) }
      // Of a column, or of the initialiser.
      var position = 0
      for reader in repeat each readers {
        do throws(ValueError) {
          _ = try reader(row, position)
        } catch {
          return ColumnFault(column: names[position], error: error)
        }
        position += 1
      }
      return .refusal(by: Element.self, error)
    }
    self.init(
      decode: { row throws(ColumnFault) in
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

  /// Reads columns in the order of an initialiser's parameters, each as it says itself.
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

  /// How elements are written by their columns.
  @inlinable
  static func encoding<each Property>(
    _ columns: repeat Column<Element, each Property>
  ) -> @Sendable (Element, (Value) -> Void) throws(ColumnFault) -> Void {
    var names: [String] = []
    var writers: [@Sendable (UnsafePointer<Element>) throws(ValueError) -> Value] = []
    for column in repeat each columns {
      names.append(column.schema.name)
      writers.append(column.value)
    }
    let (columnNames, columnWriters) = (names, writers)
    return { element, write throws(ColumnFault) in
      var position = 0
      do throws(ValueError) {
        try withUnsafePointer(to: element) { element throws(ValueError) in
          while position < columnWriters.count {
            write(try columnWriters[position](element))
            position += 1
          }
        }
      } catch {
        throw ColumnFault(column: columnNames[position], error: error)
      }
    }
  }
}

extension ColumnFault {
  /// What a model type throws that refuses a row as a whole.
  @usableFromInline
  static func refusal(by type: Any.Type, _ error: any Error) -> ColumnFault {
    if let fault = error as? ColumnFault { return fault }
    if let error = error as? ValueError {
      return ColumnFault(column: nil, error: ValueError("\(type) refused the row: \(error.summary)"))
    }
    // What other errors say may hold the row's values.
    return ColumnFault(column: nil, error: ValueError("\(type) refused the row with \(Swift.type(of: error))"))
  }
}
