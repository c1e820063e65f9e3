/// What the program was told to do.
struct Arguments: Hashable {
  enum Command: Hashable {
    case list, help
    case show(String)
    case make(ColorList)
    case add([NamedColor], to: String)
    case rename(String, color: String?, to: String)
    case remove(String, colors: [String])
    case importing(path: String, as: String?)
    case export(String, Format, path: String?)
  }

  let command: Command
  /// The file that keeps the lists.
  let database: String

  /// Reads the words of a command line, without the program's name.
  init(_ words: some Sequence<String>, environment: [String: String] = [:]) throws(UsageError) {
    var (rest, options) = ([String](), [String: String]())
    var words = Array(words)[...]
    while let word = words.popFirst(), word != "--" {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch parts[0] {
      case "--help", "-h":
        (command, database) = (.help, "")
        return
      case "--database", "--name", "--format", "--output":
        guard let value = parts.count > 1 ? parts[1] : words.popFirst(), !value.isEmpty else {
          throw UsageError("\(parts[0]) takes a value")
        }
        options[parts[0]] = value
      case let option where option.hasPrefix("--"): throw UsageError("there is no option \(option)")
      default: rest.append(word)
      }
    }
    database = options.removeValue(forKey: "--database") ?? environment["CLR_DATABASE"] ?? "colors.sqlite"
    command = try Self.command(rest + words, &options)
    if let option = options.keys.min() { throw UsageError("\(option) means nothing here") }
  }

  private static func command(_ words: [String], _ options: inout [String: String]) throws(UsageError) -> Command {
    let (verb, rest) = (words.first ?? "list", Array(words.dropFirst()))
    let name = rest.first ?? ""
    switch (verb, rest.count) {
    case ("list", 0): return .list
    case ("help", _): return .help
    case ("show", 1): return .show(name)
    case ("make", 1...): return .make(ColorList(name: name, colors: try colors(rest.dropFirst())))
    case ("add", 2...): return .add(try colors(rest.dropFirst()), to: name)
    case ("rename", 2): return .rename(name, color: nil, to: rest[1])
    case ("rename", 3): return .rename(name, color: rest[1], to: rest[2])
    case ("remove", 1...): return .remove(name, colors: Array(rest.dropFirst()))
    case ("import", 1): return .importing(path: name, as: options.removeValue(forKey: "--name"))
    case ("export", 1):
      let word = options.removeValue(forKey: "--format") ?? "clr"
      guard let format = Format(rawValue: word) else {
        throw UsageError("--format takes \(Format.allCases.map(\.rawValue).joined(separator: ", ")), not \(word)")
      }
      let path = options.removeValue(forKey: "--output")
      if format == .clr, path == nil { throw UsageError("a .clr file is no text: --output \(name).clr says where to") }
      return .export(name, format, path: path)
    case ("list", _), ("show", _), ("make", _), ("add", _), ("rename", _), ("remove", _), ("import", _), ("export", _):
      throw UsageError("\(verb) takes other words than that")
    case (_, 1...): return .make(ColorList(name: verb, colors: try colors(rest[...])))
    default: throw UsageError("there is no command \(verb), and a list takes colors: clr \(verb) Red=#E60012")
    }
  }

  /// Colors as `Red=#E60012`; the name may have a `=` in it.
  private static func colors(_ words: ArraySlice<String>) throws(UsageError) -> [NamedColor] {
    var colors: [NamedColor] = []
    for word in words {
      guard let sign = word.lastIndex(of: "=") else { throw UsageError("\(word) is no color such as Red=#E60012") }
      let (name, hex) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
      guard let color = Color(rawValue: hex) else {
        throw UsageError("\(name) takes 3, 4, 6 or 8 hexadecimal digits, not \(hex)")
      }
      colors.append(NamedColor(name: name, color: color))
    }
    return colors
  }

  static let help = """
    Lists of colors, for Xcode and others.

    Usage: clr NAME COLOR...              makes a list: clr Brand Red=#E60012 Blue=#0068B7
           clr make NAME [COLOR...]       the same, also for the name of a command
           clr list                       all lists
           clr show NAME                  the colors of a list
           clr add NAME COLOR...          adds colors, or changes those of the same name
           clr rename NAME [COLOR] NEW    renames a list, or one of its colors
           clr remove NAME [COLOR...]     removes colors of a list, or all of it
           clr import FILE [--name NAME]  makes a list of a .clr file
           clr export NAME --format clr|css|swift|json|gpl [--output FILE]

    Xcode finds .clr files in ~/Library/Colors. The lists are kept in colors.sqlite, or
    where --database FILE or CLR_DATABASE says.
    """
}

/// A command line that means nothing.
struct UsageError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
