import Testing

@testable import SQLiteStore

@Suite("What SQLite keeps as SQL alone is read from it")
struct DefinitionTextTests {
  @Test(
    "the checks of a table",
    arguments: [
      ("create table t(a)", []), ("create table t(a check (a > 0))", ["a > 0"]),
      ("create table t(a CHECK(a in (1, 2)), check ( a <> ')' ))", ["a in (1, 2)", "a <> ')'"]),
      ("create table t(a constraint c check (a > 0) not null, b check(b))", ["a > 0", "b"]),
      ("create table \"check (x)\"(a, [check (y)] int, `check`)", []),
      ("create table t(a default 'check (1)' /* check (2) */, -- check (3)\n check (4))", ["4"]),
      ("create table t(a check (case when a then check_ else 1 end))", ["case when a then check_ else 1 end"]),
      ("create table t(a check (a", []), ("", []), ("'", []), ("create table t(a check", []), ("((((", []), (")))", []),
    ] as [(String, [String])])
  func checks(sql: String, checks: [String]) {
    #expect(DefinitionText(sql).checks == checks)
  }

  @Test(
    "how columns are worked out",
    arguments: [
      ("create table t(a, b as (a + 1))", ["a + 1"]),
      ("create table t(a int generated always as (1), b text AS (lower(c)) stored, c)", ["1", "lower(c)"]),
      ("create table t(a check (cast(a as int) > 0))", []), ("create table t(\"as\" int, 'as' (1))", []),
    ] as [(String, [String])])
  func generated(sql: String, expressions: [String]) {
    #expect(DefinitionText(sql).generated == expressions)
  }

  @Test(
    "what an index is of, and of which rows",
    arguments: [
      ("create index i on t(a)", ["a"], nil), ("create index i on t (a desc, b collate nocase asc)", ["a", "b"], nil),
      (
        "create index i on t (lower(a), a + (b, c)) where a > 1 and b = 'where'", ["lower(a)", "a + (b, c)"],
        "a > 1 and b = 'where'"
      ),
      ("create index \"i (x) where\" on t (\"a\"\"b\" DESC) WHERE x", ["\"a\"\"b\""], "x"),
      ("create index i on t", [], nil),
      ("create index i on t (a", [], nil), ("create index i on t () where", [""], nil),
    ] as [(String, [String], String?)])
  func index(sql: String, terms: [String], condition: String?) {
    let text = DefinitionText(sql)
    #expect(text.indexTerms == terms)
    #expect(text.condition == condition)
  }
}
