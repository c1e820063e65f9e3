// What more than one command takes, described once.
extension PositionalDescription {
  static let database = PositionalDescription(name: "DATABASE", help: "The SQLite database file.", completion: .file)
  static let table = PositionalDescription(name: "TABLE", help: "The table or view.", completion: .table)
  static let condition = PositionalDescription(
    name: "WHERE", help: "Which rows, as one argument; all of them if it is left out.", isOptional: true,
    completion: .query)
}

extension OptionDescription {
  static let engine = OptionDescription(
    name: "--engine", value: "ENGINE",
    help: "Who evaluates the query: sqlite, or memory, which loads the whole table first. Both give the same rows.")
}

extension Note {
  /// The text form of queries, in short.
  static let queries = Note.list(
    "Queries",
    [
      ("weight > 90", "also = != < <= >=, with a value or another key"),
      ("weight between 10 and 20", "both included"),
      ("type1 in ('fire', 'water')", "one of these"),
      ("name contains 'saur'", "also starts with, ends with, and like 'Char%'; perhaps followed by ignoring case"),
      ("habitat is null", "also is not null"),
      ("not legendary = 1", "the opposite, also not between, not in, …"),
      ("a or (b and c)", "and binds tighter than or"),
      ("'it''s', -1.5e3, x'00ff'", "a text, a number, bytes; also true, false, null"),
      ("\"base attack\"", "a name that is no plain word"),
    ])
}
