/// What becomes of a table that exists.
enum ImportMode {
  /// There must be none of this name.
  case create
  /// Rows are added; a key that exists is a conflict.
  case append
  /// A new table takes its place.
  case replace
  /// Rows are added, or take the place of those with the same key.
  case upsert
}
