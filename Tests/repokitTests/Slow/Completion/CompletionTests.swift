import Query
import SQLInspection
import SQLiteInspection
import SQLiteStore
import Testing
@testable import repokit

@Suite("Completions")
struct CompletionTests {
  /// As long as an answer takes, however busy the machine is.
  private static let timeLimit = Duration.seconds(600)

  /// A database with the table of five Pokémon and some with odd names.
  static func odd() async throws -> Workshop { try await template.copy() }

  private static let template = Workshop.Template {
    let workshop = try await Workshop.withPokemon()
    try workshop.write("id,base attack,and,\"a,b\"\n1,5,x,y\n", to: "odd.csv")
    for name in ["a b", "$(touch x)", "x'; rm", "new\nline", "esc\u{1B}[31m", "`id`"] {
      let outcome = try await workshop.run(["import", "p.sqlite", name, "odd.csv", "--key", "id"])
      try #require(outcome.status == 0, "\(outcome.messages)")
    }
    return workshop
  }

  private static func words(_ current: String, _ words: [String], _ path: String) async -> [String]? {
    let engine = CompletionEngine(commands: CommandList.repokit.all.map { $0.description }, timeLimit: timeLimit)
    guard
      case .words(let candidates) = await engine.candidates(
        for: current, after: words.map { $0.replacing("p.sqlite", with: "\(path)/p.sqlite") })
    else { return nil }
    return candidates.map(\.word)
  }

  static let lines: [(current: String, words: [String], candidates: [String]?)] = [
    ("sch", [], ["schema"]), ("SCH", [], ["schema"]), ("zzz", [], []), ("x", ["zzz"], []),
    ("", ["schema"], nil), ("", ["import", "p.sqlite", "t"], nil),
    ("pok", ["query", "p.sqlite"], ["pokemon"]), ("pok", ["query", "none.sqlite"], []), ("pok", ["query", "."], []),
    ("pok", ["query", "--color", "never", "p.sqlite"], ["pokemon"]), ("x", ["tables", "p.sqlite"], []),
    ("--no-p", ["query", "p.sqlite", "pokemon"], ["--no-pager"]), ("--no-p", ["query", "p.sqlite", "--no-pager"], []),
    ("--no-p", ["query", "p.sqlite", "--"], []), ("--color=al", ["query"], ["--color=always"]),
    ("al", ["query", "--color"], ["always"]), ("na", ["watch", "p.sqlite", "pokemon", "--columns"], ["name"]),
    ("id,na", ["watch", "p.sqlite", "pokemon", "--columns"], ["id,name"]),
    ("id,", ["watch", "p.sqlite", "a b", "--columns"], ["id,\"base attack\"", "id,\"and\"", "id,\"a,b\""]),
    ("\"a,b\",b", ["watch", "p.sqlite", "a b", "--columns"], ["\"a,b\",\"base attack\""]),
    ("-wei", ["watch", "p.sqlite", "pokemon", "--sort"], ["-weight"]),
    ("--sort=-wei", ["watch", "p.sqlite", "pokemon"], ["--sort=-weight"]),
    ("we", ["insert", "p.sqlite", "pokemon", "id=1"], ["weight="]),
    ("a", ["index"], ["add"]), ("pok", ["index", "add", "p.sqlite"], ["pokemon"]),
    ("ty", ["index", "add", "p.sqlite", "pokemon", "name"], ["type1", "type2"]), ("cou", ["help"], ["count"]),
  ]

  @Test("offer what may stand there", arguments: lines)
  func candidates(current: String, words: [String], candidates: [String]?) async throws {
    let workshop = try await Self.odd()
    #expect(await Self.words(current, words, workshop.path) == candidates)
  }

