/// The arguments of one call, as they were written.
struct Arguments {
  let command: CommandDescription
  /// Whether only the help is requested.
  let wantsHelp: Bool
  private let positionals: [String: [String]]
  /// The options in the order in which they were written.
  private let options: [(name: String, value: String)]

  init(
    for command: CommandDescription, wantsHelp: Bool = false, positionals: [String: [String]] = [:],
    options: [(name: String, value: String)] = []
  ) {
    self.command = command
    self.wantsHelp = wantsHelp
    self.positionals = positionals
    self.options = options
  }

  /// Returns the arguments with other values of a positional one.
  func replacing(_ positional: PositionalDescription, with values: [String]) -> Arguments {
    if values.isEmpty { return self }
    var all = positionals
    all[positional.name] = values
    return Arguments(for: command, wantsHelp: wantsHelp, positionals: all, options: options)
  }

  /// The same call with the values of two positional arguments in each other's place.
  func swapping(_ one: PositionalDescription, _ other: PositionalDescription) -> Arguments {
    var swapped = positionals
    (swapped[one.name], swapped[other.name]) = (positionals[other.name], positionals[one.name])
    return Arguments(for: command, wantsHelp: wantsHelp, positionals: swapped, options: options)
  }

  /// The value of a positional argument, if it was given.
  subscript(_ positional: PositionalDescription) -> String? { positionals[positional.name]?.first }

  /// All values of a positional argument that takes the remaining words.
  func all(_ positional: PositionalDescription) -> [String] { positionals[positional.name] ?? [] }

  /// The value of an option, if it was given.
  subscript(_ option: OptionDescription) -> String? { options.first { $0.name == option.name }?.value }

  /// All values of an option that may be given more than once, in the order in which they were written.
  func all(_ option: OptionDescription) -> [String] { options.filter { $0.name == option.name }.map(\.value) }

  /// The options of several that were given, in the order in which they were written.
  func inOrder(_ descriptions: [OptionDescription]) -> [(option: OptionDescription, value: String)] {
    options.compactMap { given in descriptions.first { $0.name == given.name }.map { ($0, given.value) } }
  }

  /// Whether an option was given.
  func has(_ option: OptionDescription) -> Bool { self[option] != nil }

  /// The value of a required positional argument.
  func required(_ positional: PositionalDescription) throws(Failure) -> String {
    guard let value = self[positional] else { throw command.usageError("\(positional.name) is missing") }
    return value
  }

  /// The whole number given by an option.
  func integer(_ option: OptionDescription) throws(Failure) -> Int? {
    guard let text = self[option] else { return nil }
    guard let integer = Int(text) else {
      let isTooLarge = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      let problem = isTooLarge ? "is too large" : "is not a whole number"
      throw command.usageError("\(option.name): \(TerminalText.quoted(text)) \(problem)")
    }
    return integer
  }

  /// The word given by an option, one of several.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: OptionDescription, of type: Choice.Type
  ) throws(Failure) -> Choice? {
    guard let text = self[option] else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    throw command.usageError(
      "\(option.name): invalid value \(TerminalText.quoted(text))",
      suggestion: .among(type.allCases.map(\.rawValue), nearestTo: text))
  }

  /// The names in an option's value, separated by commas; a name that contains a comma is in double quotes.
  func names(_ option: OptionDescription) throws(Failure) -> [String]? {
    guard let text = self[option] else { return nil }
    guard let names = NameList.parse(text) else {
      throw command.usageError(
        "\(option.name): \(TerminalText.quoted(text)) is not a list of names",
        suggestion: "separate names with commas, and put a name that contains a comma in double quotes: id,\"a, b\"")
    }
    // Names are compared by their bytes: two spellings of "é" are two columns.
    var seen: Set<[UInt8]> = []
    if let repeated = names.first(where: { !seen.insert(Array($0.utf8)).inserted }) {
      throw command.usageError("\(option.name): \(repeated) is given twice")
    }
    return names
  }
}

