import Query

/// Names of tables and columns that may mean something else: words of SQL, names that SQLite gives rows and tables of its
/// own, texts that look like pieces of a statement, and pairs that differ in the composition of a letter alone.
package enum RandomNames {
  private static let words = [
    "excluded", "target", "true", "FALSE", "null", "new", "old", "main", "temp", "rowid", "oid", "_rowid_", "value",
    "key", "json_each", "json", "pragma_table_list", "pragma_table_xinfo", "pragma_index_list", "dbstat", "select",
    "order", "current_time", "NaN", "a\"b", "a'b", "x.y", "x, y", "x: y", "[x]", "`x`", "?", "?1", ":x", "@x", "$x",
    " ",
    "x ", ";--", "/*", "1", "1e3", "\n", "\u{1F600}", "\u{DF}", "\u{130}", "caf\u{E9}", "cafe\u{301}", "\u{C5}",
    "A\u{30A}",
    "\u{212B}",
  ]

  /// A name that no other has, also where its letters are in another case: a plain one now and then.
  package static func pick(_ plain: String, besides taken: [String], _ random: inout SplitMix64) -> String {
    let folded = Set(taken.map { Name($0).folded })
    if random.chance(0.4), !folded.contains(Name(plain).folded) { return plain }
    // The pair of a name that there is, which would seldom come by chance.
    let twins = words.filter { word in taken.contains { $0 == word && Name($0) != word } }
    if let twin = twins.first(where: { !folded.contains(Name($0).folded) }), random.chance(0.5) { return twin }
    let word = random.pick(words)
    return folded.contains(Name(word).folded) ? pick(plain + "_", besides: taken, &random) : word
  }
}
