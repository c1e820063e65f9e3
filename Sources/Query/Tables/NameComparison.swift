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
