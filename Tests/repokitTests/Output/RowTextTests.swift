import TestSupport
import Testing
@testable import repokit

@Suite("Rows for scripts")
struct RowTextTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let options: [String]
    let output: String
    var testDescription: String { options.joined(separator: " ") }

    init(_ options: String..., output: String) { (self.options, self.output) = (options, output) }
  }

  static let cases = [
    Case("--no-names", output: "1\tAnn\t\\N\n2\ta|b\t1.5\n"),
    Case("--no-names", "--format", "csv", output: "1,Ann,\n2,a|b,1.5\n"),
    Case("--no-names", "--format", "table", output: "1  Ann  null\n2  a|b   1.5\n"),
    Case(
      "--no-names", "--format", "html",
      output: """
        <table>
        <tbody>
        <tr><td style="text-align: right">1</td><td>Ann</td><td><i>null</i></td></tr>
        <tr><td style="text-align: right">2</td><td>a|b</td><td style="text-align: right">1.5</td></tr>
        </tbody>
        </table>

        """),
    Case("--separator", "|", output: "id|name|price\n1|Ann|\n2|a|b|1.5\n"),
    Case("--separator", "|", "--no-names", "--null-text", "NULL", output: "1|Ann|NULL\n2|a|b|1.5\n"),
    Case("--separator", " -- ", "--no-names", output: "1 -- Ann -- \n2 -- a|b -- 1.5\n"),
    Case("--separator", "\\t", "--no-names", output: "1\tAnn\t\n2\ta|b\t1.5\n"),
    Case("--separator", "tab", "--format", "raw", output: "id\tname\tprice\n1\tAnn\t\n2\ta|b\t1.5\n"),
    Case("--separator", "|", "--format", "csv", output: "id|name|price\n1|Ann|\n2|\"a|b\"|1.5\n"),
    Case("--separator", ";", "--format", "csv", "--no-names", output: "1;Ann;\n2;a|b;1.5\n"),
    Case("--null-text", "NA", output: "id\tname\tprice\n1\tAnn\tNA\n2\ta|b\t1.5\n"),
    Case("--null-text", "\\N", "--no-names", output: "1\tAnn\t\\N\n2\ta|b\t1.5\n"),
    Case("--null-text", "", "--no-names", output: "1\tAnn\t\n2\ta|b\t1.5\n"),
    Case("--null-text", "—", "--format", "table", "--no-names", output: "1  Ann    —\n2  a|b  1.5\n"),
    Case("--null-text", "-", "--format", "line", "--limit", "1", output: "id    = 1\nname  = Ann\nprice = -\n"),
    Case(
      "--null-text", "|", "--format", "markdown", "--limit", "1",
      output: "| id | name | price |\n| ---: | --- | ---: |\n| 1 | Ann | \\| |\n"),
    Case("--format", "raw", output: "1Ann2a|b1.5"),
  ]

  @Test("are written as the options say", arguments: cases)
  func rows(of test: Case) async throws {
    let workshop = try Self.workshop()
    let outcome = try await workshop.run(["query", "p.sqlite", "t"] + test.options)
    #expect(outcome == Outcome(status: 0, output: test.output, messages: ""))
    let arguments = ["export", "p.sqlite", "t", "-"] + test.options
    #expect(try await workshop.run(arguments) == Outcome(status: 0, output: test.output, messages: ""))
  }

  @Test("are written to files in the same way")
  func files() async throws {
    let workshop = try Self.workshop()
    for (file, options, text) in [
      ("a.csv", ["--separator", ";"], "id;name;price\n1;Ann;\n2;a|b;1.5\n"),
      ("a.list", ["--separator", "|", "--no-names"], "1|Ann|\n2|a|b|1.5\n"),
    ] {
      let outcome = try await workshop.run(["export", "p.sqlite", "t", file, "--quiet"] + options)
      #expect(outcome == Outcome(status: 0, output: "", messages: ""))
      #expect(String(decoding: try workshop.read(file), as: UTF8.self) == text)
    }
  }

  @Test(
    "refuse options that a format has no place for",
    arguments: [
      (["--format", "json", "--no-names"], "the format json does not accept --no-names"),
      (["--format", "sql", "--null-text", "x"], "the format sql does not accept --null-text"),
      (["--format", "html", "--separator", "x"], "the format html does not accept --separator"),
      (["--format", "csv", "--separator", "ab"], "--separator: the delimiter of CSV is one ASCII character"),
    ])
  func refusals(options: [String], message: String) async throws {
    let outcome = try await Self.workshop().run(["query", "p.sqlite", "t"] + options)
    #expect(outcome.status == 2 && outcome.output == "" && outcome.messages.hasPrefix("error: \(message)"))
  }

  @Test("are those of every command that prints rows")
  func commands() async throws {
    let workshop = try Self.workshop()
    for (arguments, output) in [
      (["group", "p.sqlite", "t", "--by", "price", "--count"], "-|1\n1.5|1\n"),
      (["schema", "p.sqlite", "t", "--format", "raw"], "t|id|integer|INTEGER|0|1|0|0|-|-|-|-\n"),
      (["insert", "p.sqlite", "t", "id=3", "--yes"], "3\n"),
      (["watch", "p.sqlite", "t", "id = 1", "--times", "1"], "1|Ann|-\n"),
    ] {
      let options = ["--no-names", "--separator", "|", "--null-text", "-", "--quiet"]
      let outcome = try await workshop.run(arguments + options)
      #expect(outcome.output.hasPrefix(output.prefix(8)), "\(arguments): \(outcome)")
      #expect(outcome.messages == "" && outcome.status == 0, "\(arguments): \(outcome)")
    }
    let outcome = try await workshop.run(["schema", "p.sqlite", "t", "--no-names"])
    #expect(outcome.status == 2 && outcome.messages.hasPrefix("error: --no-names needs --format\n"), "\(outcome)")
  }

  @Test("leave the notes, the hints and the counts of a quiet call out, and no error")
  func quiet() async throws {
    let workshop = try Self.workshop()
    for arguments in [
      ["query", "p.sqlite", "t", "name = 'Anne'"], ["set", "p.sqlite", "t", "id = 1", "name=Eve", "--yes"],
      ["delete", "p.sqlite", "t", "id = 2", "--yes"], ["import", "p.sqlite", "u", "u.csv"],
      ["table", "create", "p.sqlite", "v", "id integer key"], ["index", "add", "p.sqlite", "t", "name", "--yes"],
      ["copy", "p.sqlite", "q.sqlite"], ["backup", "p.sqlite", "b.sqlite"], ["vacuum", "p.sqlite"],
    ] {
      try workshop.write("id;name\n1;x\n", to: "u.csv")
      let outcome = try await workshop.run(arguments + ["--quiet"])
      #expect(outcome.messages == "" && outcome.status == 0, "\(arguments): \(outcome)")
    }
    let outcome = try await workshop.run(["query", "p.sqlite", "none", "-q"])
    #expect(outcome.status == 2 && outcome.messages.hasPrefix("error: "))
  }

  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.execute("p.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price REAL) STRICT")
    try workshop.execute("p.sqlite", "INSERT INTO t VALUES (1, 'Ann', NULL), (2, 'a|b', 1.5)")
    return workshop
  }
}