  static let queries: [(text: String, table: String, pieces: [String])] = [
    ("we", "pokemon", ["weight ", "weekday(", "week(", "weekYear("]), ("type1 = 'fire' and na", "pokemon", ["name "]),
    ("not na", "pokemon", ["name "]),
    ("(na", "pokemon", ["name "]), ("b", "a b", ["\"base attack\" "]), ("\"ba", "a b", ["\"base attack\" "]),
    ("an", "a b", ["\"and\" "]),
    ("type1 = ", "pokemon", ["'electric'", "'fire'", "'grass'", "'normal'"]), ("type1 = 'fi", "pokemon", ["'fire'"]),
    ("type1 = fi", "pokemon", ["'fire'"]), ("type1 != 'G", "pokemon", ["'grass'"]),
    ("type1 in ('fire', 'g", "pokemon", ["'grass'"]), ("type1 in ('fire'", "pokemon", ["'fire'"]),
    ("type1 in ('fire' ", "pokemon", [", ", ")"]), ("id = ", "pokemon", ["1", "4", "6", "25", "143"]),
    ("id = 1 a", "pokemon", ["and "]), ("weight b", "pokemon", ["between "]),
    ("weight between 6.9 ", "pokemon", ["and "]), ("weight between 6.9 and 8", "pokemon", ["8.5"]),
    ("name c", "pokemon", ["contains "]), ("weight c", "pokemon", []), ("id not b", "pokemon", ["between "]),
    ("name starts ", "pokemon", ["with "]), ("name starts with 'Cha", "pokemon", ["'Charizard'", "'Charmander'"]),
    ("name like 'x' i", "pokemon", ["ignoring case"]), ("name like 'x' ignoring ", "pokemon", ["case"]),
    ("type2 is ", "pokemon", ["null", "not null"]), ("type2 is not ", "pokemon", ["null", "not null"]),
    ("TYPE1 = 'fi", "pokemon", ["'fire'"]), ("zzz ", "pokemon", []), ("zzz = ", "pokemon", []), ("= ", "pokemon", []),
    ("name = 'x' name ", "pokemon", []), ("na", "zzz", []),
  ]

