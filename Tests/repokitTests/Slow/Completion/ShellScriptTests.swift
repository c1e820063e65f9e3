import Foundation
import Testing
@testable import repokit

@Suite("Scripts for completion")
struct ShellScriptTests {
  static let breaks = " \t\n\"'><=;|&(:"

  /// The answer is wanted, however busy the machine is.
  private static let patience = "export REPOKIT_COMPLETION_SECONDS=600"

  private static func complete(_ arguments: [String], in workshop: Workshop) async throws -> Outcome {
    let script = "\(patience); exec \"$repokit\" complete \"$@\""
    return try await workshop.run(program: "/bin/sh", ["-c", script, "sh"] + arguments)
  }

  static let bashLines: [(line: String, replacements: [String])] = [
    ("repokit sch", ["schema "]), ("repokit query p.sqlite pok", ["pokemon "]),
    ("repokit count p.sqlite a", [#"a\ b "#]),
    ("repokit count p.sqlite \"a", [#"a b" "#]), ("repokit count p.sqlite 'x", [#"x'\''; rm' "#]),
    ("repokit count p.sqlite \"$", [#"\$(touch x)" "#]), ("repokit count p.sqlite `", [#"\`id\` "#]),
    ("repokit count p.sqlite ne", []), ("repokit count p.sqlite es", []),
    ("repokit query --color=al", ["always "]), ("repokit query --color=", ["auto ", "always ", "never "]),
    ("repokit count p.sqlite pokemon ty", ["\"type1 ", "\"type2 "]),
    ("repokit count p.sqlite pokemon \"type1 = 'fi", ["type1 = 'fire'", "type1 = 'fire' "]),
    ("repokit count p.sqlite pokemon 'type1 = fi", [#"type1 = '\''fire'\''"#, #"type1 = '\''fire'\'' "#]),
    ("repokit count p.sqlite pokemon \"type1 = 'f\" \"", []),
    ("repokit watch p.sqlite a\\ b --columns id,ba", [#""id,\"base attack\""#, #""id,\"base attack\" "#]),
    ("repokit nothing x", []), ("repokit count 'p.sqlite' \"pok", ["pokemon\" "]),
  ]

  /// What bash would put into its line, from the function of the script itself.
  @Test("give bash what it may put into a line", arguments: bashLines)
  func bash(line: String, replacements: [String]) async throws {
    let workshop = try await CompletionTests.odd()
    let script = """
      \(Self.patience)
      source <("$repokit" completions bash)
      COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_WORDBREAKS=$2
      _repokit "$repokit"
      (( ${#COMPREPLY[@]} )) && printf '%s\\n' "${COMPREPLY[@]}"
      exit 0
      """
    let outcome = try await workshop.run(program: "/bin/bash", ["-c", script, "bash", line, Self.breaks])
    #expect(outcome.messages == "")
    #expect(outcome.output == replacements.map { $0 + "\n" }.joined())
    #expect(try workshop.files() == ["odd.csv", "p.sqlite", "pokemon.csv"])
  }

  /// Where a shell reads what was put in, it is the name again, and nothing else happened.
  @Test("quote names so that a shell reads them as they are", arguments: [nil, "\"", "'"] as [Unicode.Scalar?])
  func quoting(quote: Unicode.Scalar?) async throws {
    let workshop = try Workshop()
    let names = [
      "a b", "$(touch x)", "x'; touch x", "`touch x`", "a\"b", "a\\b", "~", "*", "{a,b}", "#", "-x", "<x", "a=b", "フシ",
      "[a]",
      "=a", "=", "a&b", "${HOME}", "a|b", "a;b", "(a)", "?", "^",
    ]
    let words = try names.map { name in
      let text = try #require(ShellQuoting.quoted(name.unicodeScalars, by: quote))
      return quote.map { "\($0)\(text)\($0)" } ?? text
    }
    let outcome = try await workshop.shell("printf '%s\\n' " + words.joined(separator: " "))
    #expect(outcome.output == names.map { $0 + "\n" }.joined())
    #expect(try workshop.files() == [])
  }

  @Test("quote what zsh would put a path for, and nothing else that is plain")
  func equals() {
    #expect(ShellQuoting.quoted("=ls".unicodeScalars, by: nil) == "\\=ls")
    #expect(ShellQuoting.quoted("a=ls".unicodeScalars, by: nil) == "a=ls")
    #expect(ShellWord.line(["=ls", "a=ls"]) == "'=ls' a=ls")
  }

  @Test("leave out what can't be quoted safely")
  func refusals() {
    for name in ["a\nb", "a\u{1B}[31m", "a\tb", "a\u{202E}b"] {
      #expect(ShellQuoting.quoted(name.unicodeScalars, by: nil) == nil)
    }
    #expect(ShellQuoting.quoted("a!b".unicodeScalars, by: "\"") == nil)
    #expect(ShellQuoting.quoted("a!b".unicodeScalars, by: nil) == "a\\!b")
  }

  @Test("say nothing and never fail, whatever is asked")
  func silence() async throws {
    let workshop = try Workshop()
    try workshop.write("no database", to: "p.sqlite")
    let calls = [
      [], ["bash"], ["bash", "--"], ["zsh", "--", ""], ["tcsh", "--", "x"], ["fish", "--", "", "query", "p.sqlite"],
      ["fish", "--", "", "query", "none.sqlite"], ["bash", "--", "repokit query p.sqlite '", "9", ""],
      ["bash", "--", "repokit query p.sqlite \\", "9", ""], ["fish", "--", "", "query", "--", "-h", "--sort"],
    ]
    for call in calls {
      let outcome = try await Self.complete(call, in: workshop)
      #expect(outcome.status == 0 && outcome.messages == "", "\(call)")
    }
  }

  @Test("say nothing of bytes that are no text")
  func bytes() async throws {
    let workshop = try await Workshop.withPokemon()
    let line = "\"$repokit\" complete fish -- \"$(printf '\\377')\" query p.sqlite"
    let outcome = try await workshop.shell("\(Self.patience); \(line)")
    #expect(outcome == Outcome(status: 0, output: "words\n", messages: ""))
  }

  @Test("give zsh and fish candidates with what they are")
  func others() async throws {
    let workshop = try await CompletionTests.odd()
    let zsh = try await Self.complete(["zsh", "--", "\"type1 = 'fi", "count", "p.sqlite", "pokemon"], in: workshop)
    #expect(zsh.output == "words\nopen\ttype1 = 'fire'\t'fire'\n")
    let table = try await Self.complete(["zsh", "--", "$", "count", "p.sqlite"], in: workshop)
    #expect(table.output == "words\nclosed\t\\$\\(touch\\ x\\)\t$(touch x)\n")
    let fish = try await Self.complete(["fish", "--", "sch"], in: workshop)
    #expect(fish.output == "words\nschema\tShow the columns of a table, or of all tables.\n")
    let file = try await Self.complete(["fish", "--", "", "schema"], in: workshop)
    #expect(file.output == "files\n")
  }

  @Test("are scripts that bash reads")
  func bashSyntax() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(program: "/bin/bash", ["-n"], input: ShellKind.bash.script)
    #expect(outcome == Outcome(status: 0, output: "", messages: ""))
  }

  @Test(
    "are scripts that zsh reads",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not installed"))
  func zshSyntax() async throws {
    let workshop = try Workshop()
    try workshop.write(ShellKind.zsh.script, to: "_repokit")
    let outcome = try await workshop.run(program: "/usr/bin/zsh", ["-n", "_repokit"])
    #expect(outcome == Outcome(status: 0, output: "", messages: ""))
  }

  static let zshLines: [(quote: String, words: [String], candidates: String)] = [
    ("", ["sch"], "-U -Q -l -d closedShown -a\nschema\nschema  -- Show the columns of a table, or of all tables.\n"),
    ("", ["count", "p.sqlite", "$"], "-U -Q -l -d closedShown -a\n\\$\\(touch\\ x\\)\n$(touch x)\n"),
    (
      "\"", ["count", "p.sqlite", "pokemon", "type1 = 'fi"],
      "-U -Q -S  -l -d openShown -a\ntype1 = 'fire'\n'fire'\n"
    ),
    ("", ["schema", ""], "files\n"), ("", ["nothing", ""], ""),
  ]

  /// What the function of the script itself hands to zsh: how, and then what is put in and what is shown.
  @Test(
    "give zsh what it may put into a line",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not installed"),
    arguments: zshLines)
  func zsh(quote: String, words: [String], candidates: String) async throws {
    let workshop = try await CompletionTests.odd()
    let script = """
      \(Self.patience)
      compdef() { : }
      _files() { print files }
      compadd() { print -r -- "${@[1,-2]}"; print -rl -- "${(P@)@[-1]}" "${(P@)@[-2-1]}" }
      eval "$("$repokit" completions zsh)"
      typeset -A compstate
      compstate[quote]=$1
      words=("$repokit" "${@[2,-1]}") CURRENT=$# PREFIX=${@[-1]}
      _repokit
      """
    let outcome = try await workshop.run(program: "/usr/bin/zsh", ["-f", "-c", script, "zsh", quote] + words)
    #expect(outcome.messages == "")
    #expect(outcome.output == candidates)
    #expect(try workshop.files() == ["odd.csv", "p.sqlite", "pokemon.csv"])
  }

  @Test(
    "complete in fish",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not installed"))
  func fish() async throws {
    let workshop = try await CompletionTests.odd()
    let script = """
      set -x REPOKIT_COMPLETION_SECONDS 600
      repokit completions fish | source
      complete -C 'repokit count p.sqlite pok'
      complete -C 'repokit count p.sqlite "a'
      complete -C 'repokit count p.sqlite pokemon "type1 = '
      """
    let outcome = try await workshop.shell(
      "ln -s \"$repokit\" repokit; HOME=$PWD PATH=$PWD:$PATH fish --no-config -c '\(script.replacing("'", with: "'\\''"))'"
    )
    #expect(outcome.status == 0, "\(outcome.messages)")
    let queries = ["electric", "fire", "grass", "normal"].map { "type1 = '\($0)'\n" }
    #expect(outcome.output == (["pokemon\n", "a b\n"] + queries).joined())
  }

  @Test("are refused for other shells")
  func unknown() async throws {
    let outcome = try await Workshop().run(["completions", "bahs"])
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: there are no completions for \"bahs\"\n  did you mean bash?\n"))
  }
}
