import Query

/// A table of GitHub's Markdown, in which all texts are escaped; null is in italics, to differ from a text.
struct MarkdownFormat: OutputFormat {
  private let columns: [ColumnHeading]
  private let blobs: BlobEncoding?
  private let null: String

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    self.columns = columns
    blobs = options.blobs
    null = options.rowText.null.map(Self.escaped) ?? "*null*"
  }

  func begin(_ output: inout OutputBuffer) {
    append(columns.map { Self.escaped($0.name) }, to: &output)
    append(columns.map { $0.isNumeric ? "---:" : "---" }, to: &output)
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    append(row.map { $0.plainText(blobs).map(Self.escaped) ?? null }, to: &output)
  }

  private func append(_ cells: [String], to output: inout OutputBuffer) {
    output.append("| \(cells.joined(separator: " | ")) |\n")
  }

  /// Escapes what Markdown would take for its own. A tag of the text's own starts with an escaped `<`.
  static func escaped(_ text: String) -> String {
    MarkupText.escaped(text, "|\\<*`") { "\\\($0)" }
  }
}

/// A table of HTML, without a page around it. All texts are escaped; null is in italics, to differ from a text.
struct HTMLFormat: OutputFormat {
  private let columns: [ColumnHeading]
  private let blobs: BlobEncoding?
  private let null: String
  private let hasNames: Bool

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    self.columns = columns
    blobs = options.blobs
    null = options.rowText.null.map(Self.escaped) ?? "<i>null</i>"
    hasNames = options.rowText.hasNames
  }

  func begin(_ output: inout OutputBuffer) {
    output.append("<table>\n")
    if hasNames {
      output.append("<thead>\n<tr>")
      for column in columns { append("th", Self.escaped(column.name), isNumber: column.isNumeric, to: &output) }
      output.append("</tr>\n</thead>\n")
    }
    output.append("<tbody>\n")
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    output.append("<tr>")
    for value in row {
      let text = value.plainText(blobs).map(Self.escaped) ?? null
      append("td", text, isNumber: value.kind == .number, to: &output)
    }
    output.append("</tr>\n")
  }

  func end(_ output: inout OutputBuffer) {
    output.append("</tbody>\n</table>\n")
  }

  private func append(_ tag: String, _ content: String, isNumber: Bool, to output: inout OutputBuffer) {
    output.append(isNumber ? "<\(tag) style=\"text-align: right\">" : "<\(tag)>")
    output.append("\(content)</\(tag)>")
  }

  /// Escapes what HTML would take for its own.
  static func escaped(_ text: String) -> String {
    MarkupText.escaped(text, "&<>\"") { entities[$0] ?? "" }
  }

  private static let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
}

/// Texts within markup.
private enum MarkupText {
  /// Returns a text of one line with some characters escaped. A line break becomes the tag for one, and a control character,
  /// which a page may not have, a symbol: https://html.spec.whatwg.org/multipage/syntax.html#text-2
  static func escaped(_ text: String, _ marks: String, _ escape: (Unicode.Scalar) -> String) -> String {
    // As most texts are.
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && !marks.utf8.contains($0) }) { return text }
    var escaped = ""
    var isAfterCarriageReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where isAfterCarriageReturn: break
      case "\n", "\r": escaped += "<br>"
      case _ where marks.unicodeScalars.contains(scalar): escaped += escape(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
      isAfterCarriageReturn = scalar == "\r"
    }
    return TerminalText.visible(escaped)
  }
}
