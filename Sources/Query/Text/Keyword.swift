/// The words that mean something in the text form, in upper or lower case.
enum Keyword: String, CaseIterable {
  case and, or, not
  case `true`, `false`, null
  case between, `in`, `is`, like, contains, starts, ends, with
  case ignoring, `case`
  case asc, desc, nulls, first, last

  /// Reads a word; case counts in ASCII alone.
  init?(word: ArraySlice<UInt8>) {
    // Compared as ASCII, because Swift's `==` takes the Kelvin sign for a K.
    guard word.count <= 8, word.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: String(decoding: word, as: UTF8.self).lowercased())
  }

  /// Whether a key of this name is quoted.
  ///
  /// The first six could not be told from a key where a condition or a value starts; the next four could, but a query
  /// such as `weight = between 1 and 5` would fail far from the slip. The other words only follow a key or a text, so
  /// a column called `first` or `case` is written as it is.
  var isReserved: Bool {
    switch self {
    case .and, .or, .not, .true, .false, .null, .between, .in, .is, .like: true
    case .contains, .starts, .ends, .with, .ignoring, .case, .asc, .desc, .nulls, .first, .last: false
    }
  }
}
