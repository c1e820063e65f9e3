import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of a store beyond the repositories that it opens.
enum StoreRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("two repositories of one table share its rows") { context in
      let one = try context.subject.repository(of: Station.self)
      try await one.save(Station(name: "Bonn", country: nil))
      let other = try context.subject.repository(of: Station.self)
      await context.expect("whether another repository of the table finds it", true) {
        try await other.find("Bonn") != nil
      }
      try await other.delete("Bonn")
      await context.expect("count after deleting in the other repository", 0) { try await one.count() }
    },
    ConformanceRule("the tables of a store are separate") { context in
      let stations = try context.subject.repository(of: Station.self)
      let loans = try context.subject.repository(of: Loan.self)
      try await stations.save(Station(name: "Bonn", country: nil))
      await context.expect("count another table", 0) { try await loans.count() }
    },
    ConformanceRule("a schema that contradicts itself is refused") { context in
      let unkeyed = Schema("station", Station.init, Column("name", \.name), Column("country", \.country))
      await context.expect("open a table without a key", throws: .invalidSchema) {
        try context.subject.repository(unkeyed)
      }
      let ambiguous = Schema("station", Station.init, Column("name", \.name, .primaryKey), Column("name", \.country))
      await context.expect("open a table with two columns of one name", throws: .invalidSchema, naming: "station") {
        try context.subject.repository(ambiguous)
      }
    },
    ConformanceRule("a table is not opened with a schema that differs") { context in
      let stations = try context.subject.repository(of: Station.self)
      try await stations.save(Station(name: "Bonn", country: nil))
      let different = [
        try TableSchema("station", columns: [.init("name", .text), .init("country", .integer)], primaryKey: ["name"]),
        try TableSchema("station", columns: [.init("name", .text), .init("country", .text)], primaryKey: ["country"]),
        try TableSchema("station", columns: [.init("name", .text), .init("land", .text)], primaryKey: ["name"]),
      ]
      for table in different {
        await context.expect("open station with another schema", throws: .schemaMismatch, naming: "station") {
          try context.subject.repository(Schema(table))
        }
      }
      await context.expect("count afterwards", 1) { try await stations.count() }
    },
    ConformanceRule("a schema that differs is refused before the tables to which it refers are created") { context in
      let plain = [ColumnSchema("id", .integer)]
      _ = try context.subject.repository(Schema(TableSchema("tour", columns: plain, primaryKey: ["id"])))
      await context.expect("open a table that differs", throws: .schemaMismatch, naming: "tour") {
        try context.subject.repository(of: Tour.self)
      }
      // A table visitor of another form would be in the way.
      let visitors = try context.subject.repository(Schema(TableSchema("visitor", columns: plain, primaryKey: ["id"])))
      await context.expect("count a table to which the refused one refers", 0) { try await visitors.count() }
    },
    ConformanceRule("values are stored as the contract defines, for all Swift types") { context in
      let specimens = try context.subject.repository(of: Specimen.self)
      let code = UUID(uuid: (0xAB, 0xCD, 0xEF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF))
      try await specimens.save(
        Specimen(
          id: 1, age: nil, mass: 2, length: .infinity, name: "a\u{1}", finder: nil, sample: [7], scan: nil,
          isExtinct: true,
          found: Date(timeIntervalSince1970: 1_795_216_260.5), code: code, label: "", kingdom: .fungus,
          remarks: ["a", "é"]))
      let records = try context.subject.repository(Schema(try Specimen.schema.table()))
      let kept: [(String, Value)] = [
        ("id", 1), ("age", .null), ("mass", 2.0), ("length", .real(.infinity)), ("name", "a\u{1}"), ("finder", .null),
        ("sample", .blob([7])), ("scan", .null), ("extinct", 1), ("found", "2026-11-20T23:11:00.500000000Z"),
        ("code", "abcdef00-0000-0000-0000-0000000000ff"), ("label", ""), ("kingdom", "fungus"),
        ("remarks", "[\"a\",\"é\"]"),
      ]
      let record = try await records.find([1])
      for (key, value) in kept {
        await context.expect("the stored value of \(key)", value) { record?[key] ?? "no such key" }
      }
    },
    values(
      "values of all kinds have one order: null, numbers, texts, blobs",
      [
        (
          kinds,
          [
            "true | value → 1 2 3 4 5 6 7 8 9 10", "true | value desc → 10 9 8 7 6 5 4 3 2 1",
            "value < 'a' → 2 3 4 5 6 7", "value >= 10 → 5 6 7 8 9 10",
          ]
        )
      ]),
    values(
      "a number never equals text or a blob",
      [
        (
          kinds,
          [
            "value = 10 → 5", "value = 10.0 → 5", "value = '10' → 7", "value = x'3130' →",
            "value in (10, 'a', null) → 1 5 8", "value between 2 and '10' → 4 5 6 7", "value starts with '1' → 7",
            "not value contains '' → 1 2 3 4 5 9 10", "value = number → 5", "text = value → 7",
            "value < number → 2 3 4", "value > text → 8 9 10", "value between number and text → 5 6 7",
          ]
        )
      ]),
    values(
      "the least and the greatest of mixed values are those of the total order",
      [
        (
          [.null, "a", 2, .blob([]), 0.5],
          [
            "count(value), min(value), max(value) → 4 0.5 x''",
            "count(value), min(value), max(value) of id < 4 → 2 2 'a'",
          ]
        )
      ]),
    values(
      "only the numbers of mixed values are added, and one real makes the sum a real",
      [
        (
          [.null, "7", .blob([1]), 1, 2, 0.5],
          [
            "sum(value), average(value) → 3.5 1.1666666666666667", "sum(value), average(value) of id < 6 → 3 1.5",
            "sum(value), average(value) of id < 4 → 0 null",
          ]
        )
      ]),
    values(
      "integers and reals are added exactly together",
      [
        (
          [.integer(.max), .integer(.max), -0.5, -9_223_372_036_854_775_808.0],
          ["sum(value) → \(Value.real(0x1p63))", "sum(value) of id != 1 → -1.5"]
        )
      ]),
    values(
      "an equal integer and real are one group, whose key is the integer",
      [
        ([1.0, 1, 2.0, "1"], equalNumbers), (["1", 2.0, 1, 1.0], equalNumbers),
      ]),
    values(
      "an integer and a real that are not quite equal are two groups",
      [
        (
          [9_007_199_254_740_993, 9_007_199_254_740_992.0, 9_007_199_254_740_992],
          ["count | by value → 9007199254740992 2 → 9007199254740993 1"]
        )
      ]),
    ConformanceRule("tables and columns may have any names") { context in
      let names = [
        "order", "a b", "\"quoted\"", "it's", "é", "[x]", "`y`", "?", "--", "1", "select \"a\" from b; drop",
      ]
      for name in names {
        let table = try TableSchema(
          name, columns: [.init("id", .integer)] + names.map { .init($0, .text, isNullable: true) }, primaryKey: ["id"])
        let repository = try context.subject.repository(Schema(table))
        try await repository.save([Record(["id": 1, "\(name)": "x"], for: table), Record(["id": 2], for: table)])
        await context.expect("find by \(name) in a table of this name", keys(1)) {
          let query = AnyQuery.equal(key: name, value: "x") && .notEqual(key: name, value: "y")
          return try await repository.findAll(FetchRequest(query, sortedBy: .descending(key: name))).map(\.id)
        }
      }
    },
    ConformanceRule("a table whose columns are all of its key keeps each row once") { context in
      let table = try TableSchema("pair", columns: [.init("a", .integer), .init("b", .text)], primaryKey: ["b", "a"])
      let pairs = try context.subject.repository(Schema(table))
      try await pairs.save([Record(["a": 1, "b": "x"], for: table), Record(["a": 2, "b": "x"], for: table)])
      try await pairs.save(Record(["a": 2, "b": "x"], for: table))
      await context.expect("the keys of all rows", [["x", 1], ["x", 2]]) { try await pairs.findAll().map(\.id) }
      await context.expect("delete x 2, y 1", 1) { try await pairs.delete([["x", 2], ["y", 1]]) }
    },
    ConformanceRule("a number is stored in the type of its column, and refused if it would change") { context in
      let table = try TableSchema("number", columns: [.init("id", .integer), .init("real", .real)], primaryKey: ["id"])
      let numbers = try context.subject.repository(Schema(table))
      try await numbers.save(Record(["id": 5.0, "real": 5], for: table))
      await context.expect("the stored numbers", "5, 5.0") {
        try await numbers.find([5.0])?.values.map(\.description).joined(separator: ", ")
      }
      let refused: [KeyValuePairs<String, Value>] = [
        ["id": 1.5, "real": 0], ["id": .real(0x1p63), "real": 0], ["id": 1, "real": 9_007_199_254_740_993],
        ["id": 1, "real": "0"], ["id": 1, "real": .null], ["id": 1, "real": .real(.nan)],
      ]
      for fields in refused {
        await context.expect("save \(fields)", throws: .invalidValue) {
          try await numbers.save(Record(fields, for: table))
        }
      }
      await context.expect("count", 1) { try await numbers.count() }
    },
    ConformanceRule("rows of a table without a key are added and found, but not identified") { context in
      let table = try TableSchema("log", columns: [.init("b", .text), .init("a", .integer)], primaryKey: [])
      let log = try context.subject.repository(Schema(table))
      let lines: [(String, Int64)] = [("y", 1), ("x", 2), ("x", 1), ("x", 2)]
      try await log.save(lines.map { try Record(["b": .text($0.0), "a": .integer($0.1)], for: table) })
      await context.expect("all rows, sorted by all columns", [["x", 1], ["x", 2], ["x", 2], ["y", 1]]) {
        try await log.findAll().map(\.values)
      }
      await context.expect("count where b = 'x'", 3) { try await log.count(.equal(key: "b", value: "x")) }
      await context.expect("find a row", throws: .unsupported) { try await log.find(["x", 1]) }
      await context.expect("delete a row", throws: .unsupported) { try await log.delete([["x", 1]]) }
    },
  ]

  /// Ten values of all kinds, in their order.
  private static let kinds: [Value] = [.null, -1, 0.5, 2, 10, "", "10", "a", .blob([]), .blob([0])]

  private static let equalNumbers: [RequestRow] = [
    "count | by value → 1 2 → 2.0 1 → '1' 1", "min(value), max(value) of value < 2 → 1 1",
  ]

  /// Makes a rule about a table that is described at run time and has a column for values of any kind: requests with their
  /// answers for each list of values, whose ids are counted from 1. Each row also has the number 10 and the text '10'.
  private static func values(_ name: String, _ cases: [([Value], [RequestRow])]) -> ConformanceRule<any Store> {
    ConformanceRule(name, needs: [.mixedColumns]) { context in
      let table = try TableSchema(
        "mixed",
        columns: [
          .init("id", .integer), .init("value", .any, isNullable: true), .init("number", .integer),
          .init("text", .text),
        ], primaryKey: ["id"])
      let repository = try context.subject.repository(Schema(table))
      for (values, rows) in cases {
        for record in try await repository.findAll() { try await repository.delete(record.id) }
        try await repository.save(
          values.enumerated().map { index, value in
            try Record(["id": .integer(Int64(index + 1)), "value": value, "number": 10, "text": "10"], for: table)
          })
        try await context.check(repository) { context in
          for row in rows {
            try await row.check(context, count: values.count) { word in Int64(word).map { [.integer($0)] } }
          }
        }
      }
    }
  }

  private static func keys(_ numbers: Int64...) -> [RecordKey] {
    numbers.map { RecordKey(values: [.integer($0)]) }
  }
}
