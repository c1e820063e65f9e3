import Testing

@Suite("CSV as other programs write it")
struct ImportDelimitedTests {
  @Test(
    "is imported as it is, and what was assumed is told",
    arguments: [
      (
        "id;price\n1;1,5\n2;1.234,5\n3;-7\n4;1.234\n", ["--decimal-comma"],
        "note: standard input is delimited by semicolons\n"
          + "imported 4 rows into t (new table: id integer, price real)\n",
        "id\tprice\n1\t1.5\n2\t1234.5\n3\t-7.0\n4\t1234.0\n"
      ),
      (
        "1|.5| 7\n2|-.25|8 \n", ["--no-header"],
        "note: standard input is delimited by vertical bars\n"
          + "imported 2 rows into t (new table: column1 integer, column2 real, column3 integer)\n",
        "column1\tcolumn2\tcolumn3\n1\t0.5\t7\n2\t-0.25\t8\n"
      ),
      (
        "Sales\n# by Ann\nid,note\n1\n2,x,,\n", ["--skip-lines", "1", "--comment", "#", "--pad"],
        "imported 2 rows into t (new table: id integer, note text)\n", "id\tnote\n1\t\\N\n2\tx\n"
      ),
      (
        "id,amount\n1,5\n2,n/a\n3,+7\n", [],
        "note: amount is text because of n/a; --null n/a reads n/a as null\n"
          + "imported 3 rows into t (new table: id integer, amount text)\n",
        "id\tamount\n1\t5\n2\tn/a\n3\t+7\n"
      ),
      (
        "id,n\n1,5\n2,12345678901234567890\n", [],
        "note: n is text, because \"12345678901234567890\" in line 3 of standard input exceeds 64 bits\n"
          + "imported 2 rows into t (new table: id integer, n text)\n",
        "id\tn\n1\t5\n2\t12345678901234567890\n"
      ),
      (
        " a , b \n1,2\n", [],
        "note: names begin or end with blanks: \" a \", \" b \"; --trim removes blanks around names and fields\n"
          + "imported 1 row into t (new table:  a  integer,  b  integer)\n",
        " a \t b \n1\t2\n"
      ),
      (
        "id,n\n1,n/a\n2,2\n", [],
        "note: n is text because of n/a; --null n/a reads n/a as null\n"
          + "imported 2 rows into t (new table: id integer, n text)\n",
        "id\tn\n1\tn/a\n2\t2\n"
      ),
      (
        "id,amount\n1,+5\n", ["--types", "amount=integer"],
        "imported 1 row into t (new table: id integer, amount integer)\n", "id\tamount\n1\t5\n"
      ),
      (
        "a;b\n1\n", ["--delimiter", ","], "imported 1 row into t (new table: a;b integer)\n", "a;b\n1\n"
      ),
      (
        "id;host;sum\n1;192.168.100.200;1.234.567\n2;10.20.100.200;-1\n", ["--decimal-comma"],
        "note: standard input is delimited by semicolons\n"
          + "imported 2 rows into t (new table: id integer, host text, sum integer)\n",
        "id\thost\tsum\n1\t192.168.100.200\t1234567\n2\t10.20.100.200\t-1\n"
      ),
      (
        "id,note\n1,'it''s, \"so\"'\n", ["--quote", "'"],
        "imported 1 row into t (new table: id integer, note text)\n", "id\tnote\n1\tit's, \"so\"\n"
      ),
      (
        "id|note\n1|\"x\n2|5\" disk\n3|\n", ["--quote", "none"],
        "note: standard input is delimited by vertical bars\n"
          + "imported 3 rows into t (new table: id integer, note text)\n",
        "id\tnote\n1\t\"x\n2\t5\" disk\n3\t\\N\n"
      ),
      (
        "id,,id\n1,2,3\n", ["--rename-columns"],
        "imported 1 row into t (new table: id integer, column2 integer, id_2 integer)\n",
        "id\tcolumn2\tid_2\n1\t2\t3\n"
      ),
    ] as [(String, [String], String, String)])
  func imports(csv: String, options: [String], messages: String, rows: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-"] + options, input: csv)
    #expect(outcome.status == 0)
    #expect(outcome.messages == messages)
    #expect(try await workshop.run(["query", "t.sqlite", "t", "--format", "tsv"]).output == rows)
  }

