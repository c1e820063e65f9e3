import Testing

/// Full-text tables that read the texts of another table, by its name and the names of its columns.
@Suite("Full-text tables over other tables")
struct FullTextChangeTests {
  /// A full-text table that reads a view.
  private static let remarks = [
    "CREATE VIEW notes AS SELECT id, note FROM doc",
    "CREATE VIRTUAL TABLE remarks USING fts5 (note, content = 'notes', content_rowid = 'id')",
  ]

  private func workshop(_ changes: String...) throws -> Workshop { try workshop(changes) }

  private func workshop(_ changes: [String]) throws -> Workshop {
    let workshop = try Workshop()
    let statements = [
      "CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, body TEXT, note TEXT)",
      "INSERT INTO doc VALUES (1, 'One', 'the quick fox', 'a'), (2, 'Two', 'a lazy dog', 'b')",
      "CREATE VIRTUAL TABLE words USING fts5 (title, body, content = 'doc', content_rowid = 'id')",
      "INSERT INTO words (words) VALUES ('rebuild')",
      "CREATE VIRTUAL TABLE own USING fts5 (x)", "INSERT INTO own VALUES ('kept')",
      "CREATE VIRTUAL TABLE old USING fts4 (y)", "INSERT INTO old VALUES ('kept')",
      "CREATE VIRTUAL TABLE bare USING fts5 (z, content = '')",
    ]
    for statement in statements + changes { try workshop.execute("p.sqlite", statement) }
    return workshop
  }

  @Test(
    "can't follow a change of what they read, so the change is refused",
    arguments: [
      (
        ["table", "rename", "p.sqlite", "doc", "docs"],
        "can't rename the table doc to docs: the full-text table words reads doc"
      ),
      (
        ["table", "drop", "p.sqlite", "doc"],
        "can't drop the table doc with 2 rows: the full-text table words reads doc"
      ),
      (
        ["column", "rename", "p.sqlite", "doc", "body", "text"],
        "can't rename the column body of doc to text: the full-text table words reads body of doc"
      ),
      (
        ["column", "rename", "p.sqlite", "doc", "id", "key"],
        "can't rename the column id of doc to key: the full-text table words reads id of doc"
      ),
      (
        ["column", "drop", "p.sqlite", "doc", "title"],
        "can't drop the column title of doc with 2 values: the full-text table words reads title of doc"
      ),
      (["view", "drop", "p.sqlite", "notes"], "can't drop the view notes: the full-text table remarks reads notes"),
      (
        ["column", "rename", "p.sqlite", "doc", "note", "remark"],
        "can't rename the column note of doc to remark: the full-text table remarks reads note of notes"
      ),
    ])
  func refused(_ arguments: [String], _ summary: String) async throws {
    for consent in ["--yes", "--dry-run"] {
      let workshop = try workshop(summary.contains("remarks") ? Self.remarks : [])
      let outcome = try await workshop.run(arguments + [consent])
      #expect(outcome.status == 1 && outcome.messages.hasPrefix("error: \(summary)\n"), "\(outcome)")
      #expect(outcome.messages.contains(" first, and create the full-text table again afterwards"))
    }
  }

  @Test("don't stand in the way of other changes, and can be dropped")
  func allowed() async throws {
    let workshop = try workshop(Self.remarks)
    for arguments in [
      ["table", "drop", "p.sqlite", "remarks"], ["view", "drop", "p.sqlite", "notes"],
      ["column", "rename", "p.sqlite", "doc", "note", "remark"], ["column", "drop", "p.sqlite", "doc", "remark"],
      ["table", "drop", "p.sqlite", "words"], ["table", "rename", "p.sqlite", "doc", "docs"],
    ] {
      let outcome = try await workshop.run(arguments + ["--yes"])
      #expect(outcome.status == 0, "\(outcome)")
    }
    #expect(try await workshop.run(["check", "p.sqlite"]).status == 0)
  }

  @Test(
    "that differ from their texts are found by check, and built again by index rebuild",
    arguments: [
      "DELETE FROM doc WHERE id = 1", "UPDATE doc SET body = 'new words' WHERE id = 1",
      "INSERT INTO doc VALUES (3, 'Three', 'more', 'c')",
    ])
  func differing(_ change: String) async throws {
    let workshop = try workshop(change)
    let check = try await workshop.runUnchanged(["check", "p.sqlite"])
    #expect(check.status == 1 && check.output == "words: the full-text index differs from its texts\n", "\(check)")
    #expect(check.messages.contains("repokit index rebuild p.sqlite words builds the index again"))
    if change.hasPrefix("DELETE") {
      let query = try await workshop.run(["query", "p.sqlite", "words", "--match", "fox"])
      #expect(query.messages.contains("the index of a virtual table differs from its rows"), "\(query)")
      #expect(
        query.messages.contains(
          "repokit check names full-text tables whose index is damaged; "
            + "repokit index rebuild builds the index again"))
    }
    let rebuilt = try await workshop.run(["index", "rebuild", "p.sqlite", "words"])
    #expect(rebuilt == Outcome(status: 0, output: "", messages: "rebuilt the full-text index of words\n"))
    #expect(try await workshop.run(["check", "p.sqlite"]).status == 0)
  }

  @Test(
    "whose texts are gone are found by check",
    arguments: [
      ("ALTER TABLE doc RENAME COLUMN body TO text", "body of doc"), ("DROP TABLE doc", "doc"),
    ])
  func lost(_ change: String, _ missing: String) async throws {
    let workshop = try workshop(change)
    let check = try await workshop.runUnchanged(["check", "p.sqlite"])
    #expect(
      check.status == 1 && check.output == "words: the full-text table reads \(missing), which is missing\n", "\(check)"
    )
    #expect(try await workshop.run(["table", "drop", "p.sqlite", "words", "--yes"]).status == 0)
    #expect(try await workshop.run(["check", "p.sqlite"]).status == 0)
  }

  @Test("The indexes of any other table are built again, too")
  func rebuild() async throws {
    let workshop = try workshop("CREATE INDEX doc_title ON doc (title)", "CREATE INDEX doc_body ON doc (body)")
    for (table, status, message) in [
      ("doc", 0, "rebuilt 2 indexes of doc: doc_body, doc_title\n"), ("own", 0, "rebuilt the full-text index of own\n"),
      ("old", 0, "rebuilt the full-text index of old\n"),
      ("bare", 1, "error: can't rebuild bare\n  the full-text table stores no texts\n"), ("none", 2, "error: "),
    ] as [(String, Int32, String)] {
      let outcome = try await workshop.run(["index", "rebuild", "p.sqlite", table])
      #expect(outcome.status == status && outcome.messages.hasPrefix(message), "\(outcome)")
    }
  }
}
