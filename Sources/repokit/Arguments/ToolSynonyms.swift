import SQLiteStore

/// Words that users of other tools write, and their names here.
enum ToolSynonyms {
  /// Returns the command for another tool's word.
  static func command(for word: String) -> String? {
    var word = word.lowercased()
    if word.hasPrefix(".") { word.removeFirst() }
    if let topic = HelpTopic.named(word) { return "repokit help \(topic.name) shows the \(topic.name)" }
    return commands.first { $0.words.contains(word) }?.advice
  }

  /// Returns the command for a call that begins with a database, as in other tools, and goes on with the following word.
  static func advice(onDatabase word: String, _ next: String?) -> String? {
    let isDatabase = ConnectionURI(word) != nil || FileKind(ofPath: word) != .missing
    guard isDatabase else { return nil }
    let name = ConnectionURI(word) == nil ? ShellWord.quoted(word) ?? "DATABASE" : "DATABASE"
    if let next, let call = SelectStatement(next)?.call(of: ConnectionURI(word) == nil ? word : "DATABASE") {
      return "write the command first: \(call)"
    }
    let isSchema = [".tables", ".schema", "\\d", "\\dt"].contains(next)
    if let next, !isSchema, let advice = command(for: String(next.prefix { $0.isLetter || $0 == "." })) {
      return "write the command first: " + advice.replacing("DATABASE", with: name)
    }
    return "write the command first: repokit tables \(name) lists the tables, repokit query \(name) TABLE shows rows"
  }

  private static let commands: [(words: [String], advice: String)] = [
    (
      ["select", "find", "where", "filter", "rows", "get", "cat", "head", "tail", "search", "grep", "join"],
      "repokit query DATABASE TABLE \"WHERE\" shows rows; --columns, --sort and --limit choose columns, order and number"
    ),
    (["ls", "list", "show", "databases"], "repokit tables DATABASE lists the tables and views"),
    (
      ["sql", "exec", "execute", "run", "memory"],
      "no SQL here: query, count and group read rows, set, insert and delete change them; repokit help query shows how"
    ),
    (["update", "edit", "replace", "modify"], "repokit set DATABASE TABLE \"WHERE\" column=value changes rows"),
    (["remove", "rm", "del", "truncate"], "repokit delete DATABASE TABLE \"WHERE\" deletes rows"),
    (
      ["add", "new", "put"],
      "repokit insert DATABASE TABLE column=value adds a row; repokit import adds the rows of a file"
    ),
    (
      ["upsert", "load", "read", "csv"],
      "repokit import DATABASE TABLE FILE reads files; --upsert replaces rows with the same key"
    ),
    (["save", "write", "output", "to"], "repokit export DATABASE TABLE FILE writes rows"),
    (
      ["stats", "statistics", "summary", "summarize", "profile", "analyze", "analyze-tables"],
      "repokit describe DATABASE TABLE summarizes the values of each column"
    ),
    (["desc", "columns", "info", "ddl", "structure"], "repokit schema DATABASE TABLE shows columns, keys and indexes"),
    (
      ["aggregate", "sum", "avg", "average", "min", "max", "groupby", "pivot"],
      "repokit group DATABASE TABLE --by COLUMN --sum COLUMN aggregates rows by group"
    ),
    (["plan", "why", "eqp"], "repokit explain DATABASE TABLE \"WHERE\" shows the plan and the SQL"),
    (["create", "create-table", "mkdir"], "repokit table create DATABASE TABLE \"COLUMN TYPE\"… creates a table"),
    (["rename", "mv", "rename-table"], "repokit table rename and repokit column rename change names"),
    (["drop", "drop-table"], "repokit table drop, column drop and index drop remove a table, a column or an index"),
    (["alter", "add-column", "transform", "retype"], "repokit column add, rename, drop and retype change a column"),
    (["indexes", "indices", "create-index"], "repokit index list, add and drop manage indexes"),
    (
      ["clone", "cp", "duplicate", "migrate", "merge", "sync"],
      "repokit copy DATABASE TARGET copies tables; repokit backup copies a file"
    ),
    (["compare", "cmp"], "repokit diff DATABASE OTHER compares two databases"),
    (["compact", "optimize", "shrink", "clean"], "repokit vacuum DATABASE shrinks the file"),
    (
      ["fsck", "verify", "integrity", "integrity_check", "validate"],
      "repokit check DATABASE looks for damage and broken rules"
    ),
    (
      ["restore", "recover", "open", "repl", "interactive", "console"],
      "repokit shell DATABASE starts a shell; a backup is a database file that every command opens"
    ),
    (["version", "about"], "repokit --version shows the version"),
    (["man", "usage", "?"], "repokit help lists the commands"),
  ]

