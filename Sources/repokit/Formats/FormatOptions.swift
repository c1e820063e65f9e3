/// What somebody may want of a format, beside its columns.
struct FormatOptions {
  /// How bytes are written; `nil` for each format's own way.
  var blobs: BlobForm?
  /// Whether a table breaks values that are wider than their column into lines, rather than cut them.
  var wraps = false
  /// The table whose rows they are, where a format has to name one.
  var table = "result"
}
