/// A text in the language of manual pages, as `man` reads it.
/// https://man7.org/linux/man-pages/man7/groff_man.7.html
struct Roff {
  private(set) var text = ""

  /// Adds a request with its arguments, such as the title of a section.
  mutating func request(_ name: String, _ arguments: String...) {
    text += "." + name + arguments.map { " \"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }.joined() + "\n"
  }

  /// Adds a text that is filled into lines.
  mutating func paragraph(_ text: String) {
    self.text += Self.line(Self.escaped(text)) + "\n"
  }

  /// Adds terms, each with what it means indented below.
  mutating func terms(_ terms: [(String, String)]) {
    for (term, meaning) in terms {
      text += ".TP\n\\fB\(Self.escaped(term))\\fR\n"
      paragraph(meaning)
    }
  }

  /// Adds lines that stay as they are.
  mutating func verbatim(_ lines: [String]) {
    text += ".nf\n" + lines.map { Self.line(Self.escaped($0)) + "\n" }.joined() + ".fi\n"
  }

  /// Adds calls of commands, each with what it does indented below.
  mutating func examples(_ examples: [CommandDescription.Example]) {
    for example in examples {
      request("PP")
      verbatim(["repokit \(example.arguments)"])
      request("RS", "4")
      paragraph(example.meaning)
      request("RE")
    }
  }

  /// A line that starts with a dot would be a request; so would one with an apostrophe, if that were not escaped.
  private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      // A plain one may be shown as a hyphen, which nobody can paste into a shell. So may the others be as typographers
      // like them.
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      // The pictures of control characters are in none of its fonts.
      case "\u{2400}"..."\u{243F}": escaped += "?"
      case "\u{20}"..."\u{7E}": escaped.unicodeScalars.append(scalar)
      default: escaped += "\\[u\(scalar.fourDigits)]"
      }
    }
    return escaped
  }
}

extension Unicode.Scalar {
  /// The number in at least four hexadecimal digits.
  fileprivate var fourDigits: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
