/// Messages of the libraries in words of the tool, whose user knows tables and columns, but no schemas, repositories and
/// migrations of a program.
enum ToolWording {
  /// What a message says to the authors of programs, and what it says to users of the tool.
  private static let phrases: [(phrase: String, plain: String)] = [
    (" differs from the schema", " has another form than repokit expects"),
    ("a repository can't use column ", "repokit can't use the column "), (" with this type", ""),
    ("the library can't compare values", "repokit can't compare values"),
    (", which stores text and blobs,", ", which stores text,"), ("save the row of ", "add the row of "),
    ("save the referenced row", "add the referenced row"),
    ("omit the column, or write with a schema without the column", "omit the column"),
    (", or choose another deletion rule for the reference", ""),
    (", or compare the column in SQL", ", or compare the column in a view"),
    ("another version of the schema created the table", "another program created the table"),
    (", or convert the numbers to dates in a migration", ""),
  ]

  /// A summary or a reason in words of the tool.
  static func plain(_ text: String) -> String {
    var text = text
    if text.hasPrefix("the schema of "), text.hasSuffix(" is not valid") {
      text = "can't create the table " + text.dropFirst("the schema of ".count).dropLast(" is not valid".count)
    }
    for (phrase, plain) in phrases { text = text.replacing(phrase, with: plain) }
    return text
  }

  /// Advice in words of the tool; `nil` for advice to the author of a program.
  static func advice(_ text: String) -> String? {
    let text = plain(text)
    let words = ["repository", "repositories", "migration", "the library", "the schema", "`rebuild`", "the property"]
    let isOfServer = text.contains("search path") || text.contains("PostgreSQL")
    return !isOfServer && words.contains(where: text.contains) ? nil : text
  }
}