/// Names between commas, as an option lists them.
enum NameList {
  /// The names; `nil` for a text that is not a list of names.
  ///
  /// Spaces around a name don't count. A name in double quotes may hold commas and spaces, and a quote that is written
  /// twice. Instead of a name, an expression may be written, whose own commas are between parentheses or quotes.
  static func parse(_ text: String) -> [String]? {
    var names: [String] = []
    var rest = text.unicodeScalars[...]
    while let name = name(from: &rest) {
      names.append(name)
      guard let separator = rest.popFirst() else { return names }
      if separator != "," { return nil }
    }
    return nil
  }

  /// Reads a name, up to the comma or the end after it; `nil` where there is none.
  private static func name(from rest: inout Substring.UnicodeScalarView) -> String? {
    rest = rest.drop { $0 == " " }
    let start = rest
    var name = String.UnicodeScalarView()
    if rest.first == "\"" {
      let quoted = QuotedWords.content(ofQuoted: &rest)
      guard quoted.isClosed else { return nil }
      name.append(contentsOf: quoted.text.unicodeScalars)
      rest = rest.drop { $0 == " " }
      guard let next = rest.first, next != "," else { return name.isEmpty ? nil : String(name) }
      // The name is the start of an expression.
      guard ".[+-*/%|".unicodeScalars.contains(next) else { return nil }
      (rest, name) = (start, String.UnicodeScalarView())
    }
    let end = endOfExpression(in: rest) ?? rest.firstIndex(of: ",") ?? rest.endIndex
    name.append(contentsOf: rest[..<end])
    rest = rest[end...]
    while name.last == " " { name.removeLast() }
    return name.isEmpty ? nil : String(name)
  }

  /// The start of the last name of a list that is being written.
  static func startOfLast(in text: String) -> String.Index {
    var commas = Separators(text.unicodeScalars[...])
    var start = text.startIndex
    while let comma = commas.next() { start = text.unicodeScalars.index(after: comma) }
    return start
  }

  /// The first comma that is neither in parentheses nor in quotes, or the end; `nil` where one of these is not closed.
  private static func endOfExpression(in text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index? {
    var commas = Separators(text)
    let comma = commas.next()
    if commas.hasUnopened { return nil }
    return comma ?? (commas.isClosed ? text.endIndex : nil)
  }

  /// The commas of a text that are neither in parentheses nor in quotes.
  private struct Separators {
    private let text: Substring.UnicodeScalarView
    private var position: Substring.UnicodeScalarView.Index
    private var depth = 0
    private var quote: Unicode.Scalar?
    /// Whether a closing parenthesis has had no opening one so far.
    private(set) var hasUnopened = false
    /// Whether everything that was opened so far is closed.
    var isClosed: Bool { depth == 0 && quote == nil }

    init(_ text: Substring.UnicodeScalarView) {
      (self.text, position) = (text, text.startIndex)
    }

    mutating func next() -> Substring.UnicodeScalarView.Index? {
      while position < text.endIndex {
        let (scalar, index) = (text[position], position)
        text.formIndex(after: &position)
        switch scalar {
        case _ where quote != nil: if scalar == quote { quote = nil }
        case "'", "\"": quote = scalar
        case "(": depth += 1
        case ")": depth -= 1
        case "," where depth <= 0: return index
        default: break
        }
        if depth < 0 { hasUnopened = true }
      }
      return nil
    }
  }
}

/// The arguments as the system passes them.
enum ArgumentEncoding {
  /// Refuses arguments that are not UTF-8: Swift would replace the invalid bytes, and the stored value would differ
  /// from the one on the command line.
  static func check() throws(Failure) {
    for position in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[position], String(validatingCString: argument) == nil else {
        continue
      }
      throw Failure(
        "argument \(position) is not valid UTF-8: \(TerminalText.quoted(String(cString: argument)))",
        details: ["use UTF-8 in the terminal or the script"], status: .usageError)
    }
  }
}
