import Query

/// The content of connection strings, as libpq parses them.
extension LibPQ {
  /// Returns the keyword that was probably intended in a string; the text in the string may be a part of a password, and is
  /// not shown.
  func nearestKeyword(in string: String) -> String? {
    let known = keywords
    let words = string.matches(of: #/(?:^|[\s?&])([A-Za-z_]{3,})\s*=/#).map { String($0.1) }
    return words.first { !known.contains($0) }.flatMap { NearestName.nearest(to: $0, in: known) }
  }

  /// All keywords of the library.
  private var keywords: [String] {
    guard let options = parseConnectionString("", nil) else { return [] }
    defer { freeConnectionOptions(options) }
    var keywords: [String] = []
    var option = UnsafeRawPointer(options)
    while let keyword = option.load(as: UnsafePointer<CChar>?.self) {
      keywords.append(String(cString: keyword))
      option += 7 * MemoryLayout<Int>.stride
    }
    return keywords
  }

  /// Returns the content of a connection string; `nil` if it can't be parsed.
  func parse(_ string: String) -> [(keyword: String, value: String)]? {
    var message: UnsafePointer<CChar>?
    let options = string.contains("\0") ? nil : parseConnectionString(string, &message)
    if let message { freeMemory(UnsafeMutableRawPointer(mutating: message)) }
    guard let options else { return nil }
    defer { freeConnectionOptions(options) }
    var given: [(String, String)] = []
    // Each is a `PQconninfoOption`: six texts, of which the first is the keyword and the fourth the value, and a number.
    let (size, valueOffset) = (7 * MemoryLayout<Int>.stride, 3 * MemoryLayout<Int>.stride)
    var option = UnsafeRawPointer(options)
    while let keyword = option.load(as: UnsafePointer<CChar>?.self) {
      if let value = option.load(fromByteOffset: valueOffset, as: UnsafePointer<CChar>?.self) {
        given.append((String(cString: keyword), String(cString: value)))
      }
      option += size
    }
    return given
  }
}
