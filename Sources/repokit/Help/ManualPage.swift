/// The manual page, made of the same descriptions as the help.
enum ManualPage {
  /// What `man repokit` shows, as its source.
  static var source: String {
    var page = Roff()
    page.request("TH", "REPOKIT", "1", "", "repokit \(Repokit.version)")
    page.request("SH", "NAME")
    page.paragraph("repokit - look into SQLite databases, and change them, in plain words")
    page.request("SH", "SYNOPSIS")
    page.verbatim(["repokit COMMAND DATABASE [ARGUMENT…]", "repokit help [COMMAND]", "repokit --version"])
    page.request("SH", "DESCRIPTION")
    page.paragraph(Overview.summary)
    page.paragraph(Overview.streams)
    page.request("SH", "EXAMPLES")
    page.examples(Overview.examples)
    page.request("SH", "COMMANDS")
    for command in CommandList.descriptions { append(command, to: &page) }
    page.request("SH", "OPTIONS")
    page.paragraph("Every command takes these.")
    page.terms(CommonOptions.all.map { ($0.heading, $0.help) } + Overview.options)
    page.request("SH", "EXIT STATUS")
    page.terms(Overview.statuses)
    page.request("SH", "ENVIRONMENT")
    page.terms(Overview.environment)
    page.request("SH", "FILES")
    page.terms(Overview.files)
    page.request("RS")
    page.terms(Overview.settings)
    page.request("RE")
    page.request("SH", "SEE ALSO")
    page.paragraph("sqlite3(1), less(1)")
    return page.text
  }

  private static func append(_ command: CommandDescription, to page: inout Roff) {
    page.request("SS", "repokit \(command.call)")
    page.paragraph(command.summary)
    page.request("PP")
    page.verbatim(HelpText.wrap(command.usageWords, indent: 4).split(separator: "\n").map(String.init))
    page.terms(command.positionals.map { ($0.name, $0.help) } + command.options.map { ($0.heading, $0.help) })
    for note in command.notes {
      page.request("PP")
      switch note {
      case .paragraph(let text): page.paragraph(text)
      case .list(let title, let rows):
        page.paragraph("\(title):")
        page.request("RS")
        page.terms(rows)
        page.request("RE")
      }
    }
    page.examples(command.examples)
  }
}
