/// What can stand in the place of an argument, for those who complete it.
enum Completion: Hashable {
  /// Nothing that is known before.
  case none
  /// A file.
  case file
  /// One of these words.
  case words([String])
  /// The name of a command.
  case command
  /// A table of the database that stands on the line.
  case table
  /// A column of the table that stands on the line.
  case column
  /// Columns of the table between commas.
  case columns
  /// A query about the table's rows.
  case query
  /// A column of the table, `=` and a value.
  case assignment
}
