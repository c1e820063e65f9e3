/// Texts as they are written in Swift, to be pasted into a test.
enum SwiftText {
  static func literal(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
  }
}
