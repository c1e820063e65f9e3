import Foundation
import TestSupport
import Testing
@testable import repokit

@Suite("Mistakes")
struct MistakeTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let status: Int32
    let messages: String
    var testDescription: String { arguments.joined(separator: " ") }

    /// - Parameter lines: how the message begins, without the indentation of its details.
    init(_ arguments: [String], _ status: Int32, _ lines: String...) {
      (self.arguments, self.status, messages) = (arguments, status, lines.joined(separator: "\n  "))
    }
  }

  static let wrongQueries = [
    Mistake(
      ["query", "p.sqlite", "pokemon", "id > 1 and wieght > 3"], 2, "no column wieght in pokemon",
      "id > 1 and wieght > 3", "           ^", "did you mean weight?"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "zzz > 3"], 2,
      "no column zzz in pokemon", "zzz > 3", "^", "the columns are id, name, japanese_name, type1, type2, weight, note"),
    Mistake(
      ["count", "p.sqlite", "pokemon", "weight > 3 or \"base attack\" = 1"], 2, "no column base attack in pokemon",
      "weight > 3 or \"base attack\" = 1", "              ^", "the columns are"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--sort", "wieght"], 2, "no column wieght in pokemon", "wieght", "^",
      "did you mean weight?"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--columns", "id,wieght"], 2, "no column wieght in pokemon", "id,wieght",
      "   ^",
      "did you mean weight?"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "name > 3"], 2, "can't compare name, which stores text, with a number",
      "name > 3", "^", "put the number in quotes, which compares text character by character"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "weight = '3'"], 2, "can't compare weight, which stores numbers, with text",
      "weight = '3'", "^", "write the number without quotes"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--limit", "-1"], 2, "the limit -1 is negative",
      "omit the limit for all rows"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--limit=-1"], 2, "the limit -1 is negative", "omit the limit for all rows"),
    Mistake(["query", "p.sqlite", "pokemon", "--offset=-5"], 2, "the offset -5 is negative"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "weight between 1 100"], 2,
      "expected `and`, found `100`", "weight between 1 100", "                 ^", "write `between 1 and 100`"),
    Mistake(
      ["query", "p.sqlite", "pokemon", ""], 2, "expected a condition, found the end of the text", "^",
      "write `true` for everything"),
    Mistake(["query", "p.sqlite", "pokemon", "name = 'x"], 2, "expected"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--sort", "name dsc"], 2,
      "--sort: expected `asc`, `desc`, `nulls`, `,` or the end of the text, found `dsc`", "name dsc", "     ^",
      "did you mean `desc`?"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--sort", " "], 2, "--sort is empty", "omit --sort to sort by primary key"
    ),
    Mistake(["query", "p.sqlite", "pokemn"], 2, "there is no table pokemn", "did you mean pokemon?"),
    Mistake(["count", "p.sqlite", "zzz"], 2, "there is no table zzz", "the only table is pokemon"),
    Mistake(
      ["query", "p.sqlite", "sqlite_master"], 2, "sqlite_master is SQLite's internal table of definitions",
      "repokit tables lists tables and views, describe summarizes columns, schema shows definitions, dump writes everything"
    ),
    Mistake(
      ["query", "p.sqlite", "select id, name from pokemon where weight > 90 order by weight desc limit 3;"], 2,
      "there is no table select id, name from pokemon where weight > 90 order by weight desc limit 3;",
      "repokit has no SQL; write repokit query p.sqlite pokemon 'weight > 90' --columns 'id, name' --sort 'weight desc' --limit 3\n"
    ),
    Mistake(
      ["query", "p.sqlite", "select count(*) from \"pokemon\" where type1 <> 'a from b'"], 2,
      "there is no table select count(*) from \"pokemon\" where type1 <> 'a from b'",
      "repokit has no SQL; write repokit count p.sqlite pokemon 'type1 != '\\''a from b'\\'''\n"),
    Mistake(
      ["query", "p.sqlite", "select * from a join b"], 2, "there is no table select * from a join b",
      "repokit has no SQL; write repokit query DATABASE TABLE CONDITION, or repokit group for aggregates"),
    Mistake(
      ["count", "p.sqlite", "where id = 1"], 2, "there is no table where id = 1",
      "write the table before the condition: repokit count p.sqlite pokemon 'id = 1'\n"),
    Mistake(
      ["query", "p.sqlite", "id = 1"], 2, "there is no table id = 1",
      "write the table before the condition: repokit query p.sqlite pokemon 'id = 1'\n"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "where weight between 1 and 2"], 2,
      "expected an operator, such as `=` or `in`, found `weight`",
      "where weight between 1 and 2",
      "      ^", "omit `where`: 'weight between 1 and 2'\n"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "select * from pokemon"], 2,
      "expected an operator, such as `=` or `in`, found `pokemon`",
      "select * from pokemon", "              ^",
      "repokit has no SQL; write the condition alone, such as weight > 90, and name columns with --columns\n"),
    Mistake(["group", "p.sqlite", "sqlite_schema"], 2, "sqlite_schema is SQLite's internal table of definitions"),
    Mistake(["schema", "p.sqlite", "pokemn"], 2, "there is no table pokemn", "did you mean pokemon?"),
  ]

  static let wrongCalls = [
    Mistake([], 2, "a command is missing"),
    Mistake(["quary"], 2, "unknown command \"quary\"", "did you mean query?"),
    Mistake(
      ["zzz"], 2, "unknown command \"zzz\"",
      "the choices are \(CommandList.repokit.all.map { $0.description.name }.joined(separator: ", "))"),
    Mistake(["functions"], 2, "unknown command \"functions\"", "repokit help functions shows the functions"),
    Mistake(["count", "p.sqlite", "pokemon", "lowr(name) = 'a'"], 2, "unknown function lowr\n"),
    Mistake(["count", "p.sqlite", "pokemon", "name || 5 = 'a'"], 2, "`||` needs text, but 5 is an integer"),
    Mistake(
      ["count", "p.sqlite", "pokemon", "id = :x"], 2, "expected a value, found `:x`", "id = :x", "     ^",
      "give :x a value: --param x=…"),
    Mistake(
      ["insert", "p.sqlite", "pokemon", "id = id + 1", "--yes"], 2, "id: insert takes no columns in expressions"),
    Mistake(["delete", "p.sqlite", "pokemon", "true", "--yes"], 2, "delete would delete all rows without asking"),
    Mistake(
      ["column", "retype", "p.sqlite", "pokemon", "name", "text", "--yes"], 1, "name of pokemon is already text"),
    Mistake(["query", "p.sqlite", "pokemon", "--top", "3"], 2, "--top requires --by"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--match", "a", "--with", "pokemon.csv"], 2,
      "--match and --with can't be combined"),
    Mistake(["--verbose"], 2, "unknown command \"--verbose\""),
    Mistake(["help", "quary"], 2, "unknown command \"quary\"", "did you mean query?"),
    Mistake(
      ["query"], 2, "DATABASE is missing", "usage: repokit query DATABASE TABLE [WHERE] [--sort SORT] [--limit N]"),
    Mistake(["set", "p.sqlite"], 2, "TABLE is missing", "the table is pokemon"),
    Mistake(["query", "", "pokemon"], 2, "DATABASE is empty", "usage: "),
    Mistake(["query", "p.sqlite", ""], 2, "TABLE is empty", "usage: "),
    Mistake(["import", "p.sqlite", "t", ""], 2, "FILE is empty", "usage: "),
    Mistake(["import", "p.sqlite", "t"], 2, "FILE is missing", "there is no file t", "usage: "),
    Mistake(["tables", "p.sqlite", "x"], 2, "unexpected argument \"x\"", "usage: repokit tables DATABASE"),
    Mistake(
      ["query", "p.sqlite", "pokemon", "weight", ">", "3"], 2,
      "unexpected argument \">\"", "put WHERE in quotes to make it one argument", "usage: "),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--srot", "id"], 2, "unknown option --srot", "did you mean --sort?",
      "usage: "),
    Mistake(["query", "p.sqlite", "pokemon", "--sort"], 2, "--sort needs a value", "usage: "),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--limit", "1", "--limit", "2"], 2, "--limit is given twice", "usage: "),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--limit", "ten"], 2, "--limit: \"ten\" is not a whole number", "usage: "),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--format", "yson"], 2, "--format: invalid value \"yson\"",
      "did you mean json?", "usage: "),
    Mistake(
      ["query", "p.sqlite", "pokemon", "--engine", "x"], 2, "--engine: invalid value \"x\"",
      "the choices are database, memory", "usage: "),
    Mistake(["query", "p.sqlite", "pokemon", "--columns", "id,id"], 2, "--columns: id is given twice", "usage: "),
    Mistake(
      ["import", "p.sqlite", "t", "x.csv", "--append", "--upsert"], 2, "--append and --upsert can't be combined",
      "usage: "),
    Mistake(
      ["import", "p.sqlite", "t", "x.csv", "--append", "--key", "id"], 2,
      "--key and --append can't be combined", "an existing table keeps its key", "usage: "),
    Mistake(["import", "p.sqlite", "t", "x.csv", "--append=1"], 2, "--append takes no value", "usage: "),
  ]

  static let wrongFiles = [
    Mistake(
      ["delete", "pokemon.csv", "id = 1", "--yes"], 2,
      "pokemon.csv is a file of rows, and delete changes only databases",
      "repokit import makes a database from the file"),
    Mistake(["backup", "p.sqlite", "c.gz"], 2, "backup does not compress the file, although the name ends with .gz"),
    Mistake(
      ["export", "p.sqlite", "pokemon", "a.gz"], 2,
      "can't infer a format from the name a.gz", "write --format, or a name such as a.csv.gz"),
    Mistake(["import", "p.sqlite", "t", "none"], 1, "there is no file or folder none"),
    Mistake(
      ["query", "none.sqlite", "pokemon"], 1, "there is no file none.sqlite", "repokit import creates a database"),
    Mistake(["query", "none.sqlite", "pokemon", "x ="], 1, "there is no file none.sqlite"),
    Mistake(["query", "none.csv", "x ="], 1, "there is no file none.csv\n"),
    Mistake(
      ["query", "mysql://x/y", "pokemon"], 2, "there is no file mysql://x/y, and repokit does not know mysql://",
      "name an SQLite file, or postgresql://USER@HOST/DATABASE"),
    Mistake(["tables", "none.sqlite"], 1, "there is no file none.sqlite"),
    Mistake(["query", "no/folder.sqlite", "pokemon"], 1, "there is no file no/folder.sqlite"),
    Mistake(["query", ":memory:", "pokemon"], 1, "there is no file :memory:"),
    Mistake(["query", "file:p.sqlite?mode=memory", "pokemon"], 1, "there is no file file:p.sqlite?mode=memory"),
    Mistake(["query", ".", "pokemon"], 1, ". is a directory, not a database"),
    Mistake(["tables", "/dev/null"], 1, "/dev/null is a device, not a database"),
    Mistake(["watch", "pokemon.csv", "pokemon"], 1, "pokemon.csv is a file of rows, not a database"),
    Mistake(
      ["import", "new.csv", "t", "pokemon.csv"], 2,
      "new.csv would be a database with the name of a file of rows\n  choose a name such as new.sqlite"),
    Mistake(
      ["table", "create", "new.json", "t", "id integer"], 2,
      "new.json would be a database with the name of a file of rows"),
    Mistake(["import", "pokemon.csv", "t", "pokemon.csv"], 1, "pokemon.csv is a file of rows, not a database"),
    Mistake(["import", "p.sqlite", "t", "none.csv"], 1, "there is no file none.csv"),
    Mistake(["import", "p.sqlite", "t", "."], 1, ". is a directory, not a CSV file"),
    Mistake(["import", ".", "t", "pokemon.csv"], 1, ". is a directory, not a database"),
    Mistake(
      ["import", "no/folder.sqlite", "t", "pokemon.csv"], 1, "no/folder.sqlite: can't open the database file"),
    Mistake(
      ["import", "p.sqlite", "t", "p.sqlite"], 1, "p.sqlite is an SQLite database, not a CSV file",
      "repokit copy copies tables from one database to another"),
    Mistake(["query", "p.sqlite", "--from", "csv"], 1, "p.sqlite is an SQLite database, not a CSV file"),
    Mistake(
      ["import", "p.sqlite", "sqlite_x", "pokemon.csv"], 1,
      "p.sqlite: sqlite_x can't be the name of a table or an index",
      "SQLite reserves names that begin with sqlite_", "choose another name"),
    Mistake(["import", "p.sqlite", "POKEMON", "pokemon.csv"], 1, "the table pokemon already exists"),
    Mistake(["import", "p.sqlite", "t", "pokemon.csv", "--append"], 2, "there is no table t"),
  ]

  @Test("are explained, and nothing is printed or changed", arguments: wrongQueries + wrongCalls + wrongFiles)
  func explanation(mistake: Mistake) async throws {
    let workshop = try await Workshop.withPokemon()
    let before = try workshop.read("p.sqlite")
    let outcome = try await workshop.run(mistake.arguments)
    #expect(outcome.status == mistake.status)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasSuffix("\n"))
    let error = try #require(outcome.messages.components(separatedBy: "error: ").last)
    #expect(error.hasPrefix(mistake.messages), "\(outcome.messages)")
    for word in ["SELECT", "Swift", "RepositoryError", "Optional(", "code:"] {
      #expect(!outcome.messages.contains(word))
    }
    #expect(try workshop.read("p.sqlite") == before)
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  @Test("are the same for both engines", .tags(.slow), arguments: wrongQueries)
  func engines(mistake: Mistake) async throws {
    guard mistake.arguments[0] != "schema" else { return }
    let workshop = try await Workshop.withPokemon()
    let stored = try await workshop.run(mistake.arguments)
    #expect(try await workshop.run(mistake.arguments + ["--engine", "memory"]) == stored)
  }

  @Test("in a damaged database are no crash", arguments: [100, 1_000, 5_000])
  func damage(position: Int) async throws {
    let workshop = try Workshop()
    let rows = (1...2_000).map { "\($0),name number \($0)\n" }.joined()
    _ = try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--key", "id"], input: "id,name\n" + rows)
    var bytes = Array(try workshop.read("p.sqlite"))
    for index in position..<(position + 3_000) { bytes[index] = UInt8(truncatingIfNeeded: index &* 167) }
    try workshop.write(bytes, to: "p.sqlite")
    for arguments in [
      ["tables", "p.sqlite"], ["query", "p.sqlite", "pokemon"], ["count", "p.sqlite", "pokemon", "name = ''"],
    ] {
      let outcome = try await workshop.run(arguments)
      #expect([0, 1, 2].contains(outcome.status))
      if outcome.status != 0 {
        #expect(outcome.output == "")
        #expect(outcome.messages.hasPrefix("error: "))
      }
    }
  }

  @Test("show no escapes of a name or a field")
  func escapes() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["query", "\u{1B}[31m.sqlite", "t"])
    #expect(outcome.messages == "error: there is no file ␛[31m.sqlite\n  repokit import creates a database\n")
  }

  /// The root user may write everything.
  @Test("with a file that can only be read", .enabled(if: getuid() != 0))
  func readOnlyFile() async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.shell("chmod 400 p.sqlite")
    let outcome = try await workshop.run(["import", "p.sqlite", "t", "pokemon.csv"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: p.sqlite: the database is read-only\n"))
    #expect(try await workshop.run(["count", "p.sqlite", "pokemon"]).output == "5\n")
    _ = try await workshop.shell("chmod 000 p.sqlite pokemon.csv")
    #expect(try await workshop.run(["count", "p.sqlite", "pokemon"]).messages.contains("can't open the database file"))
    #expect(
      try await workshop.run(["import", "q.sqlite", "t", "pokemon.csv"])
        == Outcome(status: 1, output: "", messages: "error: can't open pokemon.csv\n  permission denied\n"))
  }
}
