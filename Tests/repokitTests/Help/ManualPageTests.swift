import Testing

@testable import repokit

@Suite("The manual page")
struct ManualPageTests {
  @Test("holds every command with its arguments, options and examples")
  func completeness() {
    let page = ManualPage.source
    func plain(_ text: String) -> String {
      var roff = Roff()
      roff.paragraph(text)
      return roff.text.replacing("\n", with: "")
    }
    for command in CommandList.descriptions {
      #expect(page.contains(".SS \"\(plain("repokit \(command.call)"))\"\n"))
      for argument in command.positionals { #expect(page.contains(".TP\n\\fB\(plain(argument.name))\\fR\n")) }
      for option in command.options { #expect(page.contains(".TP\n\\fB\(plain(option.heading))\\fR\n")) }
      for example in command.examples { #expect(page.contains("\n" + plain("repokit \(example.arguments)") + "\n")) }
    }
  }

  @Test("takes every text as it is")
  func escapes() {
    var roff = Roff()
    roff.paragraph(".dot 'quote' back\\slash - ^ ~ ` é …")
    roff.request("SH", "a \"b\"")
    roff.verbatim(["'x"])
    #expect(
      roff.text == """
        \\&.dot \\(aqquote\\(aq back\\eslash \\- \\(ha \\(ti \\(ga \\[u00E9] \\[u2026]
        .SH "a \\(dqb\\(dq"
        .nf
        \\(aqx
        .fi

        """)
  }

  @Test("is what `help --man` prints")
  func printed() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["help", "--man"])
    #expect(outcome == Outcome(status: 0, output: ManualPage.source, messages: ""))
    // Where groff is at hand, it has nothing to complain of.
    try workshop.write(outcome.output, to: "repokit.1")
    let complaints = try await workshop.shell(
      "command -v groff > /dev/null || exit 0; groff -man -Tutf8 -ww -z repokit.1"
    )
    #expect(complaints == Outcome(status: 0, output: "", messages: ""))
  }
}
