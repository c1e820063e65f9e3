/// The first word of a statement in capitals: what it is about to do.
///
/// Blanks, comments and semicolons before it count as nothing. https://www.sqlite.org/lang_comment.html
struct FirstWord {
  let text: String

  init(of sql: String) {
    var rest = sql.utf8[...]
    while let first = rest.first {
      if [0x20, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: ";")].contains(first) {
        rest = rest.dropFirst()
      } else if rest.starts(with: "\u{FEFF}".utf8) {
        rest = rest.dropFirst(3)
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"))
    text = String(decoding: rest.prefix { letters.0.contains($0) || letters.1.contains($0) }, as: UTF8.self)
      .uppercased()
  }
}
