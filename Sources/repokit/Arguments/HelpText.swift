/// Breaks the lines of help texts.
enum HelpText {
  private static let width = 80

  /// Breaks a text at its spaces.
  static func wrap(_ text: String) -> String {
    wrap(text.split(separator: " ").map(String.init), indent: 0)
  }

  /// Fills lines with words that are never broken; lines after the first start with blanks.
  static func wrap(_ words: [String], indent: Int) -> String {
    var lines: [String] = []
    var line: String?
    for word in words {
      guard let current = line else {
        line = word
        continue
      }
      if current.count + 1 + word.count > width {
        lines.append(current)
        line = String(repeating: " ", count: indent) + word
      } else {
        line = "\(current) \(word)"
      }
    }
    return (lines + [line ?? ""]).joined(separator: "\n")
  }

  /// Two columns, of which the right one is broken into lines.
  ///
  /// - Parameter width: the minimum width of the left one.
  static func columns(_ rows: [(String, String)], width: Int = 0) -> String {
    let width = max(width, rows.map(\.0.count).max() ?? 0)
    return rows.map { name, text in
      let name = "  " + name + String(repeating: " ", count: width - name.count + 1)
      return wrap([name] + text.split(separator: " ").map(String.init), indent: width + 4)
    }.joined(separator: "\n")
  }
}

extension CommandDescription {
  /// The text that `repokit help COMMAND` prints: examples first, since most people read no further.
  var help: String {
    var sections = [summary]
    sections.append("Examples\n" + examples.map { $0.help(after: program) }.joined(separator: "\n"))
    sections.append("Usage\n  " + HelpText.wrap(usageWords, indent: 6))
    if !positionals.isEmpty {
      sections.append("Arguments\n" + HelpText.columns(positionals.map { ($0.name, $0.help) }))
    }
    if !subcommands.isEmpty {
      let rows = subcommands.map { ($0.description.name, $0.description.summary) }
      sections.append("Commands\n" + HelpText.columns(rows))
    }
    let help = ("-h, --help", "Show this help.")
    let common = ((printsRows ? RowTextOptions.all : []) + CommonOptions.all).map { ($0.heading, $0.help) }
    sections.append("Options\n" + HelpText.columns(options.map { ($0.heading, $0.help) } + common + [help]))
    sections += notes.map(\.help)
    return sections.joined(separator: "\n\n") + "\n"
  }
}

extension Note {
  /// The section as the help shows it.
  var help: String {
    switch self {
    case .paragraph(let text): HelpText.wrap(text)
    case .list(let title, let rows): "\(title)\n\(HelpText.columns(rows))"
    }
  }
}

extension CommandDescription.Example {
  /// The call and its summary, in two lines.
  ///
  /// - Parameter program: the text before the command's name.
  func help(after program: String? = "repokit") -> String {
    "  \(program.map { "\($0) " } ?? "")\(arguments)\n      \(meaning)"
  }
}
