import Query
import Synchronization

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
  /// - Parameter number: the row's number in the result, counted from 1.
  /// - Throws: as ``Schema/element(from:in:at:)`` does.
  func element<Element>(
    by schema: Schema<Element>, in table: TableSchema, at number: Int? = nil
  ) throws(RepositoryError) -> Element {
    // An object would be everybody's, and a change to it seen without being saved.
    if Element.self is AnyObject.Type { return try schema.element(from: self, in: table, at: number) }
    let first = decoded.load()
    if let made = first?.made(by: schema) { return made.element }
    let element = try schema.element(from: self, in: table, at: number)
    let made = DecodedElementOf(element, by: schema)
    if let first {
      first.add(made)
    } else {
      decoded.storeIfNil(made)
    }
    return element
  }
}

/// An element that was made of a row by one schema.
///
/// A table can be opened by several schemas, say as a model type and as ``Record``s. Elements of two of them are kept;
/// a third schema decodes each time, so that schemas that are made anew for each use don't fill the memory.
class DecodedElement: @unchecked Sendable {
  // Sendable although it is a class that has subclasses: they add a constant alone.
  /// What tells the schema apart. It is held, so that no other schema comes to have the same address.
  fileprivate let schema: any AnyObject & Sendable
  private let next = Link()

  fileprivate init(by schema: any AnyObject & Sendable) {
    self.schema = schema
  }

  /// Keeps one more, unless there is one already.
  final func add(_ other: DecodedElement) { next.storeIfNil(other) }

  /// What a schema made, if it made anything.
  ///
  /// As a reference: an optional element would be put together of the metadata of generic types each time.
  final func made<Element>(by schema: Schema<Element>) -> DecodedElementOf<Element>? {
    if self.schema === schema.coder { return unsafeDowncast(self, to: DecodedElementOf<Element>.self) }
    guard let next = next.load(), next.schema === schema.coder else { return nil }
    return unsafeDowncast(next, to: DecodedElementOf<Element>.self)
  }
}

extension DecodedElement {
  /// A reference that is set once, by the first of several threads.
  ///
  /// The standard library's `AtomicLazyReference` does the same, but is not specialised where it is used, and took two
  /// thirds of the time of finding an element by its key.
  struct Link: ~Copyable, Sendable {
    private let element = Atomic<Unmanaged<DecodedElement>?>(nil)

    deinit {
      element.load(ordering: .acquiring)?.release()
    }

    /// The element; the caller holds the link meanwhile.
    @inline(__always)
    func load() -> DecodedElement? { element.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Keeps an element, unless there is one already.
    func storeIfNil(_ new: DecodedElement) {
      let retained = Unmanaged.passRetained(new)
      let (isKept, _) = element.compareExchange(expected: nil, desired: retained, ordering: .acquiringAndReleasing)
      if !isKept { retained.release() }
    }
  }
}

/// The element itself.
final class DecodedElementOf<Element: Storable>: DecodedElement, @unchecked Sendable {
  let element: Element

  init(_ element: Element, by schema: Schema<Element>) {
    self.element = element
    super.init(by: schema.coder)
  }
}

/// Where the values of a table's rows are, one address behind the other.
///
/// Looking through a table goes from here straight to the values. By way of the rows' objects, it took half as long again.
struct RowAddresses: @unchecked Sendable {
  // Sendable although it is made of pointers: the table holds the rows, which never change.
  private var starts: ContiguousArray<UnsafePointer<Value>?> = []
  private var columnCount = 0

  mutating func append(_ row: MemoryRow) {
    columnCount = row.unsafeValues.count
    starts.append(row.unsafeValues.baseAddress)
  }

  mutating func replace(at position: Int, with row: MemoryRow) { starts[position] = row.unsafeValues.baseAddress }

  mutating func removeLast() { starts.removeLast() }

  /// Gives the values of all rows to a closure; the caller holds the rows meanwhile.
  func withUnsafeRows<Result>(_ body: (UnsafeRows) -> Result) -> Result {
    starts.withUnsafeBufferPointer { body(UnsafeRows(starts: $0, columnCount: columnCount)) }
  }
}
