extension FormReader {
  /// Reads a document's fields, having checked that it is of the version that this release knows.
  func document(known: [FormField]) throws(InterchangeError) -> [Field] {
    let start = tokens.startIndex
    guard case .object = tokens[start] else { throw mismatch(at: start, expected: "an object") }
    // First, because a later version may have other fields.
    try checkVersion(at: start)
    return try fields(at: start, of: "the document", known: [.version] + known).filter { $0.name != .version }
  }

  private func checkVersion(at start: Int) throws(InterchangeError) {
    var place = start + 1
    while place < end(of: start), case .text(let name) = tokens[place] {
      if name == FormField.version.rawValue {
        if Int64(try integer(at: place + 1)) == FormVersion.current { return }
        throw error(
          .unsupportedVersion, "this version of the form is not known", at: place + 1,
          suggestion: "this release reads version \(FormVersion.current)")
      }
      place = end(of: place + 1)
    }
    throw missing(
      .version, of: "the document", at: start, suggestion: "add \"version\": \(FormVersion.current)")
  }
}
