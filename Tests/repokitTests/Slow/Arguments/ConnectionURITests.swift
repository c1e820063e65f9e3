import Testing
@testable import repokit

@Suite("The URI of a server")
struct ConnectionURITests {
  @Test(
    "is shown without what may be secret",
    arguments: [
      ("postgresql://", "postgresql://"), ("postgresql:///pokedex", "postgresql:///pokedex"),
      ("postgres://ash@host:5433/pokedex", "postgres://ash@host:5433/pokedex"),
      ("postgresql://ash:s3cret@host/pokedex", "postgresql://ash@host/pokedex"),
      ("postgresql://:s3cret@host", "postgresql://@host"),
      ("postgresql://ash:a?b#c@host/pokedex", "postgresql://ash@host/pokedex"),
      ("postgresql:///pokedex?host=/run/pg&user=ash", "postgresql:///pokedex?host=/run/pg&user=ash"),
      ("postgresql://h/d?password=s3cret&user=ash&sslmode=require", "postgresql://h/d?user=ash"),
      ("postgresql://h/d?%70assword=s3cret&sslpassword=x", "postgresql://h/d"),
      ("postgresql://h/d?user=ash@corp", "postgresql://h/d?user=ash@corp"),
      ("postgresql://a:1,b:2,[::1]:5432/d", "postgresql://a:1,b:2,[::1]:5432/d"),
      ("PostgreSQL://ash:s3cret@host", "postgresql://ash@host"),
    ])
  func description(text: String, shown: String) throws {
    let uri = try #require(ConnectionURI(text))
    #expect(uri.description == shown && !uri.isMalformed)
    #expect(uri.isSecret == (text.contains("s3cret") || text.contains("a?b")))
    #expect(
      ConnectionURI.redacting("error: \(text): no \"\(text)\"") == "error: \(shown): no \"\(shown)\"" || uri.isSecret)
  }

  @Test(
    "is not shown at all where a part of a password may be taken for something else",
    arguments: [
      "postgresql://ash:s3/cret@host/d", "postgresql://ash:s3@cret@host/d", "postgresql://ash:s3/c?ret@host",
      "postgresql://ash:s3cret", "postgresql://ash:s3cret/d", "postgresql://h/d?s3cret",
      "postgresql://ash:my s3cret/@h/d",
    ])
  func malformed(text: String) throws {
    let uri = try #require(ConnectionURI(text))
    #expect(uri.description == "postgresql://…" && uri.isMalformed && uri.isSecret)
    let failure = Failure("unexpected argument \(text)", details: ["there is no table \(text)"])
    #expect(failure.summary == "unexpected argument postgresql://…")
    #expect(failure.details == ["there is no table postgresql://…"])
  }

  @Test("is found in a text, of which nothing else changes")
  func texts() {
    let text = "see postgres://a:b@c/d, \"postgresql://e:f@g\" and postgresql://h/i: it's mysql://j:k@l"
    #expect(
      ConnectionURI.redacting(text) == "see postgres://a@c/d postgresql://e@g and postgresql://h/i: it's mysql://j:k@l"
        || ConnectionURI.redacting(text).contains("postgres://a@c/d"))
    #expect(!ConnectionURI.redacting(text).contains(":b@") && !ConnectionURI.redacting(text).contains(":f@"))
    #expect(ConnectionURI.redacting("nothing") == "nothing")
    #expect(
      ConnectionURI.isSecret(in: ".open postgresql://a:b@c") && !ConnectionURI.isSecret(in: ".open postgresql://a@c"))
  }

  @Test(
    "names the database, for a prompt",
    arguments: [
      ("postgresql://h/poke%20dex?user=ash", "poke dex"), ("postgresql://?dbname=a&host=h", "a"),
      ("postgres://h", "postgresql"),
      ("a/b/pokedex.sqlite", "pokedex"), ("pokedex", "pokedex"), (".db", ".db"),
    ])
  func shortName(text: String, name: String) {
    #expect(DatabaseLocation(text).shortName == name)
  }

  @Test(
    "says by a parameter of this tool's own that a pool shares its sessions",
    arguments: [
      ("postgresql://h/d?prepared_statements=false", "postgresql://h/d", false),
      ("postgresql:///?user=a&prepared_statements=false&host=h", "postgresql:///?user=a&host=h", false),
      ("postgresql://h?prepared_statements=true", "postgresql://h", true),
      ("postgresql://h/d?", "postgresql://h/d?", true),
      ("postgres://u:p@h/d?sslmode=require", "postgres://u:p@h/d?sslmode=require", true),
    ])
  func sharedSessions(text: String, given: String, keepsStatements: Bool) throws {
    let uri = try #require(ConnectionURI(text))
    #expect(uri.text == given && uri.keepsStatements == keepsStatements && !uri.isMalformed)
  }

  @Test(
    "is not told where its beginning is mistyped, since a password may stand in it",
    arguments: [
      "postgresql:/ro:s3cret@h/app", "postgres:ro:s3cret@h/app", "postgresql//ro:s3cret@h",
      "postgersql://ro:s3cret@h/app",
      "pg://ro:s3cret@h/app", "ro:s3cret@h/app", "postgressql://h/app?password=s3cret",
    ])
  func mistyped(text: String) async throws {
    for command in [["tables", text], ["query", text, "t"], ["import", text, "t", "-"], ["shell", text]] {
      let outcome = try await Workshop().run(command, input: "a\n1\n")
      #expect(outcome.status == 2 && !outcome.messages.contains("s3cret"), "\(outcome.messages)")
      #expect(outcome.messages.contains("postgresql://USER@HOST/DATABASE"), "\(outcome.messages)")
    }
  }

  @Test("may be written in keywords, too, of which no password is shown")
  func keywords() throws {
    let text = "host=/run/pg user=ash dbname='poke dex' password='s3cret \\' x' prepared_statements=false"
    let uri = try #require(ConnectionURI(text))
    #expect(uri.text.hasPrefix("postgresql://?host=/run/pg&user=ash&dbname=poke%20dex&password=s3cret%20%27%20x"))
    #expect(uri.description == "postgresql://?host=/run/pg&user=ash&dbname=poke%20dex")
    #expect(uri.databaseName == "poke dex" && uri.isSecret && !uri.keepsStatements)
    for hidden in ["tables host=h password=s3cret", "x dbname=a password='s3cret b' y"] {
      #expect(!ConnectionURI.redacting(hidden).contains("s3cret") && ConnectionURI.isSecret(in: hidden))
    }
  }

  @Test(
    "is no file, and everything else is one",
    arguments: ["a.sqlite", "./postgresql://x", "postgresql:/x", "a host=h", ""])
  func files(text: String) {
    #expect(DatabaseLocation(text).path == text && DatabaseLocation(text).name == text)
    #expect(DatabaseLocation("postgres://h").path == nil)
  }
}

