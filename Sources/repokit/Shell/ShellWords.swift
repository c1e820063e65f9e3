/// A text taken apart into words as the shells of Unix do: at blanks, with quotes and backslashes.
///
/// POSIX, Shell Command Language, 2.2 Quoting. Nothing is expanded.
struct ShellWords {
  /// A word, and where it stands.
  struct Word: Hashable {
    /// The word without its quotes.
    var text = ""
    /// Where it stands in the scalars, quotes included.
    var range: Range<Int>
    /// Whether one pair of quotes encloses all of it.
    var isQuoted = false
  }

  /// How a text ends.
  enum End: Hashable {
    case complete
    /// Within quotes, which began at a place.
    case quoted(Unicode.Scalar, at: Int)
    /// With a backslash.
    case escaped
    /// Within parentheses, of which the first is at a place.
    case parenthesized(at: Int)
  }

  let scalars: [Unicode.Scalar]
  private(set) var words: [Word] = []
  private(set) var end = End.complete

  init(_ text: some StringProtocol) {
    self.init(Array(text.unicodeScalars))
  }

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    var position = 0
    var openParentheses: [Int] = []
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar.isShellBlank {
        position += 1
      } else if scalar == "\\", position + 1 < scalars.count, scalars[position + 1] == "\n" {
        // The line goes on with the next one.
        position += 2
      } else {
        readWord(&position, &openParentheses)
      }
    }
    if end == .complete, let first = openParentheses.first { end = .parenthesized(at: first) }
  }

  private mutating func readWord(_ position: inout Int, _ openParentheses: inout [Int]) {
    let start = position
    var text = String.UnicodeScalarView()
    var quotes: [Range<Int>] = []
    loop: while position < scalars.count, !scalars[position].isShellBlank {
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "'", "\"":
        let opening = position - 1
        readQuoted(by: scalar, from: &position, into: &text)
        quotes.append(opening..<position)
      case "\\":
        guard position < scalars.count else {
          end = .escaped
          break loop
        }
        if scalars[position] != "\n" { text.append(scalars[position]) }
        position += 1
      default:
        if scalar == "(" { openParentheses.append(position - 1) }
        if scalar == ")" { _ = openParentheses.popLast() }
        text.append(scalar)
      }
    }
    let range = start..<position
    words.append(Word(text: String(text), range: range, isQuoted: quotes == [range]))
  }

  private mutating func readQuoted(
    by quote: Unicode.Scalar, from position: inout Int, into text: inout String.UnicodeScalarView
  ) {
    let opening = position - 1
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      if scalar == quote { return }
      if scalar == "\\", quote == "\"", position < scalars.count, Self.escapable.contains(scalars[position]) {
        if scalars[position] != "\n" { text.append(scalars[position]) }
        position += 1
      } else {
        text.append(scalar)
      }
    }
    end = .quoted(quote, at: opening)
  }

  /// What a backslash within double quotes makes plain.
  private static let escapable: Set<Unicode.Scalar> = ["\"", "\\", "$", "`", "\n"]

  /// A part of the text as it was written.
  func source(_ range: Range<Int>) -> String {
    var source = String.UnicodeScalarView()
    source.append(contentsOf: scalars[range])
    return String(source)
  }
}

extension Unicode.Scalar {
  /// Whether words end here.
  var isShellBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}
