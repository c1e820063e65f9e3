extension CommandDescription {
  /// What `repokit help COMMAND` prints: examples first, since most people read no further.
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
    let help = ("-h, --help", "Shows this help.")
    let common = CommonOptions.all.map { ($0.heading, $0.help) }
    sections.append("Options\n" + HelpText.columns(options.map { ($0.heading, $0.help) } + common + [help]))
    for note in notes {
      switch note {
      case .paragraph(let text): sections.append(HelpText.wrap(text))
      case .list(let title, let rows): sections.append("\(title)\n\(HelpText.columns(rows))")
      }
    }
    return sections.joined(separator: "\n\n") + "\n"
  }
}
