import PostgresStore
import SQLStore
import Testing

@testable import repokit

@Suite(
  "Databases are copied between SQLite and PostgreSQL",
  .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
struct EngineCopyTests {
  /// The differences that a copy makes, a line each as `table,difference,column,left,right`.
  static let cases: [(name: String, statements: [String], there: [String], back: [String])] = [
    (
      "Chinook", CopiedShapes.chinook, ["Employee,column,HireDate,real,text"],
      [
        "Album,column,Title,text not null (NVARCHAR(160)),text not null (TEXT)", "Album,check,,,length(Title) <= 160",
        "Album,definition,,,strict", "Artist,column,Name,text (NVARCHAR(120)),text (TEXT)",
        "Artist,check,,,length(Name) <= 120", "Artist,definition,,,strict",
        "Employee,column,LastName,text not null (NVARCHAR(20)),text not null (TEXT)",
        "Employee,column,HireDate,real,text", "Employee,check,,,length(LastName) <= 20",
        "Employee,definition,,,strict", "PlaylistTrack,definition,,,strict",
      ]
    ),
    (
      "Northwind", CopiedShapes.northwind,
      [
        "Customers,column,CustomerID,text,text not null", "Employees,column,BirthDate,real,text",
        "Order Subtotals,table,,2 columns,", "Orders,column,OrderDate,real,text",
      ],
      [
        "Categories,column,Picture,any,blob", "Categories,definition,,autoincrement,strict",
        "Customers,column,CustomerID,text,text not null", "Customers,definition,,,strict",
        "Employees,column,BirthDate,real,text", "Employees,definition,,autoincrement,strict",
        "Order Details,definition,,,strict", "Order Subtotals,table,,2 columns,", "Orders,column,OrderDate,real,text",
        "Orders,column,Freight,real (NUMERIC) default 0,real (REAL) default 0",
        "Orders,definition,,autoincrement,strict", "Products,definition,,autoincrement,strict",
      ]
    ),
    (
      "Sakila", CopiedShapes.sakila,
      [
        "film,column,last_update,real not null,text not null", "film,trigger,,film_trigger_ai,",
        "staff,column,email,text (50) collate nocase,text (50)",
      ],
      [
        "film,column,title,text not null (VARCHAR(255)),text not null (TEXT)",
        "film,column,release_year,text (VARCHAR(4)) default NULL,text (TEXT)",
        "film,column,rental_rate,real not null (DECIMAL(4,2)) default 4.99,real not null (NUMERIC(4,2)) default 4.99",
        "film,column,rating,text (VARCHAR(10)) default 'G',text (TEXT) default 'G'",
        "film,column,last_update,real not null,text not null", "film,check,,,length(title) <= 255",
        "film,check,,,length(release_year) <= 4", "film,check,,,length(rating) <= 10", "film,trigger,,film_trigger_ai,",
        "staff,column,email,text (VARCHAR(50)) collate NOCASE,text (TEXT)", "staff,check,,,length(email) <= 50",
        "staff,definition,,,strict", "store,column,open,real not null,integer not null", "store,check,,,open IN (0, 1)",
        "store,definition,,,strict",
      ]
    ),
  ]

  @Test("from a file there and back, and a comparison tells what became different", arguments: cases)
  func files(_ file: (name: String, statements: [String], there: [String], back: [String])) async throws {
    let workshop = try Workshop()
    for statement in file.statements { try workshop.execute("a.sqlite", statement) }
    try await TestSchema.with { schema in
      let there = try await workshop.run(["copy", "a.sqlite", schema.uri])
      #expect(there.status == 0, "\(there)")
      #expect(try await Self.differences("a.sqlite", schema.uri, in: workshop) == file.there)
      let back = try await workshop.run(["copy", schema.uri, "b.sqlite"])
      #expect(back.status == 0, "\(back)")
      #expect(try await Self.differences(schema.uri, "b.sqlite", in: workshop) == [])
      #expect(try await Self.differences("a.sqlite", "b.sqlite", in: workshop) == file.back)
    }
    // What came back goes there again unchanged.
    try await TestSchema.with { schema in
      let again = try await workshop.run(["copy", "b.sqlite", schema.uri])
      #expect(again.status == 0, "\(again)")
      #expect(try await Self.differences("b.sqlite", schema.uri, in: workshop) == [])
    }
  }

  @Test("from a server to a file: each row once, enumerations and domains as checks")
  func pagila() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      for statement in CopiedShapes.pagila { try await schema.execute(statement) }
      let there = try await workshop.run(["copy", schema.uri, "p.sqlite"])
      #expect(
        there.messages == """
          note: skipped the table old_payment_2007, whose rows are in old_payment
          note: skipped the table old_payment_2008, whose rows are in old_payment without note; name the table to copy it
          note: skipped the partition payment_1, whose rows are in payment
          note: skipped the partition payment_2, whose rows are in payment
          note: customer: skipped the default nextval('customer_customer_id_seq'::regclass) of customer_id
          note: customer: create_date (date) becomes text
          note: language: skipped the trigger last_updated
          note: language: name (character(20)), last_update (timestamp without time zone) become text
          note: film: skipped the expression that computes rate_per_day, the index film_fulltext_idx
          note: film: release_year (year) becomes integer
          note: film: rating (mpaa_rating), special_features (text[]), fulltext (tsvector) become text
          note: payment: payment_date (timestamp with time zone) becomes text
          note: staff: active (boolean) becomes integer
          note: staff: token (uuid), checked (timestamp with time zone) become text
          note: staff: big becomes text, to keep its digits
          note: staff: unique (token) allows several nulls
          copied customer with 3 rows
          copied language with 2 rows
          copied film with 2 rows
          copied old_payment with 3 rows
          copied payment with 3 rows
          copied staff with 2 rows
          copied store with 2 rows

          """)
      #expect(
        try await Self.differences(schema.uri, "p.sqlite", in: workshop) == [
          "customer,column,customer_id,integer not null default nextval('customer_customer_id_seq'::regclass),integer not null",
          "film,column,rate_per_day,real (6,2) computed,real (6,2)", "film,index,,(fulltext),",
          "language,trigger,,last_updated,", "staff,column,big,text (30,10),text",
          "staff,index,,unique (token) nulls not distinct,", "staff,index,,,unique (token)",
        ])
      for (column, value) in [("rating", "X"), ("release_year", "1900")] {
        let refused = try await workshop.run(["set", "p.sqlite", "film", "film_id = 1", "\(column)=\(value)", "--yes"])
        #expect(refused.status == 1, "\(refused)")
      }
    }
    try await TestSchema.with { schema in
      let back = try await workshop.run(["copy", "p.sqlite", schema.uri])
      #expect(back.status == 0 && !back.messages.contains("note:"), "\(back)")
      #expect(try await Self.differences("p.sqlite", schema.uri, in: workshop) == [])
    }
  }

  @Test("and between servers, with their types, partitions and values")
  func servers() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      for statement in CopiedShapes.pagila { try await schema.execute(statement) }
      try await TestSchema.with { other in
        let outcome = try await workshop.run(["copy", schema.uri, other.uri])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.messages.contains("note: language: skipped the trigger last_updated: "), "\(outcome)")
        #expect(outcome.messages.contains("copied old_payment with 1 row\n"), "\(outcome)")
        #expect(try await Self.differences(schema.uri, other.uri, in: workshop) == ["language,trigger,,last_updated,"])
        for table in ["film", "staff", "payment", "payment_2", "old_payment"] {
          let rows = try await workshop.run(["export", schema.uri, table, "-", "--format", "csv"])
          #expect(!rows.output.isEmpty)
          #expect(try await workshop.run(["export", other.uri, table, "-", "--format", "csv"]).output == rows.output)
        }
        let insert = ["insert", other.uri, "language", "name=French", "--yes"]
        #expect(try await workshop.run(insert).messages.contains("inserted"))
        #expect(try await workshop.run(["count", other.uri, "language", "language_id = 3"]).output == "1\n")
      }
    }
  }

  @Test("and between servers, also with types and settings that only these have")
  func serverTypes() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(
        #"CREATE TYPE "Mo od" AS ENUM ('a''b', 'c"d', E'e\\f')"#,
        #"CREATE DOMAIN small AS "Mo od" DEFAULT 'a''b' NOT NULL CHECK (VALUE <> 'c"d')"#,
        #"""
        CREATE TABLE "T ""x" ("I d" int GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5) PRIMARY KEY, \#
        es "Mo od"[], s small, r int4range, c char(3), v varchar(3)[], ts timestamptz, iv interval, j jsonb, b bit(3), \#
        pt point, f float4, d float8, n numeric)
        """#,
        #"""
        INSERT INTO "T ""x" (es, s, r, c, v, ts, iv, j, b, pt, f, d, n) VALUES (array['c"d', E'e\\f']::"Mo od"[], 'a''b', \#
        '[1,5)', 'x', '{a,"b,c",NULL}', '0044-03-15 BC', '1 year -3 days 04:05:06.7', '{"a": [1]}', B'101', '(1,2)', 1.1, \#
        'NaN', 123456789012345678901234567890.5)
        """#,
        #"INSERT INTO "T ""x" DEFAULT VALUES"#, "CREATE TABLE none ()",
        #"CREATE UNLOGGED TABLE u (k int REFERENCES "T ""x" DEFERRABLE, UNIQUE (k) INCLUDE (k))"#,
        "CREATE TABLE part (a int, b text, PRIMARY KEY (a, b)) PARTITION BY LIST (b)",
        "CREATE TABLE part_x PARTITION OF part FOR VALUES IN ('x') PARTITION BY RANGE (a)",
        "CREATE TABLE part_y PARTITION OF part_x FOR VALUES FROM (1) TO (10)",
        "CREATE TABLE part_d PARTITION OF part DEFAULT", "INSERT INTO part VALUES (1, 'x'), (5, 'z')",
        "CREATE INDEX here ON part_d (a DESC) WHERE a > 3")
      try await TestSchema.with { other in
        let outcome = try await workshop.run(["copy", schema.uri, other.uri])
        #expect(
          outcome.messages == """
            note: skipped the table none, which has no columns
            copied T "x with 2 rows
            copied part with 2 rows
            copied u with 0 rows

            """)
        try await schema.execute("DROP TABLE none")
        #expect(try await Self.differences(schema.uri, other.uri, in: workshop) == [])
        let texts = #"SELECT string_agg(t::text, ';' ORDER BY "I d") FROM "T ""x" t"#
        let rows = try await schema.store.sql.query(SQLStatement(verbatim: texts), as: String.self)
        #expect(try await other.store.sql.query(SQLStatement(verbatim: texts), as: String.self) == rows)
        try await other.execute(#"INSERT INTO "T ""x" DEFAULT VALUES"#)
        let last = try await other.store.sql.query(#"SELECT max("I d")::text FROM "T ""x""#, as: String.self)
        #expect(last == ["20"])
        let kind = try await other.store.sql.query(
          "SELECT relpersistence::text FROM pg_class WHERE oid = 'u'::regclass", as: String.self)
        #expect(kind == ["u"])
      }
    }
  }

  /// The lines of a comparison without the keys of rows, and without quotes of names.
  static func differences(_ left: String, _ right: String, in workshop: Workshop) async throws -> [String] {
    let outcome = try await workshop.run(["diff", left, right, "--format", "tsv"])
    #expect(outcome.messages.isEmpty == outcome.output.isEmpty)
    return outcome.output.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { $0 == "\\N" ? "" : $0 }
      return (fields.prefix(2) + fields.dropFirst(3)).joined(separator: ",").replacing("\"", with: "")
    }
  }
}
