import Query
import Synchronization

/// A row of a table in memory, with the elements that were decoded from it.
///
/// A row never changes: if an element is saved again, another row replaces it. So a decoded element is valid as long as the
/// row exists, in any copy of the table.
final class MemoryRow: @unchecked Sendable {
  // Sendable although it holds a pointer: nothing changes its content before `deinit`.
  /// The values in place, valid as long as the row is retained. With them, a scan of a table counts no references, and does not
  /// touch the row objects.
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

  /// A copy of the values.
  var values: [Value] { withExtendedLifetime(self) { Array(unsafeValues) } }

  subscript(column: Int) -> Value { withExtendedLifetime(self) { unsafeValues[column] } }
}

extension MemoryRow: Row {
  func value(at position: Int) -> Value { self[position] }
}

extension MemoryRow {
  /// Returns the element of the row: decoded by the first call, and cached from then on.
  ///
  /// - Parameter number: the row's number in the result, counted from 1.
  /// - Throws: as ``Schema/element(from:in:at:)`` does.
  func element<Element>(
    by schema: Schema<Element>, in table: TableSchema, at number: Int? = nil
  ) throws(RepositoryError) -> Element {
    // An element that is an object is not cached: it would be shared, and a change to it visible without being saved.
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

/// An element that was decoded from a row by one schema.
///
/// A table can be opened with several schemas, for instance as a model type and as ``Record``s. Elements of two of them are
/// cached; a third schema decodes each time, so that schemas that are made for a single use don't fill the memory.
class DecodedElement: @unchecked Sendable {
  // Sendable although it is a class with subclasses: they only add a constant.
  /// The identity of the schema. It is retained, so that no other schema gets the same address.
  fileprivate let schema: any AnyObject & Sendable
  private let next = Link()

  fileprivate init(by schema: any AnyObject & Sendable) {
    self.schema = schema
  }

  /// Caches another element, unless there is one already.
  final func add(_ other: DecodedElement) { next.storeIfNil(other) }

  /// Returns the element that a schema decoded, if there is one.
  ///
  /// The result is a reference, since an optional element would require generic metadata to be instantiated each time.
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

    /// Returns the element; the caller retains the link meanwhile.
    @inline(__always)
    func load() -> DecodedElement? { element.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores an element, unless there is one already.
    func storeIfNil(_ new: DecodedElement) {
      let retained = Unmanaged.passRetained(new)
      let (isKept, _) = element.compareExchange(expected: nil, desired: retained, ordering: .acquiringAndReleasing)
      if !isKept { retained.release() }
    }
  }
}

/// A decoded element, with its type.
final class DecodedElementOf<Element: Storable>: DecodedElement, @unchecked Sendable {
  let element: Element

  init(_ element: Element, by schema: Schema<Element>) {
    self.element = element
    super.init(by: schema.coder)
  }
}

/// The addresses of the values of a table's rows, contiguously.
///
/// A scan of a table reads the values through these addresses. Through the row objects, a scan took half as long again.
struct RowAddresses: @unchecked Sendable {
  // Sendable although it consists of pointers: the table retains the rows, which never change.
  private var starts: ContiguousArray<UnsafePointer<Value>?> = []
  private var columnCount = 0

  mutating func append(_ row: MemoryRow) {
    columnCount = row.unsafeValues.count
    starts.append(row.unsafeValues.baseAddress)
  }

  mutating func replace(at position: Int, with row: MemoryRow) { starts[position] = row.unsafeValues.baseAddress }

  mutating func removeLast() { starts.removeLast() }

  /// Calls a closure with the values of all rows; the caller retains the rows meanwhile.
  func withUnsafeRows<Result>(_ body: (UnsafeRows) -> Result) -> Result {
    starts.withUnsafeBufferPointer { body(UnsafeRows(starts: $0, columnCount: columnCount)) }
  }
}
