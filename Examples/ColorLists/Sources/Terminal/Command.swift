import ErrorHandling
import Foundation

/// What the words of a command line ask for.
struct Command {
  /// Does it.
  ///
  /// - Returns: what is printed, if anything is.
  typealias Action = (_ lists: ColorLists, _ text: ListText) async throws -> String?

  /// What is done; `nil` for help, which needs no lists.
  let action: Action?

  /// Reads the words of a command line, without the program's name.
  init(_ words: some Collection<String>) throws(DomainError) {
    let (verb, rest) = (words.first ?? "list", Array(words.dropFirst()))
    action = try Self.action(verb, rest, name: rest.first ?? "")
  }

  private static func action(_ verb: String, _ rest: [String], name: String) throws(DomainError) -> Action? {
    switch (verb, rest.count) {
    case ("help", _), ("--help", _), ("-h", _): return nil
    case ("list", 0): return { lists, text in text.list(try await lists.all()) }
    case ("show", 1): return { lists, text in text.show(try await lists.list(name)) }
    case ("add", 2...):
      let added = try colors(rest.dropFirst())
      return { lists, text in
        try await lists.add(added, to: name)
        return text.show(try await lists.list(name))
      }
    case ("rename", 2...3):
      let color = rest.count == 3 ? rest[1] : nil
      return { lists, _ in
        try await lists.rename(name, color: color, to: rest[rest.count - 1])
        return nil
      }
    case ("remove", 1...):
      return { lists, _ in
        try await lists.remove(name, colors: Array(rest.dropFirst()))
        return nil
      }
    case ("import", 1...2):
      return { lists, text in
        var list = try ColorListFile.read(path: name)
        if rest.count == 2 { list.name = rest[1] }
        try await lists.make(list)
        return text.show(list)
      }
    case ("export", 1...4):
      var words = rest
      var format = Format.clr
      if let option = words.firstIndex(of: "--format") {
        guard let known = words[(option + 1)...].first.flatMap(Format.init) else {
          throw .misuse("--format takes \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        format = known
        words.removeSubrange(option...(option + 1))
      }
      guard let name = words.first, words.count <= 2 else { throw .misuse("export takes a list and a file") }
      let path = words.dropFirst().first
      if format == .clr, path == nil { throw .misuse("a .clr file is no text: clr export \(name) \(name).clr") }
      return { lists, _ in
        let list = try await lists.list(name)
        let text = try format.text(of: list)
        guard let path else { return text }
        if let text { try ColorListFile.write(text, path: path) } else { try ColorListFile.write(list, path: path) }
        return nil
      }
    case ("list", _), ("show", _), ("add", _), ("rename", _), ("remove", _), ("import", _), ("export", _):
      throw .misuse("\(verb) takes other words than that")
    case (_, 0): throw .misuse("there is no command \(verb), and a list takes colors: clr \(verb) Red=#E60012")
    default:
      let list = ColorList(name: verb, colors: try colors(rest[...]))
      return { lists, text in
        try await lists.make(list)
        return text.show(list)
      }
    }
  }

  /// Colors as `Red=#E60012`; the name may have a `=` in it.
  private static func colors(_ words: ArraySlice<String>) throws(DomainError) -> [NamedColor] {
    var colors: [NamedColor] = []
    for word in words {
      guard let sign = word.lastIndex(of: "=") else { throw .misuse("\(word) is no color such as Red=#E60012") }
      let (name, hex) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
      guard let color = Color(rawValue: hex) else {
        throw .misuse("\(name) takes 3, 4, 6 or 8 hexadecimal digits, not \(hex)")
      }
      colors.append(NamedColor(name: name, color: color))
    }
    return colors
  }

  static let help = """
    Lists of colors, for Xcode and others.

    Usage: clr NAME COLOR...              makes a list: clr Brand Red=#E60012 Blue=#0068B7
           clr list                       all lists
           clr show NAME                  the colors of a list
           clr add NAME COLOR...          adds colors, or changes those of the same name
           clr rename NAME [COLOR] NEW    renames a list, or one of its colors
           clr remove NAME [COLOR...]     removes colors of a list, or all of it
           clr import FILE [NAME]         makes a list of a .clr file
           clr export NAME [FILE] --format clr|css|swift|json|gpl

    Xcode finds .clr files in ~/Library/Colors. The lists are kept in colors.sqlite, or
    where CLR_DATABASE says.
    """
}

extension DomainError {
  /// A command line that means nothing.
  fileprivate static func misuse(_ summary: String) -> DomainError {
    DomainError(.invalidRequest, summary, suggestion: "try clr help")
  }
}
