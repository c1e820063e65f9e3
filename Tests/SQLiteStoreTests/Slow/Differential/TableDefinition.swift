import TestSupport

/// A table as SQL, and the name under which it is asked: its own or a view's.
struct TableDefinition: Sendable, CustomStringConvertible {
  let name: String
  /// The table into which rows are written.
  let base: String
  let sql: [String]

  init(name: String, base: String? = nil, sql: [String]) {
    self.name = name
    self.base = base ?? name
    self.sql = sql
  }

  var description: String { name }

  static let fixed: [TableDefinition] = [
    TableDefinition(
      name: "strict",
      sql: [
        """
        CREATE TABLE "strict" ("id" INTEGER PRIMARY KEY, "int" INTEGER, "int2" INTEGER NOT NULL, "real" REAL, \
        "real2" REAL NOT NULL, "text" TEXT, "text2" TEXT NOT NULL, "blob" BLOB, "any" ANY, "any2" ANY NOT NULL) STRICT
        """
      ]),
    TableDefinition(
      name: "indexed",
      sql: [
        """
        CREATE TABLE "indexed" ("text2" TEXT NOT NULL, "int2" INTEGER NOT NULL, "int" INTEGER, "real" REAL, "text" TEXT, \
        "blob" BLOB, "any" ANY, "id" INTEGER NOT NULL, PRIMARY KEY ("text2", "int2", "id")) STRICT, WITHOUT ROWID
        """,
        #"CREATE INDEX i1 ON "indexed" ("int")"#, #"CREATE INDEX i2 ON "indexed" ("real")"#,
        #"CREATE INDEX i3 ON "indexed" ("text")"#, #"CREATE INDEX i4 ON "indexed" ("blob")"#,
        #"CREATE INDEX i5 ON "indexed" ("any")"#, #"CREATE INDEX i6 ON "indexed" ("int2" DESC)"#,
      ]),
    TableDefinition(
      name: "loose",
      sql: [
        """
        CREATE TABLE loose (id INTEGER PRIMARY KEY, int INT, "real" DOUBLE, "text" VARCHAR(20) COLLATE NOCASE, \
        "text2" TEXT COLLATE RTRIM NOT NULL, blob BLOB, "any", day DATE, flag BOOLEAN)
        """,
        "CREATE INDEX l1 ON loose (int)", #"CREATE INDEX l2 ON loose ("real")"#, #"CREATE INDEX l3 ON loose ("text")"#,
        #"CREATE INDEX l4 ON loose ("text2")"#, "CREATE INDEX l5 ON loose (day)",
      ]),
    TableDefinition(
      name: "keyless",
      sql: [#"CREATE TABLE keyless (int INT, "real" REAL, "text" TEXT COLLATE NOCASE, "any")"#]),
    TableDefinition(
      name: "view", base: "base",
      sql: [
        #"CREATE TABLE base (int INT, "real" REAL, "text" TEXT COLLATE NOCASE, "any")"#,
        #"CREATE VIEW view AS SELECT int, "real", "text", "any", length("text") AS long FROM base"#,
      ]),
    TableDefinition(
      name: "cast", base: "base",
      sql: [
        #"CREATE TABLE base (id INTEGER PRIMARY KEY, int INT, "text" TEXT, "any")"#,
        """
        CREATE VIEW cast AS SELECT id, CAST("any" AS INTEGER) AS number, CAST(int AS TEXT) AS word, int AS mixed \
        FROM base WHERE typeof(int) <> 'blob' UNION ALL \
        SELECT id + 1000, 0, '0', "text" FROM base WHERE typeof("text") <> 'blob' AND id < 1000
        """,
      ]),
  ]

  /// A table of up to eight columns of any types, strict or not, with keys and indexes as they come.
  static func random(using random: inout SplitMix64) -> TableDefinition {
    let isStrict = random.chance(0.5)
    let types =
      isStrict
      ? ["INTEGER", "REAL", "TEXT", "BLOB", "ANY"]
      : ["INTEGER", "INT", "REAL", "FLOAT", "TEXT", "VARCHAR(9)", "BLOB", "", "NUMERIC", "DATE", "BOOLEAN"]
    var columns: [String] = []
    func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
    var taken = ["id"]
    var names: [String] = []
    for number in 0..<Int.random(in: 2...8, using: &random) {
      taken.append(RandomNames.pick("c\(number)", besides: taken, &random))
      names.append(quoted(taken[number + 1]))
      let collation = random.chance(0.2) ? " COLLATE \(random.pick(["NOCASE", "RTRIM"]))" : ""
      columns.append("\(names[number]) \(random.pick(types))\(collation)\(random.chance(0.3) ? " NOT NULL" : "")")
    }
    var constraints: [String] = []
    var options = isStrict ? ["STRICT"] : []
    switch random.pick(["none", "number", "one", "two", "two"]) {
    case "number": columns.append(#""id" INTEGER PRIMARY KEY"#)
    case "one": constraints.append("PRIMARY KEY (\(names[0]))")
    case "two":
      constraints.append("PRIMARY KEY (\(names[1]), \(names[0]))")
      if random.chance(0.5) { options.append("WITHOUT ROWID") }
    default: break
    }
    if random.chance(0.2) { constraints.append("UNIQUE (\(random.pick(names)))") }
    let parts = (columns + constraints).joined(separator: ", ")
    let table = RandomNames.pick("random", besides: [], &random)
    var sql = ["CREATE TABLE \(quoted(table)) (\(parts)) \(options.joined(separator: ", "))"]
    for (number, name) in names.enumerated() where random.chance(0.4) {
      sql.append(#"CREATE INDEX r\#(number) ON \#(quoted(table)) (\#(name)\#(random.chance(0.3) ? " DESC" : ""))"#)
    }
    return TableDefinition(name: table, sql: sql)
  }
}