  @Test("go on with a query by one piece", arguments: queries)
  func query(text: String, table: String, pieces: [String]) async throws {
    let workshop = try await Self.odd()
    let names = DatabaseNames(DatabaseLocation(workshop.path + "/p.sqlite"), timeLimit: Self.timeLimit)
    let candidates = await QueryCompletion(text, table: table, names: names).candidates()
    #expect(candidates.map(\.label) == pieces)
    for candidate in candidates { #expect(candidate.word.hasSuffix(candidate.label) && !candidate.isComplete) }
  }

  static let related: [(text: String, pieces: [String])] = [
    ("al", ["album ", "album."]), ("album.", ["id", "title", "artist", "artist."]), ("album.ti", ["title"]),
    ("album.artist.n", ["name"]), ("album.title = ", ["'Dawn'", "'Noon'"]), ("album.artist.name c", ["contains "]),
    ("length / 2 b", ["between "]), ("leng", ["length ", "length("]), ("yea", ["year(", "yearMonth("]),
    ("length > le", ["length", "least(", "length("]),
    ("at > to", ["today"]), ("coalesce(na", ["name"]), ("coalesce(name ", [", ", ")"]),
  ]

  @Test("go on with a path or an expression", arguments: related)
  func relation(text: String, pieces: [String]) async throws {
    #expect(try await Self.pieces(text, of: "track") == pieces)
  }

  @Test(
    "go on with what is asked about rows of other tables",
    arguments: [
      ("an", "album", ["any "]), ("any ", "album", ["track "]), ("no t", "album", ["track "]), ("any ", "track", []),
      ("any track by ", "album", ["album "]), ("any track (le", "album", ["length ", "least(", "length("]),
      ("any track (name = 'O", "album", ["'One'"]), ("any album by artist (any track (album.t", "artist", ["title"]),
      ("count(tr", "album", ["track "]), ("sum(le", "album", ["length of track "]), ("sum(length o", "album", ["of "]),
      ("count(track ", "album", ["of ", "by ", "where ", ")"]), ("count(track where na", "album", ["name "]),
      ("cou", "album", ["count(", "countDistinct("]), ("cou", "track", []),
    ])
  func rows(text: String, table: String, pieces: [String]) async throws {
    #expect(try await Self.pieces(text, of: table) == pieces)
  }

  private static func pieces(_ text: String, of table: String) async throws -> [String] {
    let workshop = try Workshop()
    for statement in RelationTests.tables { try workshop.execute("p.sqlite", statement) }
    let names = DatabaseNames(DatabaseLocation(workshop.path + "/p.sqlite"), timeLimit: timeLimit)
    return await QueryCompletion(text, table: table, names: names).candidates().map(\.label)
  }

  @Test("go on with expressions in lists, and in the shell")
  func lists() async throws {
    let workshop = try Workshop()
    for statement in RelationTests.tables { try workshop.execute("p.sqlite", statement) }
    for (current, words, candidates) in [
      ("id,album.t", ["group", "p.sqlite", "track", "--by"], ["id,album.title"]),
      ("id,coalesce(name, na", ["group", "p.sqlite", "track", "--by"], ["id,coalesce(name, name"]),
      ("-album.artist.n", ["query", "p.sqlite", "track", "--sort"], ["-album.artist.name"]),
      (
        "length / le", ["group", "p.sqlite", "track", "--avg"],
        ["length / length", "length / least(", "length / length("]
      ),
      ("album.ti", ["query", "p.sqlite", "track"], ["album.title"]),
    ] {
      #expect(await Self.words(current, words, workshop.path) == candidates, "\(current)")
    }
    let completion = ShellCompletion(
      database: DatabaseLocation(workshop.path + "/p.sqlite"), commands: .repokit, timeLimit: Self.timeLimit)
    for (text, candidates) in [
      ("track album.ti", ["track album.title"]), ("count artist any album (tit", ["count artist any album (title "]),
    ] {
      #expect(await completion.candidates(for: text).map(\.text) == candidates, "\(text)")
    }
  }

  static let shellLines: [(text: String, candidates: [String])] = [
    ("cou", ["count "]), (" sch", [" schema "]), ("pok", ["pokemon "]), ("a", ["a\\ b "]), ("$", [#"\$\(touch\ x\) "#]),
    (".he", [".help "]), (".help cou", [".help count "]), (".format nd", [".format ndjson "]),
    ("count pok", ["count pokemon "]),
    ("pokemon wei", ["pokemon weight "]), ("count pokemon type1 = fi", ["count pokemon type1 = 'fire'"]),
    ("count pokemon \"type1 = 'fi", ["count pokemon \"type1 = 'fire'"]),
    ("count 'a b' ba", ["count 'a b' \"base attack\" "]),
    ("pokemon id = 1 --no-p", ["pokemon id = 1 --no-pager "]),
    ("pokemon id = 1 --color al", ["pokemon id = 1 --color always "]),
    ("tables\ncou", ["tables\ncount "]), ("pokemon (id = 1\nor wei", ["pokemon (id = 1\nor weight "]),
    ("index add pok", ["index add pokemon "]),
    ("index add pokemon ty", ["index add pokemon type1 ", "index add pokemon type2 "]),
    (".open pok", [".open pokemon.csv "]), ("count pokemon id = 1; ", []),
  ]

  @Test("go on with a line of the shell", arguments: shellLines)
  func shell(text: String, candidates: [String]) async throws {
    let workshop = try await Self.odd()
    let text = text.replacing(".open pok", with: ".open \(workshop.path)/pok")
    let completion = ShellCompletion(
      database: DatabaseLocation(workshop.path + "/p.sqlite"), commands: .repokit, timeLimit: Self.timeLimit)
    let found = await completion.candidates(for: text).map(\.text)
    #expect(found.map { $0.replacing("\(workshop.path)/", with: "") } == candidates)
  }

  @Test("leave out values that are many or long")
  func bounds() async throws {
    let workshop = try Workshop()
    let rows = (1...500).map { "\($0),\($0 % 3 == 0 ? "few" : String(repeating: "long", count: 20))\n" }.joined()
    try workshop.write("id,text\n\(rows)", to: "t.csv")
    let outcome = try await workshop.run(["import", "p.sqlite", "t", "t.csv", "--key", "id"])
    try #require(outcome.status == 0, "\(outcome.messages)")
    let names = DatabaseNames(DatabaseLocation(workshop.path + "/p.sqlite"), timeLimit: Self.timeLimit)
    #expect(await names.values(of: "id", in: "t") == [])
    #expect(await names.values(of: "text", in: "t") == [.text("few")])
    #expect(await names.values(of: "none", in: "t") == [])
  }

  @Test("don't wait for the values of a view that takes long")
  func timeLimit() async throws {
    let workshop = try await Workshop.withPokemon()
    let store = try SQLiteStore(path: workshop.path + "/p.sqlite", journal: .unchanged)
    let view: SQLStatement = """
      CREATE VIEW endless AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id FROM n WHERE id < 0
      """
    _ = try await store.sql.execute(view)
    let names = DatabaseNames(DatabaseLocation(workshop.path + "/p.sqlite"), timeLimit: .milliseconds(1))
    #expect(names.columns(of: "endless").map(\.name) == ["id"])
    #expect(await names.values(of: "id", in: "endless") == [])
  }
}
