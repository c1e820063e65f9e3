import Query

/// One row of a table in memory, and the elements that were made of it.
///
/// A row never changes: where an element is saved again, another row takes its place. So an element that was decoded once
/// is right for as long as the row is there, in whichever copy of the table.
final class MemoryRow: @unchecked Sendable {
  // Sendable although it holds a pointer: nothing changes what that points to before `deinit`.
  /// The values where they are, valid as long as the row is held: looking through a table counts no references, and does
  /// not touch the rows themselves.
  let unsafeValues: UnsafeBufferPointer<Value>
  private let decoded = DecodedElement.Link()

  init(_ values: [Value]) {
    let copy = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
    _ = copy.initialize(fromContentsOf: values)
    unsafeValues = UnsafeBufferPointer(copy)
  }

  deinit {
    let values = UnsafeMutableBufferPointer(mutating: unsafeValues)
    values.deinitialize()
    values.deallocate()
  }

  /// The values, copied.
  var values: [Value] { withExtendedLifetime(self) { Array(unsafeValues) } }

  subscript(column: Int) -> Value { withExtendedLifetime(self) { unsafeValues[column] } }
}

extension MemoryRow: Row {
  func value(at position: Int) -> Value { self[position] }
}

extension MemoryRow {
  /// The element of the row: decoded the first time, and given again from then on.
  ///
  /// - Parameter place: the row's place in the result, counted from 1.
  /// - Throws: as ``Schema/element(from:in:at:)`` does.
  func element<Element>(
    by schema: Schema<Element>, in table: TableSchema, at place: Int? = nil
  ) throws(RepositoryError) -> Element {
    // An object would be everybody's, and a change to it seen without being saved.
    if Element.self is AnyObject.Type { return try schema.element(from: self, in: table, at: place) }
    let first = decoded.load()
    if let made = first?.made(by: schema) { return made.element }
    let element = try schema.element(from: self, in: table, at: place)
    let made = DecodedElementOf(element, by: schema)
    if let first {
      first.add(made)
    } else {
      decoded.storeIfNil(made)
    }
    return element
  }
}
