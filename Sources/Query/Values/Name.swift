// How names of tables, columns and indexes are compared: never by `String`'s own `==`, which takes the composed and the
// decomposed "é" for the same name.
extension StringProtocol {
  /// Whether both are the same bytes.
  package func isExactly(_ name: some StringProtocol) -> Bool { utf8.elementsEqual(name.utf8) }

  /// Whether SQLite takes both for one name: it folds the letters of ASCII, and no others.
  /// https://www.sqlite.org/c3ref/stricmp.html
  package func isSameName(as name: some StringProtocol) -> Bool {
    utf8.elementsEqual(name.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// What SQLite takes for the same name.
  package var asciiLowercased: [UInt8] { utf8.map(\.asciiLowercased) }
}

extension Sequence<String> {
  /// Whether one of the names is exactly this one.
  package func containsExactly(_ name: String) -> Bool { contains { $0.isExactly(name) } }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

/// Finds the name that somebody probably meant.
package enum NearestName {
  /// The candidate with the fewest edits, if that is at most a third of the name's length, and at least one is allowed.
  package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    // Nobody mistypes a longer name, and the cost is the product of both lengths.
    guard name.utf8.count <= 128 else { return nil }
    let sought = Array(name.lowercased())
    let allowed = max(1, sought.count / 3)
    var best: (name: String, edits: Int)?
    for candidate in candidates where candidate.utf8.count <= 192 {
      let edits = edits(from: sought, to: Array(candidate.lowercased()))
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  /// How many characters have to be added, removed, replaced or swapped with their neighbour (the "optimal string
  /// alignment" distance).
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