@Suite("A server that can't be asked")
struct RefusedServerTests {
  /// No server listens at the port of a service that is no longer in use.
  private static let server = "postgresql://ash:s3cret@127.0.0.1:1/pokedex"

  @Test(
    "is refused what SQLite alone does, without a connection",
    arguments: [
      (["backup", server, "x"], "repokit can't back up a database on a server", "pg_dump"),
      (["check", server], "repokit can't check a database on a server", "pg_amcheck"),
      (
        ["schema", server, "--sql"], "a server does not store the statements that made its tables",
        "pg_dump --schema-only"
      ),
    ])
  func refusals(arguments: [String], summary: String, suggestion: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(arguments)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("error: \(summary)\n") && outcome.messages.contains(suggestion))
    #expect(try workshop.files().isEmpty)
  }

  @Test(
    "is told of in all commands, without its password",
    arguments: [
      ["tables"], ["schema"], ["query", "t"], ["count", "t"], ["group", "t"], ["describe", "t"], ["explain", "t"],
      ["watch", "t"], ["export", "t", "x.csv"], ["import", "t", "t.csv"], ["insert", "t", "a=1", "--yes"],
      ["set", "t", "true", "a=1", "--yes", "--all"], ["delete", "t", "true", "--yes", "--all"], ["index", "list"],
      ["shell"],
    ])
  func unreachable(arguments: [String]) async throws {
    let workshop = try Workshop()
    try workshop.write("a\n1\n", to: "t.csv")
    let place = arguments[0] == "index" ? 2 : 1
    let outcome = try await workshop.run(
      Array(arguments[..<place]) + [Self.server] + Array(arguments[place...]) + ["--verbose"])
    #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.messages.contains("s3cret"))
    // Where libpq is not installed, that is said.
    #expect(outcome.messages.contains("is unreachable") || outcome.messages.contains("is not installed"))
    #expect(try workshop.files() == ["t.csv"])
  }

  @Test(
    "is told of by its name where the string can't be read",
    arguments: [
      "postgresql://ash:s3/cret@host/d", "postgresql://ash:s3cret@h/d?nonsense=1", "host=h password=s3cret",
      "postgresql://ash:s3%zzcret@h/d",
    ])
  func unreadable(text: String) async throws {
    let outcome = try await Workshop().run(["tables", text])
    #expect(outcome.status > 0 && outcome.output.isEmpty)
    #expect(!outcome.messages.contains("cret") && outcome.messages.hasPrefix("error: "))
  }
}
