import Query
import Repository
import SQL

/// A table of elements, which are read and written with a connection that is checked out.
///
/// It is shared by synchronous and asynchronous calls, which differ in how they acquire a connection. It is a class, so that
/// the type of its elements is not looked up at run time, as it is for a generic structure.
final class ElementTable<Element: Storable>: Sendable {
  let schema: Schema<Element>
  let table: SQLTable
  /// The schema's coder, stored here to save lookups of types.
  private let coder: RowCoder<Element>

  init(_ schema: Schema<Element>, _ table: SQLTable) {
    self.schema = schema
    coder = schema.coder
    self.table = table
  }

  /// Returns the keys of elements as the values of the key's columns.
  func keys(_ ids: [Element.ID]) throws(RepositoryError) -> [[Value]] {
    try table.preparing { () throws(RepositoryError) -> [[Value]] in
      var keys: [[Value]] = []
      keys.reserveCapacity(ids.count)
      for id in ids { keys.append(try table.schema.key(id)) }
      return keys
    }
  }

  // MARK: Reading

  /// Returns the element of a row.
  func element(from row: any Row) throws(RepositoryError) -> Element {
    try coder.element(from: row, in: table.schema)
  }

  /// Reads the element of a statement's first row, if there is one.
  func read(
    _ statement: CompiledStatement, with connection: Connection, into element: inout Element?
  ) throws(RepositoryError) {
    try table.read(statement, with: connection) { row throws(RepositoryError) in
      if try row.step() { element = try coder.element(from: row, in: table.schema) }
    }
  }

  /// Reads the elements that match a request, in its order.
  ///
  /// - Parameter selection: the statement; `nil` if the request leads to other tables.
  func read(
    _ request: FetchRequest, by selection: SQLTable.Selection?, with connection: Connection,
    into elements: inout [Element]
  ) throws(RepositoryError) {
    let (statement, isReversed) = try table.selection(of: request, unless: selection, on: connection)
    try table.read(statement, with: connection) { row throws(RepositoryError) in
      elements = try coder.elements(from: row, in: table.schema, next: row.step)
    }
    if isReversed { elements.reverse() }
  }

  /// Reads the elements that match a request, in its order, without those that can't be read.
  ///
  /// - Parameter selection: the statement; `nil` if the request leads to other tables.
  func readable(
    _ request: FetchRequest, by selection: SQLTable.Selection?, with connection: Connection
  ) throws(RepositoryError) -> PartialResult<Element> {
    let (statement, isReversed) = try table.selection(of: request, unless: selection, on: connection)
    var elements: [Element] = []
    var unreadable: [UnreadableRow] = []
    try table.read(statement, with: connection) { row throws(RepositoryError) in
      var number = 0
      while try row.step() {
        number += 1
        let element = try coder.element(from: row, in: table.schema, at: number, orAddingTo: &unreadable) { error in
          error.suggestingConversion(in: table.schema, table.driver)
        }
        if let element { elements.append(element) }
      }
    }
    return isReversed
      ? PartialResult(elements: elements.reversed(), unreadable: unreadable.reversed())
      : PartialResult(elements: elements, unreadable: unreadable)
  }

  /// Returns the rows of elements that the database completes, such as by a generated key; `nil` if it stores the elements as
  /// they are.
  func rowsToComplete(_ elements: [Element]) throws(RepositoryError) -> [[Value]]? {
    table.schema.hasGeneratedKey || schema.completesRows ? try rows(elements) : nil
  }

  /// Makes the rows of elements.
  func rows(_ elements: [Element]) throws(RepositoryError) -> [[Value]] {
    try table.preparing { () throws(RepositoryError) -> [[Value]] in
      var rows: [[Value]] = []
      rows.reserveCapacity(elements.count)
      for element in elements { rows.append(try schema.row(from: element, in: table.schema)) }
      return rows
    }
  }

  /// Inserts elements, all or none.
  ///
  /// - Parameter rows: the rows of ``rowsToComplete(_:)``, which are completed.
  func insert(
    _ elements: [Element], as rows: inout [[Value]]?, with connection: Connection
  ) throws(RepositoryError) {
    guard let given = rows else { return try write(.insert, elements, with: connection) }
    rows = try connection.atomically { () throws(RepositoryError) in
      var written: [[Value]] = []
      if let count = connection.countWrittenTogether(of: given.count) {
        for start in stride(from: 0, to: given.count, by: count) {
          var rows = Array(given[start..<min(start + count, given.count)])
          if try !connection.driver.writeTogether(&rows, into: table.schema, by: .insert, on: connection) {
            let given = rows
            try table.write(.insert, with: connection) { writer throws(RepositoryError) in
              for index in given.indices { rows[index] = try writer.write(given[index]) }
            }
          }
          written += rows
        }
        return written
      }
      written.reserveCapacity(given.count)
      try table.write(.insert, with: connection) { writer throws(RepositoryError) in
        for row in given { written.append(try writer.write(row)) }
      }
      return written
    }
  }

