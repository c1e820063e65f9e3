/// Texts that break programs which build SQL by hand.
enum Hostile {
  static let texts: [String] = [
    "'", "''", "\"", "\"\"", "`", "[", "]", "[entry]", "\\", "\\'", "%", "_", "?", "?1", ":id", "@id", "$id",
    "a\0b", "\0", "a\0'; DROP TABLE entry;--", "'; DROP TABLE entry;--", "\"; DROP TABLE entry;--", ";--", "--", "/*",
    "*/",
    "' OR '1'='1", "\" OR \"\"=\"", "1; DELETE FROM entry", "x' UNION SELECT sql FROM sqlite_schema --", ");", "(", ")",
    "select", "SELECT", "from", "order", "null", "NULL", "true", "rowid", "_rowid_", "oid", "sqlite_schema",
    "sqlite_sequence", "main", "temp", "entry", "entry.id", "main.entry", "COLLATE NOCASE", "ASC", "desc", "in", "like",
    "x'00'", "0x10", "1e5", "-1", "+1", " ", "", "\t", "\n", "\r\n", " id", "id ", "ID ", "id\0", "id--", "id;", "id\"",
    "ıd",
    "😀", "👩‍👩‍👧‍👦", "🇨🇭", "é", "e\u{301}", "\u{202E}txet", "שלום", "مرحبا", "\u{FEFF}id", "\u{200B}", "\u{FFFF}", "\u{10FFFF}",
    "İ", "ß",
    String(repeating: "x", count: 10_000), String(repeating: "'", count: 10_000),
    String(repeating: "\"", count: 10_000),
    String(repeating: "(", count: 10_000), String(repeating: "😀", count: 2_500),
  ]
}
