import Testing

@testable import repokit

@Suite("The help")
struct HelpTests {
  static let commands = CommandList.descriptions

  static func command(_ call: String) throws -> any Command.Type {
    var words = call.split(separator: " ").map(String.init)[...]
    return try CommandList.takeCommand(from: &words)
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
      let command = try CommandList.takeCommand(from: &rest)
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

  @Test("lists all commands")
  func overview() {
    for command in CommandList.all {
      #expect(Overview.help.contains("\n  \(command.description.name) "))
    }
  }

  @Test("shows options that exclude each other in one pair of brackets")
  func usage() {
    #expect(
      ImportCommand.description.usageWords.joined(separator: " ")
        == "repokit import DATABASE TABLE FILE… [--from FORMAT] [--key K[,K2]] [--types A=TYPE,…] "
        + "[--create-only | --append | --upsert | --replace] [--skip-bad] [--dry-run]")
  }

  @Test("reads as somebody found it good", arguments: ["repokit"] + CommandList.descriptions.map(\.call))
  func golden(call: String) throws {
    let help = CommandList.descriptions.first { $0.call == call }?.help ?? Overview.help
    try GoldenFile.check(help, call.replacing(" ", with: "-") + ".txt")
  }
}
