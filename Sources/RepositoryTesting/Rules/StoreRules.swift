import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a store does beyond the repositories that it opens.
enum StoreRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("two repositories of one table share its rows") { context in
      let one: AnyRepository<Place> = try context.subject.repository()
      try await one.save(Place(name: "Bonn", country: nil))
      let other: AnyRepository<Place> = try context.subject.repository()
      await context.expect("whether another repository of the table finds it", true) {
        try await other.find("Bonn") != nil
      }
      try await other.delete("Bonn")
      await context.expect("count after deleting in the other repository", 0) { try await one.count() }
    },
    ConformanceRule("the tables of a store are kept apart") { context in
      let places: AnyRepository<Place> = try context.subject.repository()
      let loans: AnyRepository<Loan> = try context.subject.repository()
      try await places.save(Place(name: "Bonn", country: nil))
      await context.expect("count another table", 0) { try await loans.count() }
    },
    ConformanceRule("a schema that contradicts itself is refused") { context in
      let unkeyed = Schema("place", Place.init, Column("name", \.name), Column("country", \.country))
      await context.expect("open a table without a key", throws: .invalidSchema) {
        try context.subject.repository(unkeyed)
      }
      let ambiguous = Schema("place", Place.init, Column("name", \.name, .primaryKey), Column("name", \.country))
      await context.expect("open a table with two columns of one name", throws: .invalidSchema, naming: "place") {
        try context.subject.repository(ambiguous)
      }
    },
    ConformanceRule("a table is not opened with a schema that differs") { context in
      let places: AnyRepository<Place> = try context.subject.repository()
      try await places.save(Place(name: "Bonn", country: nil))
      let different = [
        try TableSchema("place", columns: [.init("name", .text), .init("country", .integer)], primaryKey: ["name"]),
        try TableSchema("place", columns: [.init("name", .text), .init("country", .text)], primaryKey: ["country"]),
        try TableSchema("place", columns: [.init("name", .text), .init("land", .text)], primaryKey: ["name"]),
      ]
      for table in different {
        await context.expect("open place with another schema", throws: .schemaMismatch, naming: "place") {
          try context.subject.repository(Schema(table))
        }
      }
      await context.expect("count afterwards", 1) { try await places.count() }
    },
    ConformanceRule("values are kept as the contract says, whatever their Swift types") { context in
      let specimens: AnyRepository<Specimen> = try context.subject.repository()
      let code = UUID(uuid: (0xAB, 0xCD, 0xEF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF))
      try await specimens.save(
        Specimen(
          id: 1, age: nil, mass: 2, length: .infinity, name: "a\0", finder: nil, sample: [7], scan: nil,
          isExtinct: true,
          found: Date(timeIntervalSince1970: 1_795_216_260.5), code: code, label: "", kingdom: .fungus,
          remarks: ["a", "é"]))
      let records = try context.subject.repository(Schema(try Specimen.schema.table()))
      let kept: [(String, Value)] = [
        ("id", 1), ("age", .null), ("mass", 2.0), ("length", .real(.infinity)), ("name", "a\0"), ("finder", .null),
        ("sample", .blob([7])), ("scan", .null), ("extinct", 1), ("found", "2026-11-20T23:11:00.500000000Z"),
        ("code", "abcdef00-0000-0000-0000-0000000000ff"), ("label", ""), ("kingdom", "fungus"),
        ("remarks", "[\"a\",\"é\"]"),
      ]
      let record = try await records.find([1])
      for (key, value) in kept {
        await context.expect("what is kept as \(key)", value) { record?[key] ?? "no such key" }
      }
    },
    ConformanceRule("values of all kinds have one order: null, numbers, texts, blobs") { context in
      let mixed = try await mixed(in: context.subject)
      await context.expect("sorted by value", keys(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) {
        try await mixed.findAll(sortedBy: .ascending(key: "value")).map(\.id)
      }
      await context.expect("sorted by value desc", keys(10, 9, 8, 7, 6, 5, 4, 3, 2, 1)) {
        try await mixed.findAll(sortedBy: .descending(key: "value")).map(\.id)
      }
      await context.expect("where value < 'a'", keys(2, 3, 4, 5, 6, 7)) {
        try await mixed.findAll(where: .lessThan(key: "value", value: "a")).map(\.id)
      }
      await context.expect("where value >= 10", keys(5, 6, 7, 8, 9, 10)) {
        try await mixed.findAll(where: .greaterThanOrEqual(key: "value", value: 10)).map(\.id)
      }
    },
    ConformanceRule("a number equals no text and no blob, however it is written") { context in
      let mixed = try await mixed(in: context.subject)
      let cases: [(AnyQuery, [RecordKey])] = [
        (.equal(key: "value", value: 10), keys(5)), (.equal(key: "value", value: 10.0), keys(5)),
        (.equal(key: "value", value: "10"), keys(7)), (.equal(key: "value", value: Array("10".utf8)), []),
        (.in(key: "value", values: [.integer(10), .text("a"), .null] as [Value]), keys(1, 5, 8)),
        (.between(key: "value", lhs: 2, rhs: "10"), keys(4, 5, 6, 7)), (.hasPrefix(key: "value", value: "1"), keys(7)),
        (!.contains(key: "value", value: ""), keys(1, 2, 3, 4, 5, 9, 10)),
        (.equal(key: "value", otherKey: "number"), keys(5)), (.equal(key: "text", otherKey: "value"), keys(7)),
        (.lessThan(key: "value", otherKey: "number"), keys(2, 3, 4)),
        (.greaterThan(key: "value", otherKey: "text"), keys(8, 9, 10)),
        (.between(key: "value", lower: .key("number"), upper: .key("text")), keys(5, 6, 7)),
      ]
      for (query, ids) in cases {
        await context.expect("where \(query)", ids) { try await mixed.findAll(where: query).map(\.id) }
      }
    },
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
          return try await repository.findAll(where: query, sortedBy: .descending(key: name)).map(\.id)
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
    ConformanceRule("a number is kept in the type of its column, and refused where it would change") { context in
      let table = try TableSchema("number", columns: [.init("id", .integer), .init("real", .real)], primaryKey: ["id"])
      let numbers = try context.subject.repository(Schema(table))
      try await numbers.save(Record(["id": 5.0, "real": 5], for: table))
      await context.expect("what is kept", "5, 5.0") {
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
    ConformanceRule("rows of a table without a key are added and found, and can't be told apart") { context in
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

  /// A table with a column for values of any kind, and in it ten rows in the order of their values. Each has the number
  /// 10 and the text '10' beside it.
  private static func mixed(in store: any Store) async throws -> AnyRepository<Record> {
    let table = try TableSchema(
      "mixed",
      columns: [
        .init("id", .integer), .init("value", .any, isNullable: true), .init("number", .integer), .init("text", .text),
      ], primaryKey: ["id"])
    let values: [Value] = [.null, -1, 0.5, 2, 10, "", "10", "a", .blob([]), .blob([0])]
    let records = try values.enumerated().map { index, value in
      try Record(["id": .integer(Int64(index + 1)), "value": value, "number": 10, "text": "10"], for: table)
    }
    let repository = try store.repository(Schema(table))
    try await repository.save(records)
    return repository
  }

  private static func keys(_ numbers: Int64...) -> [RecordKey] {
    numbers.map { RecordKey(values: [.integer($0)]) }
  }
}
