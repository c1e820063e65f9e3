import Query

/// Writes rows as JSON objects (RFC 8259).
///
/// Integers are written in full: a reader that takes numbers for doubles, as JavaScript does, loses digits beyond 2^53.
/// Reals have the fewest digits that give them back exactly. JSON has no infinity, so it is the text `"Infinity"` or
/// `"-Infinity"`, and no bytes, so a blob is a text in Base64, unless another form is wanted.
struct JSONObject {
  /// What stands before each value: the brace or comma, and the name.
  private let prefixes: [String]
  private let blobs: BlobForm

  init(_ names: [String], blobs: BlobForm? = nil) {
    self.blobs = blobs ?? .base64
    prefixes = names.enumerated().map { position, name in
      (position == 0 ? "{" : ",") + JSONText.quoted(name) + ":"
    }
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    for (prefix, value) in zip(prefixes, row) {
      output.append(prefix)
      switch value {
      case .null: output.append("null")
      case .integer(let integer): output.append(integer.description)
      case .real(.infinity): output.append("\"Infinity\"")
      case .real(-.infinity): output.append("\"-Infinity\"")
      case .real(let real): output.append(real.description)
      case .text(let text): JSONText.append(text, to: &output.bytes)
      case .blob(let bytes): output.append("\"\(blobs.text(bytes))\"")
      }
    }
    output.append("}")
  }
}
