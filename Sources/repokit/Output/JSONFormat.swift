import Query

/// A JSON array of objects, whose members are in the order of the columns.
struct JSONFormat: OutputFormat {
  private let object: JSONObject
  private var isEmpty = true

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    object = JSONObject(columns, blobs: options.blobs)
  }

  func begin(_ output: inout OutputBuffer) {
    output.append("[")
  }

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    output.append(isEmpty ? "\n" : ",\n")
    isEmpty = false
    object.append(row, to: &output)
  }

  func end(_ output: inout OutputBuffer) {
    output.append(isEmpty ? "]\n" : "\n]\n")
  }
}

/// A JSON object a line, for programs that read them one at a time.
struct NDJSONFormat: OutputFormat {
  private let object: JSONObject

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    object = JSONObject(columns, blobs: options.blobs)
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    object.append(row, to: &output)
    output.append("\n")
  }
}

/// Writes rows as JSON objects (RFC 8259).
///
/// Integers are written in full: a reader that takes numbers for doubles, as JavaScript does, loses digits beyond 2^53.
/// Reals have the fewest digits that give them back exactly. JSON has no infinity, so it is the text `"Infinity"` or
/// `"-Infinity"`, and no bytes, so a blob is a text in Base64, unless another form is wanted.
struct JSONObject {
  /// The text before each value: the brace or comma, and the name.
  private let prefixes: [String]
  /// Whether the texts of each column are numbers or Booleans as JSON writes them.
  private let areLiterals: [Bool]
  private let blobs: BlobEncoding

  init(_ names: [String]) { self.init(names.map { ColumnHeading($0) }, blobs: nil) }

  init(_ columns: [ColumnHeading], blobs: BlobEncoding?) {
    self.blobs = blobs ?? .base64
    areLiterals = columns.map { $0.form?.isLiteral == true }
    prefixes = columns.enumerated().map { position, column in
      (position == 0 ? "{" : ",") + JSONText.quoted(column.name) + ":"
    }
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    for (position, value) in row.enumerated() where position < prefixes.count {
      output.append(prefixes[position])
      switch value {
      case .text(let text) where areLiterals[position]: output.append(text)
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

/// Texts as JSON writes them (RFC 8259, section 7).
enum JSONText {
  /// Writes a text in quotes. All control characters are escaped, not only those that have to be, and so are the two
  /// line separators that end a line for some readers, and the marks that would turn the direction of what follows.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(isPlain) {
      bytes.append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "\"": bytes.append(contentsOf: "\\\"".utf8)
    case "\\": bytes.append(contentsOf: "\\\\".utf8)
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}"..."\u{200F}", "\u{2028}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      bytes.append(contentsOf: "\\u\(Hexadecimal.digits(of: scalar.value, atLeast: 4))".utf8)
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}