  @Test(
    "is refused where it could be read in two ways, with the option that decides",
    arguments: [
      ("a;b\n1\n2;3;4\n", [], 2, "the delimiter is unclear", "--delimiter sets the delimiter"),
      ("a,b\n1\n", [], 1, "line 2, column 2: the record has 1 field, the header has 2", "--pad accepts short records"),
      ("a,b\n1,2,3\n", ["--pad"], 1, "line 2, column 5: the record has 3 fields", "--pad accepts short records"),
      ("a,a\n1,2\n", [], 1, "the header has two columns with the name \"a\"", "--rename-columns renames"),
      (
        "[]", ["--from", "json", "--no-header"], 2,
        "the options do not apply to standard input: repokit reads the file as json", "--from csv"
      ),
      ("a\n", ["--delimiter", ";;"], 2, "--delimiter: \";;\" is not a delimiter", "write tab, or one ASCII character"),
      ("a,b\n1,5\" disk\n", [], 1, "a field without quotes contains a quote", "--quote none reads quotes"),
      ("a\n", ["--quote", "''"], 2, "--quote: \"''\" is not a quote character", "write none"),
      ("a\n", ["--delimiter", ";", "--quote", ";"], 2, "--quote: \";\" is not a quote character", "write none"),
      ("a\n", ["--comment", "//"], 2, "--comment: \"//\" is not a comment character", "such as #"),
      ("a\n", ["--skip-lines", "-1"], 2, "--skip-lines", "negative"),
    ] as [(String, [String], Int32, String, String)])
  func refuses(csv: String, options: [String], status: Int32, problem: String, advice: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-"] + options, input: csv)
    #expect(outcome.status == status)
    #expect(outcome.messages.contains(problem), "\(outcome.messages)")
    #expect(outcome.messages.contains(advice), "\(outcome.messages)")
    #expect(try workshop.files() == [])
  }

  @Test(
    "in another encoding than UTF-8 gets the name of the encoding that spells its words",
    arguments: [
      (#"Data;Tytu\263 operacji\n1;Wp\263ata w\263asna\n"#, "windows-1250"),
      (#"Saldo pocz\271tkowe;x\n1;2\n"#, "windows-1250"),
      (#"a;b\n1;12 m\263 caf\351\n"#, "windows-1252"), (#"a;b\n1;\277Qu\351?\n"#, "windows-1252"),
    ])
  func likelyEncoding(text: String, encoding: String) async throws {
    let outcome = try await Workshop().shell("printf '\(text)' | $repokit import t.sqlite t - 2>&1")
    #expect(outcome.output.contains("--encoding \(encoding)"), "\(outcome.output)")
  }

  @Test("is unpacked, and read in its encoding")
  func encodings() async throws {
    let workshop = try Workshop()
    let script = """
      printf 'id;name\\n1;Pok\\351mon\\n' > latin.csv
      printf 'id,name\\n1,\\203|\\203P\\n' > shift.csv
      printf '\\377\\376i\\0d\\0,\\0a\\0\\n\\0001\\0,\\0\\351\\0\\n\\0' > utf16.csv
      printf 'id,name\\n1,x\\n' | gzip > packed.csv.gz
      head -c 20 packed.csv.gz > cut.csv.gz
      $repokit import t.sqlite latin latin.csv --encoding windows-1252 2>&1
      $repokit import t.sqlite shift shift.csv --encoding shift_jis 2>&1
      $repokit import t.sqlite utf16 utf16.csv 2>&1
      $repokit import t.sqlite piped - < utf16.csv 2>&1
      cat utf16.csv | $repokit import t.sqlite stream - 2>&1
      $repokit import t.sqlite packed packed.csv.gz 2>&1
      for table in latin shift utf16 piped stream packed; do $repokit query t.sqlite $table --format csv; done
      """
    let outcome = try await workshop.shell(script)
    #expect(
      outcome.output == """
        note: latin.csv is delimited by semicolons
        imported 1 row into latin (new table: id integer, name text)
        imported 1 row into shift (new table: id integer, name text)
        imported 1 row into utf16 (new table: id integer, a text)
        imported 1 row into piped (new table: id integer, a text)
        imported 1 row into stream (new table: id integer, a text)
        imported 1 row into packed (new table: id integer, name text)
        id,name
        1,Pokémon
        id,name
        1,ポケ
        id,a
        1,é
        id,a
        1,é
        id,a
        1,é
        id,name
        1,x

        """)
    for (arguments, message) in [
      (["latin.csv"], "error: latin.csv, line 2, column 6: the byte 0xe9 is not UTF-8"),
      (["latin.csv", "--encoding", "klingon"], "error: unknown encoding KLINGON"),
      (["shift.csv", "--encoding", "utf-16be"], "error: shift.csv is not in UTF-16BE"),
      (["cut.csv.gz"], "error: can't unpack cut.csv.gz"),
    ] {
      let refused = try await workshop.run(["import", "t.sqlite", "bad"] + arguments)
      #expect(refused.status != 0)
      #expect(refused.messages.contains(message), "\(refused.messages)")
    }
    #expect(try await workshop.run(["tables", "t.sqlite"]).output.contains("bad") == false)
  }

  @Test("is refused where its name says that it is packed, and it is not", arguments: ["bad.csv.gz", "bad.json.gz"])
  func unpacked(file: String) async throws {
    let workshop = try Workshop()
    for content in ["not gzip\n1\n", ""] {
      try workshop.write(content, to: file)
      let outcome = try await workshop.run(["import", "t.sqlite", "t", file])
      #expect(outcome.status == 1)
      #expect(
        outcome.messages.hasPrefix("error: \(file) is not compressed by gzip, although the name ends with .gz\n"),
        "\(outcome.messages)")
      #expect(try await workshop.run(["query", file]).messages.contains("is not compressed by gzip"))
      #expect(try workshop.files() == [file])
    }
    // What is passed on has no name.
    try workshop.write("id\n1\n", to: "a.csv.gz")
    let passed = try await workshop.shell("$repokit import t.sqlite t - < a.csv.gz")
    #expect(passed.status == 0, "\(passed.messages)")
  }

  /// A program in the place of gzip prints two rows, and ends in one way or another.
  @Test(
    "is read only if gzip ends well",
    arguments: [
      ("exit 0", nil), ("exit 2", nil), ("exit 1", "gzip reports a damaged file"),
      ("exit 3", "gzip exited with status 3"), ("kill -9 $$", "signal 9 killed gzip"),
      ("kill -13 $$", "signal 13 killed gzip"),
    ] as [(String, String?)])
  func endOfGzip(end: String, reason: String?) async throws {
    let workshop = try Workshop()
    let script = """
      mkdir bin && printf '%s\\n' '#!/bin/sh' 'echo id,name; echo 1,a; echo 2,b' '\(end)' > bin/gzip && chmod +x bin/gzip
      printf 'id,name\\n1,a\\n2,b\\n' | gzip > a.csv.gz
      PATH="$PWD/bin:$PATH" $repokit import t.sqlite t a.csv.gz
      """
    let outcome = try await workshop.shell(script)
    guard let reason else {
      #expect(outcome.status == 0 && outcome.messages.hasPrefix("imported 2 rows into t"), "\(outcome)")
      return
    }
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.messages.contains("error: can't unpack a.csv.gz\n  \(reason)\n"), "\(outcome)")
    #expect(try await workshop.run(["tables", "t.sqlite", "--names"]).output == "")
  }