  func elements(_ rows: [[Value]]) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for row in rows { elements.append(try schema.element(from: row, in: table.schema)) }
    return elements
  }

  /// Writes elements, all or none.
  func write(
    _ mode: WriteMode, _ elements: [Element], with connection: Connection
  ) throws(RepositoryError) {
    // A single statement is a transaction by itself.
    if elements.count == 1 { return try writeEach(mode, elements, with: connection) }
    try connection.atomically { () throws(RepositoryError) in try writeEach(mode, elements, with: connection) }
  }

  func writeEach(
    _ mode: WriteMode, _ elements: [Element], with connection: Connection
  ) throws(RepositoryError) {
    guard let count = connection.countWrittenTogether(of: elements.count) else {
      return try write(mode, elements, elements.indices, with: connection)
    }
    // Rows that are sent while they are made take no memory, but have to be made again if the driver refuses them.
    let isStreamed = mode == .insert && !table.schema.hasGeneratedKey
    for positions in elements.indices.parts(of: isStreamed ? 10 * count : count) {
      if isStreamed, try insertTogether(elements[positions], with: connection) { continue }
      for positions in positions.parts(of: count) {
        if try writeTogether(mode, elements[positions], with: connection) { continue }
        try write(mode, elements, positions, with: connection)
      }
    }
  }

  /// Inserts elements while their rows are made.
  ///
  /// - Returns: whether the driver has written them.
  private func insertTogether(
    _ elements: ArraySlice<Element>, with connection: Connection
  ) throws(RepositoryError) -> Bool {
    try connection.driver.insertTogether(elements.count, into: table.schema, on: connection) {
      number throws(RepositoryError) in
      try connection.reentrantly { () throws(RepositoryError) in
        try schema.row(from: elements[elements.startIndex + number], in: table.schema)
      }
    }
  }

  /// Writes elements whose rows are made first.
  ///
  /// - Returns: whether the driver has written them.
  private func writeTogether(
    _ mode: WriteMode, _ elements: ArraySlice<Element>, with connection: Connection
  ) throws(RepositoryError) -> Bool {
    try connection.checkInterruption()
    var rows: [[Value]] = []
    rows.reserveCapacity(elements.count)
    try connection.reentrantly { () throws(RepositoryError) in
      for element in elements { rows.append(try schema.row(from: element, in: table.schema)) }
    }
    return try connection.driver.writeTogether(&rows, into: table.schema, by: mode, on: connection)
  }

  /// Writes some of the elements one by one.
  private func write(
    _ mode: WriteMode, _ elements: [Element], _ positions: Range<Int>, with connection: Connection
  ) throws(RepositoryError) {
    try table.write(mode, with: connection) { writer throws(RepositoryError) in
      for position in positions {
        try write(elements[position], by: writer, before: elements[(position + 1)...])
      }
    }
  }

  /// Writes a batch of elements of a sequence.
  func write(
    _ mode: WriteMode, nextOf elements: [Element], with connection: Connection
  ) throws(RepositoryError) {
    if connection.countWrittenTogether(of: elements.count) != nil {
      return try writeEach(mode, elements, with: connection)
    }
    try table.write(mode, with: connection) { writer throws(RepositoryError) in
      for element in elements { try write(element, by: writer, before: []) }
    }
  }

  /// Writes the next elements of a synchronous sequence.
  ///
  /// - Returns: whether they were the last ones.
  func write(
    _ mode: WriteMode, batchFrom elements: ElementSource<Element>, with connection: Connection,
    _ meter: inout ProgressMeter
  ) throws(RepositoryError) -> Bool {
    var isComplete = false
    if let count = connection.countWrittenTogether(of: .max) {
      var batch: [Element] = []
      try connection.reentrantly { () throws(RepositoryError) in
        while !isComplete, batch.count < count {
          if let element = elements.nextAtOnce() { batch.append(element) } else { isComplete = true }
        }
      }
      try writeEach(mode, batch, with: connection)
      for _ in batch { try connection.reentrantly { () throws(RepositoryError) in try meter.advance() } }
      return isComplete
    }
    try table.write(mode, with: connection) { writer throws(RepositoryError) in
      // Other tasks within the transaction get the connection between two batches.
      for _ in 0..<256 {
        guard let element = try connection.reentrantly({ () throws(RepositoryError) in elements.nextAtOnce() }) else {
          isComplete = true
          return
        }
        try write(element, by: writer, before: [])
        try connection.reentrantly { () throws(RepositoryError) in try meter.advance() }
      }
    }
    return isComplete
  }

  /// Writes an element.
  ///
  /// - Parameter others: the following elements: if one of these can't be held by any store, that error precedes a violated
  ///   constraint.
  func write(
    _ element: Element, by writer: RowWriter, before others: @autoclosure () -> ArraySlice<Element>
  ) throws(RepositoryError) {
    let connection = writer.connection
    try connection.reentrantly { () throws(RepositoryError) in
      if try writer.bind(element, coder) { return }
      try writer.bind(row: try schema.row(from: element, in: table.schema))
    }
    try writer.write { () throws(RepositoryError) in
      try connection.reentrantly { () throws(RepositoryError) in
        for other in others() { _ = try schema.row(from: other, in: table.schema) }
        return try schema.row(from: element, in: table.schema)
      }
    }
  }
}

extension Range<Int> {
  /// Splits the range into parts of a maximum length.
  fileprivate func parts(of count: Int) -> some Sequence<Range<Int>> {
    stride(from: lowerBound, to: upperBound, by: count).lazy.map { $0..<Swift.min($0 + count, upperBound) }
  }
}

extension Connection {
  /// Returns the number of rows that are written together; `nil` if they are written one by one, as few rows always are.
  fileprivate func countWrittenTogether(of count: Int) -> Int? {
    let together = driver.rowsWrittenTogether
    return together > 0 && count >= 8 ? together : nil
  }
}
