import Foundation
import Testing
@testable import repokit

@Suite("The help")
struct HelpTests {
  static let commands = CommandList.repokit.descriptions

  static func command(_ call: String) throws -> any Command.Type {
    var words = call.split(separator: " ").map(String.init)[...]
    return try CommandList.repokit.takeCommand(from: &words)
  }

  @Test("names every argument and option of a command, examples first", arguments: commands.map(\.call))
  func completeness(name: String) throws {
    let description = try Self.command(name).description
    let help = description.help
    for positional in description.positionals { #expect(help.contains("\n  \(positional.name) ")) }
    for option in description.options { #expect(help.contains("\n  \(option.heading) ")) }
    #expect(help.split(separator: "\nUsage\n")[0].contains("\nExamples\n"))
    #expect(!description.examples.isEmpty)
  }

  @Test("has examples that the command's arguments allow", arguments: commands.map(\.call))
  func examples(name: String) throws {
    let description = try Self.command(name).description
    for example in description.examples {
      var words: [String] = []
      for (position, part) in example.arguments.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
        words += position.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
      }
      #expect("\(words.joined(separator: " ")) ".hasPrefix("\(name) "))
      // What follows is for the shell.
      words = Array(words.prefix { $0 != "<" && $0 != ">" })
      var rest = words[...]
      let command = try CommandList.repokit.takeCommand(from: &rest)
      _ = try command.init(try ArgumentParser.parse(rest, for: command.description))
    }
  }

  @Test("fits on a terminal of 80 columns, but for examples", arguments: commands.map(\.call) + ["overview"])
  func width(name: String) throws {
    let help = name == "overview" ? Overview.help : try Self.command(name).description.help
    for line in help.split(separator: "\n") where !line.contains("repokit ") { #expect(line.count <= 80) }
    #expect(help.hasSuffix("\n"))
    #expect(!help.hasSuffix("\n\n"))
  }

  @Test("gives an option the same values in every command, and says the same of it")
  func options() {
    // What is said of these is about the command; their values have one form.
    let ofCommands = ["--by", "--columns", "--dry-run", "--format", "--sort", "--top"]
    var seen: [String: (option: OptionDescription, command: String)] = [:]
    for command in CommandList.repokit.descriptions {
      for option in command.options {
        guard let (other, name) = seen.updateValue((option, command.call), forKey: option.name) else { continue }
        let where_ = "\(option.name) of \(command.call) and \(name)"
        #expect(option.value == other.value && option.letter == other.letter, "\(where_)")
        #expect(option.isRepeatable == other.isRepeatable, "\(where_)")
        if !ofCommands.contains(option.name) { #expect(option.help == other.help, "\(where_)") }
      }
    }
  }

  @Test("has a page about each subject that commands share, of 80 columns", arguments: HelpTopic.all.map(\.name))
  func topics(name: String) async throws {
    let outcome = try await Workshop().run(["help", name])
    #expect(outcome.status == 0 && outcome.messages == "")
    for line in outcome.output.split(separator: "\n") where !line.contains("repokit ") { #expect(line.count <= 80) }
    try GoldenFile.check(outcome.output, "topic-\(name).txt")
    #expect(Overview.help.contains("\n  help \(name) "))
    #expect(throws: Failure.self) { try Self.command(name) }
  }

  @Test("shows what functions return", arguments: FunctionReference.sections.map(\.title))
  func functions(title: String) async throws {
    let functions = FunctionReference.sections.first { $0.title == title }?.functions ?? []
    let examples = functions.flatMap(\.examples)
    if examples.isEmpty { return }
    let workshop = try Workshop()
    try workshop.write("id\n1\n", to: "t.csv")
    let columns = examples.map(\.expression).joined(separator: ", ")
    let outcome = try await workshop.run(["query", "t.csv", "--columns", columns, "--no-names"])
    #expect(outcome == Outcome(status: 0, output: examples.map(\.value).joined(separator: "\t") + "\n", messages: ""))
  }

  @Test("lists all commands")
  func overview() {
    for command in CommandList.repokit.all {
      #expect(Overview.help.contains("\n  \(command.description.name) "))
    }
  }

  @Test("shows options that exclude each other in one pair of brackets")
  func usage() {
    #expect(
      ImportCommand.description.usageWords.joined(separator: " ")
        == "repokit import DATABASE [TABLE] FILE… [--from FORMAT] [--encoding NAME] [--delimiter C] [--quote C] [--backslash] [--decimal-comma | --thousands-comma] "
        + "[--numbers A[,B]] [--date-order ORDER] [--no-header | --rename-columns] [--skip-lines N] [--skip-end N] [--comment C] [--pad] [--trim] [--null TEXT[,…]] [--path NAME] "
        + "[--key K[,K2]] [--types A=TYPE,…] [--table-per-file] [--create-only | --append | --upsert | --replace] [--by K[,K2]] [--widen] [--skip-bad] [--dry-run]"
    )
  }

  @Test("reads as it was approved", arguments: ["repokit"] + CommandList.repokit.descriptions.map(\.call))
  func golden(call: String) throws {
    let help = CommandList.repokit.descriptions.first { $0.call == call }?.help ?? Overview.help
    try GoldenFile.check(help, call.replacing(" ", with: "-") + ".txt")
  }
}

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
    for command in CommandList.repokit.descriptions {
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

/// A text that stands in a file beside the tests, as it was read and approved.
enum GoldenFile {
  /// Compares a text with its file.
  ///
  /// Where REPOKIT_RECORD is set, the file is written instead, and the test fails: nothing has been checked then.
  ///
  /// - Parameter name: the file's name in the folder `Golden` of the folder of the test.
  static func check(
    _ text: String, _ name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden")
    let golden = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["REPOKIT_RECORD"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
      Issue.record("recorded \(name): read it, and run again without REPOKIT_RECORD", sourceLocation: location)
      return
    }
    let expected = try? String(contentsOf: golden, encoding: .utf8)
    #expect(
      text == expected, "\(name) differs; with REPOKIT_RECORD=1, this test writes it anew", sourceLocation: location)
  }
}
