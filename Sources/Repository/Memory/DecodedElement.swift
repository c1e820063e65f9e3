import Synchronization

/// An element that was made of a row by one schema.
///
/// A table can be opened by several schemas, say as a model type and as ``Record``s. Elements of two of them are kept; who
/// comes third decodes each time, so that schemas that are made anew for each use don't fill the memory.
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
  /// A place for an element that is filled once, by whoever comes first.
  ///
  /// The standard library's `AtomicLazyReference` does the same, but is not specialised where it is used, and took two
  /// thirds of the time of finding an element by its key.
  struct Link: ~Copyable, Sendable {
    private let element = Atomic<Unmanaged<DecodedElement>?>(nil)

    deinit {
      element.load(ordering: .acquiring)?.release()
    }

    /// The element; whoever reads it holds the link meanwhile.
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
