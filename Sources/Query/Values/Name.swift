/// The name of a table, a column, an index or a constraint, for comparisons.
///
/// Names are equal if their UTF-8 bytes are, as databases compare them. `String`'s own `==` also treats composed and
/// decomposed characters as equal, so names are never compared by it.
package struct Name: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (lhs: Name, rhs: Name) -> Bool { lhs == rhs.text }

  package static func == (lhs: Name, rhs: some StringProtocol) -> Bool {
    // The fallback compares byte by byte: the bytes of a bridged string are not contiguous.
    let isSame = lhs.text.utf8.withContiguousStorageIfAvailable { lhs in
      rhs.utf8.withContiguousStorageIfAvailable { rhs in lhs.elementsEqual(rhs) }
    }
    return (isSame ?? nil) ?? lhs.text.utf8.elementsEqual(rhs.utf8)
  }

  package static func != (lhs: Name, rhs: some StringProtocol) -> Bool { !(lhs == rhs) }

  /// The order of the bytes, in which distinct names are never equal.
  package static func < (lhs: Name, rhs: Name) -> Bool { lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// The bytes by which SQLite compares the name where case is ignored: it folds ASCII letters, and no others.
  /// https://www.sqlite.org/c3ref/stricmp.html
  package var folded: [UInt8] { text.utf8.map(Self.folded) }

  /// The name with its ASCII letters in lower case.
  package var foldedText: String { String(decoding: folded, as: UTF8.self) }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns whether another name has the same ``folded`` bytes.
  package func equalsFolded(_ other: String) -> Bool {
    text.utf8.lazy.map(Self.folded).elementsEqual(other.utf8.lazy.map(Self.folded))
  }
}

/// An element that has a ``Name``.
package protocol Named {
  var name: String { get }
}

extension Sequence where Element: Named {
  /// Returns the first element that has exactly this name.
  package func first(named name: String) -> Element? { first { Name($0.name) == name } }

  /// Returns whether an element has exactly this name.
  package func contains(named name: String) -> Bool { contains { Name($0.name) == name } }

  /// Returns the first element with a name of the same ``Name/folded`` bytes.
  package func first(foldedNamed name: String) -> Element? { first { Name($0.name).equalsFolded(name) } }

  /// Returns whether an element has a name of the same ``Name/folded`` bytes.
  package func contains(foldedNamed name: String) -> Bool { contains { Name($0.name).equalsFolded(name) } }
}

extension Collection where Element: Named {
  /// Returns the index of the first element with a name of the same ``Name/folded`` bytes.
  package func firstIndex(foldedNamed name: String) -> Index? { firstIndex { Name($0.name).equalsFolded(name) } }

  /// Returns the index of the first element that has exactly this name.
  package func firstIndex(named name: String) -> Index? { firstIndex { Name($0.name) == name } }

  /// Returns the index of the element that has exactly this name, among elements with different names.
  ///
  /// - Parameter position: the index that is looked at first. Two tables that are compared mostly have their columns in the same
  ///   order, and a search for each of hundreds of columns would take a time that grows with the square of their number.
  package func firstIndex(named name: String, near position: Index) -> Index? {
    if indices.contains(position), Name(self[position].name) == name { return position }
    return firstIndex(named: name)
  }
}

extension Sequence<String> {
  /// Returns whether one of the names is exactly this one.
  package func contains(named name: String) -> Bool { contains { Name($0) == name } }

  /// Returns the first of the names that has the same ``Name/folded`` bytes.
  package func first(foldedNamed name: String) -> String? { first { Name($0).equalsFolded(name) } }

  /// Returns whether one of the names has the same ``Name/folded`` bytes.
  package func contains(foldedNamed name: String) -> Bool { contains { Name($0).equalsFolded(name) } }
}

extension Collection<String> {
  /// Returns the index of the first name that is exactly this one.
  package func firstIndex(named name: String) -> Index? { firstIndex { Name($0) == name } }

  /// Returns the index of the first name that has the same ``Name/folded`` bytes.
  package func firstIndex(foldedNamed name: String) -> Index? { firstIndex { Name($0).equalsFolded(name) } }
}

/// The search for the name that was probably intended.
package enum NearestName {
  /// Returns the candidate with the fewest edits, if these are at most a third of the name's length, with at least one
  /// allowed. Uppercase letters and underscores don't count.
  package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    // A name of more than 128 bytes is hardly mistyped, and the cost is the product of both lengths.
    guard name.utf8.count <= 128 else { return nil }
    let sought = plain(name)
    let allowed = max(1, sought.count / 3)
    var best: (name: String, edits: Int)?
    for candidate in candidates where candidate.utf8.count <= 192 {
      let edits = edits(from: sought, to: plain(candidate))
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  private static func plain(_ name: String) -> [Character] {
    let letters = name.lowercased().filter { $0 != "_" }
    return Array(letters.isEmpty ? name : letters)
  }

  /// Returns the number of characters that have to be added, removed, replaced or swapped with their neighbour (the "optimal
  /// string alignment" distance).
  private static func edits(from source: [Character], to target: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for (row, character) in source.enumerated() {
      var current = [row + 1]
      for (column, other) in target.enumerated() {
        var edits = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == target[column - 1], source[row - 1] == other {
          edits = min(edits, beforePrevious[column - 1] + 1)
        }
        current.append(edits)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[target.count]
  }
}
