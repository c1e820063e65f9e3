/// Elements that are removed in the order in which they were added, each in constant time.
package struct FirstInFirstOut<Element> {
  /// The elements from ``first`` on; those before it were removed.
  private var elements: [Element?] = []
  private var first = 0

  package init() {}

  package var count: Int { elements.count - first }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ element: Element) { elements.append(element) }

  package mutating func removeFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    elements[first] = nil
    first += 1
    // Each element is moved once at most for each one that was removed.
    if first == elements.count {
      elements.removeAll(keepingCapacity: first <= 64)
      first = 0
    } else if first > 64, first > elements.count / 2 {
      elements.removeSubrange(..<first)
      first = 0
    }
    return element
  }

  package mutating func removeAll() { self = Self() }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
