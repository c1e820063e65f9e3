import Query
import SQLStore
import Testing

@testable import PostgresStore

@Suite("The placeholders of a statement are counted")
struct StatementPlaceholderTests {
  @Test(
    "by their numbers, without what looks like one in texts, names and comments",
    arguments: [
      ("", 0), ("SELECT 1", 0), ("$1", 1), ("SELECT $1, $2, $1", 2), ("$1+$2", 2), ("($10)", 1), ("'$1'", 0),
      ("'a''$1'", 0), ("'a' $1", 1), ("'a\\' $1", 1), ("E'a\\' $1'", 0), ("E'a''\\'$1' $2", 1), ("e'\\\\' $1", 1),
      ("type'\\' $1", 1), ("\"$1\"", 0), ("\"a\"\"$1\" $2", 1), ("a$1", 0), ("é$1", 0), ("-- $1\n$2", 1), ("- $1", 1),
      ("/* $1 /* $2 */ $3 */ $4", 1), ("4 / $1", 1), ("$$ $1 $$ $2", 1), ("$a$ $1 $$ $b$ $2 $a$ $3", 1),
      ("$é1$ $1 $é1$", 0), ("$a $1", 1), ("'$1", 0), ("/* $1", 0), ("$$ $1", 0), ("\"$1", 0), ("-- $1", 0), ("$", 0),
      ("E'\\", 0),
    ])
  func counts(_ sql: String, _ count: Int) {
    #expect(!StatementPlaceholders.exceed(count, in: sql))
    if count > 0 { #expect(StatementPlaceholders.exceed(count - 1, in: sql)) }
  }

  @Test("so that a text full of the character is no reason to refuse one", .requiresServer)
  func texts() async throws {
    try await TestServer.withStore { store in
      let price = String(repeating: "$", count: 8_000)
      let length = try await store.sql.query(SQLStatement(verbatim: "SELECT length('\(price)')"), as: Int.self)
      #expect(length == [8_000])
    }
  }
}
