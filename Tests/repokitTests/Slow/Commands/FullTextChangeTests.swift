import Testing

/// Full-text tables that read the texts of another table, by its name and the names of its columns.
@Suite("Full-text tables over other tables")
struct FullTextChangeTests {
  private func workshop(_ changes: String...) throws -> Workshop {
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
      (["table", "rename", "p.sqlite", "doc", "docs"], "can't rename doc: the full-text table words reads doc"),
      (["table", "drop", "p.sqlite", "doc"], "can't drop doc: the full-text table words reads doc"),
      (
        ["column", "rename", "p.sqlite", "doc", "body", "text"],
        "can't rename body: the full-text table words reads body of doc"
      ),
      (
        ["column", "rename", "p.sqlite", "doc", "id", "key"],
        "can't rename id: the full-text table words reads id of doc"
      ),
      (
        ["column", "drop", "p.sqlite", "doc", "title"], "can't drop title: the full-text table words reads title of doc"
      ),
    ])
  func refused(_ arguments: [String], _ summary: String) async throws {
    for consent in ["--yes", "--dry-run"] {
      let outcome = try await workshop().run(arguments + [consent])
      #expect(outcome.status == 1 && outcome.messages.hasPrefix("error: \(summary)\n"), "\(outcome)")
      #expect(outcome.messages.contains("drop words first, and create the full-text table again afterwards"))
    }
  }

  @Test("don't stand in the way of other changes, and can be dropped")
  func allowed() async throws {
    let workshop = try workshop()
    for arguments in [
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
      ("ALTER TABLE doc RENAME COLUMN body TO text", "the column body of doc"), ("DROP TABLE doc", "the table doc"),
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