  @Test("is refused for its own mistake where gzip is stopped by it")
  func mistakeInPackedFile() async throws {
    let workshop = try Workshop()
    let script = """
      { printf 'id,name\\n1,"a" b\\n'; yes 2,b | head -c 3000000; } | gzip > a.csv.gz
      $repokit import t.sqlite t a.csv.gz
      { printf '[{"id":1}]'; printf '%3000000s' ''; } | gzip > b.json.gz
      $repokit import t.sqlite t b.json.gz
      """
    let outcome = try await workshop.shell(script)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.messages.hasPrefix("error: a.csv.gz, line 2, column 6: text follows a closing quote\n"), "\(outcome)")
    #expect(outcome.messages.contains("imported 1 row into t"), "\(outcome)")
  }

  @Test(
    "is refused where a title stands above it, which would make one column of it",
    arguments: [
      ("Sales of May\nid;amount\n1;5\n2;7\n", 1, "2 fields, separated by semicolons"),
      ("Sales\n\nid\tamount\tunit\n1\t5\tm\n", 2, "3 fields, separated by tabs"),
      ("Sales\nid,amount\n1,5\n2,6\n", 1, "2 fields, separated by commas"),
      ("note\na; b\nc\nd; e; f\n", nil, ""), ("note\n\"a, b\"\n", nil, ""), ("note\na;b\n", nil, ""),
      ("note\nHello\nWorld\n", nil, ""),
    ] as [(String, Int?, String)])
  func title(text: String, lines: Int?, fields: String) async throws {
    let workshop = try Workshop()
    try workshop.write(text, to: "a.csv")
    let outcome = try await workshop.run(["import", "x.sqlite", "t", "a.csv"])
    guard let lines else {
      #expect(outcome.status == 0 && outcome.messages.contains("new table: note text"), "\(outcome)")
      return
    }
    #expect(
      outcome.messages.hasPrefix(
        "error: a.csv: from line \(lines + 1) on, the lines have \(fields); \(lines == 1 ? "line 1 differs" : "the lines above differ")\n  --skip-lines \(lines) skips \(lines == 1 ? "the line" : "the 2 lines") above, such as a title\n"
      )
        && outcome.status == 2, "\(outcome)")
    let below = try await workshop.run(["import", "x.sqlite", "t", "a.csv", "--skip-lines", "\(lines)"])
    #expect(below.status == 0 && below.messages.contains("new table: id integer, amount integer"), "\(below)")
    let delimiter = fields.hasSuffix("commas") ? ";" : ","
    #expect(try await workshop.run(["import", "x.sqlite", "one", "a.csv", "--delimiter", delimiter]).status == 0)
    let told = try await workshop.run(
      [
        "import", "x.sqlite", "two", "a.csv", "--delimiter",
        fields.hasSuffix("tabs") ? "tab" : fields.hasSuffix("commas") ? "," : ";",
      ])
    #expect(
      told.status == 1
        && told.messages.contains("\n  --skip-lines 1 skips a line above the header, such as a title\n"),
      "\(told)")
  }
}