  /// Returns the option for another tool's name.
  ///
  /// - Parameter known: returns whether the command has an option.
  static func option(for word: String, isKnown: (String) -> Bool) -> String? {
    let word = word.lowercased()
    if let format = ["--json", "--csv", "--tsv", "--ndjson", "--markdown", "--html", "--table", "--line"].first(where: {
      $0 == word
    }),
      isKnown("--format")
    {
      return "write --format \(format.dropFirst(2))"
    }
    for (words, option) in options where words.contains(word) {
      if isKnown(String(option.prefix { $0 != " " && $0 != "=" })) { return "write \(option)" }
    }
    return advice.first { $0.words.contains(word) }?.text
  }

  private static let options: [(words: [String], option: String)] = [
    (["-n", "-l", "--top-n", "--head", "--count-limit", "--max"], "--limit N"),
    (["-v", "-vv", "--debug"], "--verbose"),
    (["-s", "-o", "--order", "--order-by", "--orderby", "--sort-by"], "--sort KEY"),
    (["--desc", "--descending", "-r", "--reverse"], "--sort=-KEY"),
    (["-c", "--cols", "--column", "--fields", "--select", "-k"], "--columns A,B"),
    (
      ["--noheader", "--no-headers", "-noheader", "--tuples-only", "-t", "-at", "--no-column-names", "-ta"],
      "--no-names"
    ),
    (["-separator", "--field-separator", "--fieldsep", "-a", "--no-align"], "--separator TEXT"),
    (["--null", "-nullvalue", "--nullvalue", "--null-value", "--nullstr"], "--null-text TEXT"),
    (["--silent", "--no-notes"], "--quiet"),
    (["-f", "--fmt", "--output-format", "--mode"], "--format FORMAT"),
    (["--nl", "--jsonl", "--lines"], "--format ndjson"),
    (["--group", "--group-by", "--groupby"], "--by KEY"), (["-p", "--parameter", "--bind"], "--param NAME=VALUE"),
    (["-d", "--sep", "--separator", "--delim", "-F"], "--delimiter C"), (["--quotechar", "--quotes"], "--quote C"),
    (["--pk", "--primary-key", "--id"], "--key COLUMN"), (["--alter", "--add-columns"], "--widen"),
    (["--ignore", "--ignore-errors", "--skip-errors", "--lenient"], "--skip-bad"),
    (["--truncate", "--overwrite"], "--replace"),
    (["--no-headers", "--noheader", "--headerless"], "--no-header"), (["--unique", "--uniq"], "--distinct"),
    (["--dry", "--simulate", "--what-if", "--pretend"], "--dry-run"),
    (["--force", "-f", "--assume-yes", "--no-confirm"], "--yes"),
    (["--skip"], "--offset N"), (["--colour", "--colors"], "--color WHEN"),
    (["--type", "--coltypes"], "--types A=TYPE"),
    (["--average", "--mean"], "--avg KEY"), (["--overwrite", "-y", "--yes"], "--force"),
  ]

  private static let advice: [(words: [String], text: String)] = [
    (
      ["--where", "--filter", "-w", "--query"],
      "write the condition after the table, as one argument without an option"
    ),
    (["--database", "--db", "--file"], "write the database after the command, without an option"),
    (["--table"], "write the table after the database, without an option"),
    (["-o", "--output", "--out"], "> FILE redirects the output; repokit export writes rows to a file"),
    (
      ["--user", "--host", "--port", "--password", "-u", "-h"], "name a server as postgresql://USER@HOST:PORT/NAME"
    ),
  ]
}
