import Foundation
import Testing

@Suite("repokit export")
struct ExportTests {
  @Test(
    "writes what a query prints, by the file's name",
    arguments: ["csv", "tsv", "json", "ndjson", "markdown", "html", "line"])
  func formats(format: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let query = ["p.sqlite", "pokemon", "type1 = 'fire'"]
    let selection = ["--columns", "name,weight", "--sort=-weight", "--limit", "5"]
    let file = "out.\(format)"
    #expect(
      try await workshop.run(["export"] + query + [file] + selection)
        == Outcome(status: 0, output: "", messages: "exported 2 rows of pokemon to \(file)\n"))
    let printed = try await workshop.run(["query"] + query + ["--format", format] + selection).output
    #expect(String(decoding: try workshop.read(file), as: UTF8.self) == printed)
    #expect(printed.contains("Charizard"))
  }

  @Test("takes all rows where there is no query, and writes to the standard output for -")
  func positionals() async throws {
    let workshop = try await Workshop.withPokemon()
    let printed = try await workshop.run(["query", "p.sqlite", "pokemon", "--format", "csv"]).output
    #expect(try await workshop.run(["export", "p.sqlite", "pokemon", "all.csv"]).status == 0)
    #expect(String(decoding: try workshop.read("all.csv"), as: UTF8.self) == printed)
    #expect(
      try await workshop.run(["export", "p.sqlite", "pokemon", "-", "--format", "csv"])
        == Outcome(status: 0, output: printed, messages: ""))
    #expect(try await workshop.run(["export", "p.sqlite", "pokemon", "id > 99", "some", "--format=csv"]).status == 0)
    #expect(
      String(decoding: try workshop.read("some"), as: UTF8.self).hasSuffix("143,Snorlax,カビゴン,normal,,460.0,100%\n"))
  }

  @Test("takes parameters, and names the table in SQL")
  func parameters() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(
      try await workshop.run([
        "export", "p.sqlite", "pokemon", "name = :name", "out.sql", "--columns=id,name", "--param", "name=Pikachu",
      ]).status == 0)
    let sql = String(decoding: try workshop.read("out.sql"), as: UTF8.self)
    #expect(sql.contains("INSERT INTO \"pokemon\""), "\(sql)")
    #expect(sql.contains("25, 'Pikachu'"), "\(sql)")
  }

  @Test(
    "refuses what makes no sense, and writes nothing",
    arguments: [
      (["p.sqlite", "pokemon", "pokemon.csv"], 1, "the file pokemon.csv already exists\n  --force replaces the file"),
      (["p.sqlite", "pokemon", "out"], 2, "can't infer a format from the name out"),
      (["p.sqlite", "pokemon"], 2, "FILE is missing"),
      (["p.sqlite", "pokemon", "p.sqlite", "--format=csv", "--force"], 2, "p.sqlite is the database itself"),
      (["p.sqlite", "pokemon", "./p.sqlite", "--format=csv", "--force"], 2, "./p.sqlite is the database itself"),
      (["p.sqlite", "pokemn", "out.csv"], 2, "there is no table pokemn\n  did you mean pokemon?"),
      (
        ["p.sqlite", "pokemon", "wieght > 1", "out.csv"], 2,
        "no column wieght in pokemon\n  wieght > 1\n  ^\n  did you mean weight?"
      ),
      (
        ["p.sqlite", "pokemon", "out.csv", "--columns", "nmae"], 2,
        "no column nmae in pokemon\n  nmae\n  ^\n  did you mean name?"
      ),
      (["p.sqlite", "pokemon", "nowhere/out.csv"], 1, "can't create nowhere/out.csv\n  no such file or directory"),
      (["p.sqlite", "pokemon", ".", "--format=csv", "--force"], 1, ". is a directory"),
      (["q.sqlite", "pokemon", "out.csv"], 1, "there is no file q.sqlite"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], status: Int32, message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["export"] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
    #expect(String(decoding: try workshop.read("pokemon.csv"), as: UTF8.self) == Workshop.pokemon)
  }

  @Test("replaces a file where it is told to, through a link too, and keeps who may read it")
  func force() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.shell(
      """
      echo old > old.csv && chmod 640 old.csv && ln -s old.csv link.csv
      "$repokit" export p.sqlite pokemon "id = 1" link.csv --columns id --force || exit
      cat old.csv; ls -l old.csv | cut -c 1-10; test -L link.csv && echo link
      """)
    #expect(outcome.output == "id\n1\n-rw-r-----\nlink\n", "\(outcome.messages)")
    #expect(try workshop.files() == ["link.csv", "old.csv", "p.sqlite", "pokemon.csv"])
  }

  @Test("is its user's alone until it takes the place of a file")
  func unfinished() async throws {
    let workshop = try Workshop()
    let rows = (1...20_000).map { "\($0),name number \($0)\n" }.joined()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "id,name\n" + rows)
    // The signal of the limit ends the program, which leaves what it has written.
    let outcome = try await workshop.shell(
      "echo old > old.csv; chmod 644 old.csv; (ulimit -c 0; ulimit -f 64; \"$repokit\" export t.sqlite t old.csv --force) 2> err; "
        + "ls -l .old.csv.* | cut -c 1-10; cat old.csv")
    #expect(outcome.output == "-rw-------\nold\n", "\(outcome.messages)")
  }

  @Test("leaves nothing behind where the disk is full, and a file that was there as it was")
  func fullDisk() async throws {
    let workshop = try Workshop()
    let rows = (1...20_000).map { "\($0),name number \($0)\n" }.joined()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "id,name\n" + rows)
    try workshop.write("as it was", to: "old.csv")
    for file in ["new.csv", "old.csv"] {
      // What is beyond the limit fails as on a full disk, once the signal is ignored that would end the program.
      let outcome = try await workshop.shell(
        "trap '' XFSZ; ulimit -f 64; \"$repokit\" export t.sqlite t \(file) --force 2> err; echo $?; cat err; rm err; ls -A"
      )
      #expect(outcome.output.hasPrefix("1\nerror: "), "\(outcome.output)")
      #expect(outcome.output.contains("can't write ") && outcome.output.contains("\(file)\n"))
      #expect(!outcome.output.contains(".tmp"))
    }
    #expect(String(decoding: try workshop.read("old.csv"), as: UTF8.self) == "as it was")
    #expect(try workshop.files() == ["old.csv", "t.sqlite"])
  }

  #if os(Linux)
    @Test("writes into what is no file like it")
    func device() async throws {
      let workshop = try await Workshop.withPokemon()
      let full = try await workshop.run(["export", "p.sqlite", "pokemon", "/dev/full", "--format", "csv"])
      #expect(full.status == 1)
      #expect(full.messages == "error: can't write /dev/full\n  no space left on device\n")
      let outcome = try await workshop.shell(
        "mkfifo pipe; \"$repokit\" export p.sqlite pokemon pipe --format csv --columns id 2> err & cat pipe; wait")
      #expect(outcome.output == "id\n1\n4\n6\n25\n143\n")
    }
  #endif

  @Test("ends without a complaint when the reader of a pipe has seen enough")
  func closedPipe() async throws {
    let workshop = try Workshop()
    let rows = (1...20_000).map { "\($0),name number \($0)\n" }.joined()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-", "--key", "id"], input: "id,name\n" + rows)
    for (command, line) in [
      ("export t.sqlite t - --format csv", "id,name"), ("dump t.sqlite -", "PRAGMA foreign_keys = OFF;"),
    ] {
      let outcome = try await workshop.shell("(\"$repokit\" \(command); echo $? > status) | head -n 1")
      #expect(outcome == Outcome(status: 0, output: line + "\n", messages: ""))
      #expect(String(decoding: try workshop.read("status"), as: UTF8.self) == "0\n")
    }
  }

  @Test("leaves nothing behind when it is interrupted")
  func interruption() async throws {
    let workshop = try Workshop()
    let rows = (1...200_000).map { "\($0)\n" }.joined()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-", "--key", "id"], input: "id\n" + rows)
    let terminal = try workshop.terminal(
      shell: "echo ready; exec \"$repokit\" export t.sqlite t out.csv > /dev/null")
    try await terminal.wait(for: "ready")
    try terminal.send("\u{3}")
    // It may have been done before the key came, and then the file is whole.
    let status = try await terminal.finish()
    #expect(status == 130 || status == 0)
    let files = try workshop.files()
    #expect(files == (status == 0 ? ["out.csv", "t.sqlite"] : ["t.sqlite"]))
    let hidden = try await workshop.shell("ls -A | grep -c tmp")
    #expect(hidden.output == "0\n")
  }

  @Test("is read back exactly into a table of the same columns", arguments: ["csv", "tsv", "json", "ndjson"])
  func roundTrip(format: String) async throws {
    let workshop = try Workshop()
    let types = "i=integer,r=real,t=text,b=blob"
    let csv = """
      id,i,r,t,b
      1,9223372036854775807,0.1,"a ""quoted"", line
      and\ttab \\ \\N 007",x'00ff10'
      2,-9223372036854775808,-0.0,"",x''
      3,,,,
      4,0,5e-324,"NUL \u{0} e\u{301} \u{1F600} \u{202E}rtl \u{FEFF} \u{1B}[31m",x'7b'
      5,9007199254740993,1.7976931348623157e308," Infinity ",x'22'
      6,1,9e999,"Infinity",x'ff'
      7,2,-9e999,"12",x'00'
      8,3,12.0,"\r\n",x'c3a9'

      """
    let made = try await workshop.run(["import", "a.sqlite", "t", "-", "--key=id", "--types", types], input: csv)
    try #require(made.status == 0, "\(made.messages)")
    let rows = try await workshop.rows("a.sqlite", "t")
    let file = "out.\(format)"
    #expect(try await workshop.run(["export", "a.sqlite", "t", file]).status == 0)
    // Into a new table whose types are given, and into one that exists.
    let new = try await workshop.run(["import", "b.sqlite", "t", file, "--key=id", "--types", types])
    #expect(new.messages == made.messages)
    #expect(try await workshop.rows("b.sqlite", "t") == rows)
    let added = try await workshop.run(["import", "b.sqlite", "t", file, "--upsert"])
    #expect(added.messages == "imported 8 rows into t by id: 0 new, 8 replaced\n")
    #expect(try await workshop.rows("b.sqlite", "t") == rows)
    // What came back is written as it was.
    #expect(try await workshop.run(["export", "b.sqlite", "t", "again.\(format)"]).status == 0)
    #expect(try workshop.read("again.\(format)") == workshop.read(file))
  }

  @Test("keeps reals apart from texts without a word about types", arguments: ["csv", "tsv", "json", "ndjson"])
  func infinities(format: String) async throws {
    let workshop = try Workshop()
    let csv = "id,r\n1,9e999\n2,-9e999\n3,0.5\n"
    let made = try await workshop.run(["import", "a.sqlite", "t", "-", "--types=id=integer,r=real"], input: csv)
    try #require(made.status == 0, "\(made.messages)")
    #expect(try await workshop.run(["export", "a.sqlite", "t", "out.\(format)"]).status == 0)
    #expect(try await workshop.run(["import", "b.sqlite", "t", "out.\(format)"]).status == 0)
    let types = try await workshop.run(["query", "b.sqlite", "t", "r > 0", "--format", "csv"])
    #expect(types.output == "id,r\n1,9e999\n3,0.5\n")
  }

  @Test("never takes the place of the database, by whatever name")
  func databaseAsFile() async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.shell(
      "ln p.sqlite hard.csv; ln -s p.sqlite soft.csv; ln -s p.sqlite-queue log.csv; : > p.sqlite-wal")
    let before = try workshop.read("p.sqlite")
    for (file, message) in [
      ("p.sqlite", "p.sqlite is the database itself"), ("hard.csv", "hard.csv is the database itself"),
      ("soft.csv", "soft.csv is the database itself"), ("./p.sqlite-wal", "./p.sqlite-wal belongs to the database"),
      ("p.sqlite-journal", "p.sqlite-journal belongs to the database"),
      ("hard.csv-journal", "hard.csv-journal belongs to the database"),
      ("p.sqlite-queue", "p.sqlite-queue belongs to the database"), ("log.csv", "log.csv belongs to the database"),
    ] {
      let outcome = try await workshop.run(["export", "p.sqlite", "pokemon", file, "--format=csv", "--force"])
      #expect(outcome.status == 2)
      #expect(outcome.messages.hasPrefix("error: \(message)\n"), "\(outcome.messages)")
    }
    #expect(try workshop.read("p.sqlite") == before)
  }

  @Test(
    "nor of another database that is in use",
    arguments: ["export p.sqlite pokemon b.sqlite --format csv", "dump p.sqlite b.sqlite", "backup p.sqlite b.sqlite"],
    ["b.sqlite-wal", "b.sqlite-journal"])
  func databaseInUse(command: String, journal: String) async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.shell("cp p.sqlite b.sqlite; echo changes > \(journal); ln -s b.sqlite link.sqlite")
    let before = try workshop.read("b.sqlite")
    for target in ["b.sqlite", "link.sqlite"] {
      let words = command.split(separator: " ").map { $0 == "b.sqlite" ? target : String($0) }
      let outcome = try await workshop.run(words + ["--force"])
      #expect(outcome.status == 1)
      #expect(
        outcome.messages.hasPrefix("error: \(target) is in use, or was not closed\n"),
        "\(outcome.messages)")
      #expect(try workshop.read("b.sqlite") == before)
    }
    #expect(try workshop.files() == ["b.sqlite", journal, "link.sqlite", "p.sqlite", "pokemon.csv"].sorted())
    // One that was closed is a file like any other.
    _ = try await workshop.shell("rm \(journal)")
    #expect(try await workshop.run(command.split(separator: " ").map(String.init) + ["--force"]).status == 0)
  }

  @Test("nor of a file of another database", arguments: ["export b.sqlite-wal --format csv", "backup b.sqlite-queue"])
  func otherDatabase(command: String) async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.shell("cp p.sqlite b.sqlite; echo log > b.sqlite-wal")
    let words = command.split(separator: " ").map(String.init)
    let table = words[0] == "export" ? ["pokemon"] : []
    let outcome = try await workshop.run([words[0], "p.sqlite"] + table + words.dropFirst() + ["--force"])
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: \(words[1]) would become a file of the database b.sqlite\n"))
    #expect(try workshop.files() == ["b.sqlite", "b.sqlite-wal", "p.sqlite", "pokemon.csv"])
    #expect(try workshop.read("b.sqlite-wal") == Data("log\n".utf8))
  }
}
