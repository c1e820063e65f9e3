import Query
import Repository

/// Rules of references between elements, and of the deletion of referenced elements.
enum ReferenceRules {
  static let all: [ConformanceRule<any Store>] = referring + deleting + opening

  private static let referring: [ConformanceRule<any Store>] = [
    ConformanceRule("an element that refers to none that exists is refused; nil refers to nothing") { context in
      let (visitors, tours) = try open(context.subject)
      try await visitors.insert(visitor(1))
      for write in [true, false] {
        await context.expect(
          write ? "insert" : "save", throws: .foreignKeyViolation,
          naming: "tour (text) of visitor refers to a row of tour that does not exist", withoutRevealing: "secret"
        ) {
          let stray = visitor(2, tour: "secret")
          if write { try await visitors.insert(stray) } else { try await visitors.save(stray) }
        }
      }
      await context.expect("update", throws: .foreignKeyViolation, naming: "friend (number) of visitor") {
        try await visitors.update(where: .true, set: [Assignment("friend", 7)])
      }
      try await tours.insert(Tour(name: "a", day: 1, hall: nil, guide: 1))
      try await visitors.insert(visitor(2, friend: 1, tour: "a"))
      try await visitors.filter { $0.id == 1 }.update { $0.friend = 2 }
      await context.expect("all", [visitor(1, friend: 2), visitor(2, friend: 1, tour: "a")]) {
        try await visitors.findAll()
      }
    },
    ConformanceRule("of several broken references, the error names the first declared reference") { context in
      let (visitors, _) = try open(context.subject)
      await context.expect("insert", throws: .foreignKeyViolation, naming: "friend (number)") {
        try await visitors.insert(visitor(1, friend: 9, tour: "z"))
      }
    },
    ConformanceRule("an element may refer to itself, and to those before it in a batch") { context in
      let (visitors, _) = try open(context.subject)
      try await visitors.insert([visitor(1, friend: 1), visitor(2, friend: 1), visitor(3, friend: 2)])
      await context.expect("insert one that refers to the next", throws: .foreignKeyViolation) {
        try await visitors.insert([visitor(4, friend: 5), visitor(5)])
      }
      await context.expect("count", 3) { try await visitors.count() }
    },
    ConformanceRule("keys of several columns are referred to as a whole") { context in
      let drawers = try context.subject.repository(of: Drawer.self)
      try await drawers.insert([
        Drawer(content: nil, cabinet: "a", number: 1), Drawer(content: nil, cabinet: "b", number: 2),
      ])
      let table = try TableSchema(
        "key",
        columns: [
          .init("id", .integer), .init("number", .integer, isNullable: true),
          .init("cabinet", .text, isNullable: true),
        ], primaryKey: ["id"],
        references: [
          ReferenceRule(["cabinet", "number"], to: "drawer", key: ["cabinet", "number"], onDelete: .setNull)
        ])
      let keys = try context.subject.repository(Schema(table))
      try await keys.insert([
        Record(["id": 1, "cabinet": "a", "number": 1], for: table), Record(["id": 2, "cabinet": "z"], for: table),
      ])
      await context.expect(
        "insert the cabinet of one and the number of another", throws: .foreignKeyViolation,
        naming: "cabinet (text) and number (number) of key"
      ) { try await keys.insert(Record(["id": 3, "cabinet": "a", "number": 2], for: table)) }
      try await drawers.delete(.init("a", 1))
      await context.expect("the remaining elements", [[1, .null, .null], [2, .null, "z"]]) {
        try await keys.findAll().map(\.values)
      }
    },
  ]

  private static let deleting: [ConformanceRule<any Store>] = [
    ConformanceRule("a row with references can't be deleted if the rule restricts deletions") { context in
      let (visitors, tours) = try open(context.subject)
      try await visitors.insert([visitor(1), visitor(2)])
      try await tours.insert(Tour(name: "a", day: 1, hall: nil, guide: 2))
      for number in 0..<2 {
        await context.expect(
          "delete", throws: .restrictViolation, naming: "guide of tour refers to the row"
        ) { try await number == 0 ? visitors.delete([1, 2]) : visitors.delete(where: .true) }
      }
      await context.expect("count", 2) { try await visitors.count() }
      try await tours.delete("a")
      await context.expect("delete afterwards", 2) { try await visitors.delete([1, 2]) }
    },
    ConformanceRule("a deletion cascades to referring rows, or sets their references to null") { context in
      let (visitors, tours) = try open(context.subject)
      try await tours.insert([tour("a"), tour("b")])
      try await visitors.insert([
        visitor(1, tour: "a"), visitor(2, friend: 1), visitor(3, friend: 2, tour: "b"),
        visitor(4, friend: 1, tour: "a"),
      ])
      await context.expect("delete: how many, without those that went with it", 1) { try await tours.delete(["a"]) }
      await context.expect("the remaining elements", [visitor(2), visitor(3, friend: 2, tour: "b")]) {
        try await visitors.findAll()
      }
      await context.expect("delete by a query", 1) { try await visitors.filter { $0.friend == nil }.delete() }
      await context.expect("the remaining elements then", [visitor(3, tour: "b")]) { try await visitors.findAll() }
    },
    ConformanceRule("elements that refer to each other are deleted together") { context in
      let table = try TableSchema(
        "node", columns: [.init("id", .integer), .init("parent", .integer, isNullable: true)], primaryKey: ["id"],
        references: [ReferenceRule(["parent"], to: "node", key: ["id"])])
      let nodes = try context.subject.repository(Schema(table))
      try await nodes.insert([node(1, nil, table), node(2, 1, table), node(3, 3, table), node(4, 2, table)])
      await context.expect("delete a parent and its child", throws: .restrictViolation, naming: "parent of node") {
        try await nodes.delete(where: .in(key: "id", values: [1, 2]))
      }
      await context.expect("delete one that refers to itself", 1) { try await nodes.delete([[3]]) }
      await context.expect("delete all", 3) { try await nodes.delete(where: .true) }
    },
    ConformanceRule("a deletion by query counts the matching rows, even those that a cascade would delete") { context in
      let (nodes, table) = try tree(context.subject)
      try await nodes.insert([node(2, nil, table), node(1, 2, table), node(3, 2, table), node(4, 3, table)])
      await context.expect("delete where id < 4", 3) { try await nodes.delete(where: .lessThan(key: "id", value: 4)) }
      await context.expect("count", 0) { try await nodes.count() }
    },
    ConformanceRule(
      "elements are deleted one after another, in the order of their keys as given, and each is counted once"
    ) {
      context in
      let (nodes, table) = try tree(context.subject)
      let chain = [node(1, nil, table), node(2, 1, table), node(3, 2, table), node(4, nil, table), node(5, nil, table)]
      for (keys, count, left) in [
        ([1, 1, 4], 2, [5]), ([1, 2, 3], 1, [4, 5]), ([3, 2, 1, 3], 3, [4, 5]), ([2, 9, 1, 4, 4], 3, [5]),
        ([], 0, [1, 2, 3, 4, 5]),
      ] as [([Int], Int, [Value])] {
        try await nodes.save(chain)
        await context.expect("delete \(keys)", count) {
          try await nodes.delete(keys.map { [.integer(Int64($0))] })
        }
        await context.expect("what is left of \(keys)", left) { try await nodes.findAll().map { $0.values[0] } }
      }
    },
    ConformanceRule("an element that others restrict can't be deleted before them") { context in
      let table = try TableSchema(
        "node", columns: [.init("id", .integer), .init("parent", .integer, isNullable: true)], primaryKey: ["id"],
        references: [ReferenceRule(["parent"], to: "node", key: ["id"])])
      let nodes = try context.subject.repository(Schema(table))
      try await nodes.insert([node(1, nil, table), node(2, 1, table), node(3, 2, table)])
      await context.expect("delete 3, 1, 2", throws: .restrictViolation, naming: "parent of node") {
        try await nodes.delete([[3], [1], [2]])
      }
      await context.expect("count", 3) { try await nodes.count() }
      await context.expect("delete 3, 2, 2, 1", 3) { try await nodes.delete([[3], [2], [2], [1]]) }
    },
    ConformanceRule("a deferred reference is checked at the end of a write") { context in
      let table = try TableSchema(
        "node", columns: [.init("id", .integer), .init("parent", .integer, isNullable: true)], primaryKey: ["id"],
        references: [ReferenceRule(["parent"], to: "node", key: ["id"], isDeferred: true)])
      let nodes = try context.subject.repository(Schema(table))
      await context.expect("insert a child before its parent", 2) {
        try await nodes.insert([node(1, 2, table), node(2, nil, table)]).count
      }
      await context.expect("insert a child alone", throws: .foreignKeyViolation, naming: "parent of node") {
        try await nodes.insert([node(3, 4, table), node(5, nil, table)])
      }
      await context.expect("delete a parent", throws: .foreignKeyViolation, naming: "parent of node") {
        try await nodes.delete([[2]])
      }
      await context.expect("count", 2) { try await nodes.count() }
      await context.expect("delete a parent before its child", 2) { try await nodes.delete([[2], [1]]) }
    },
    ConformanceRule("rows in a ring are deleted with the first of them") { context in
      let (nodes, table) = try tree(context.subject)
      try await nodes.insert([node(1, nil, table), node(2, 1, table), node(3, 2, table)])
      try await nodes.update(where: .equal(key: "id", value: 1), set: [Assignment("parent", 3)])
      await context.expect("delete", 1) { try await nodes.delete([[2]]) }
      await context.expect("count", 0) { try await nodes.count() }
    },
    ConformanceRule("a deletion goes on through a thousand levels, and through more it may be refused") { context in
      let (nodes, table) = try tree(context.subject)
      try await nodes.insert((1...1_001).map { node($0, $0 == 1 ? nil : $0 - 1, table) })
      await context.expect("delete the first of 1,000", 1) { try await nodes.delete([[2]]) }
      await context.expect("count afterwards", 1) { try await nodes.count() }
      try await nodes.insert((2...1_001).map { node($0, $0 - 1, table) })
      await context.expect("whether 1,001 are gone, or all are there", true) {
        do throws(RepositoryError) {
          return try await [nodes.delete([[1]]), nodes.count()] == [1, 0]
        } catch {
          let count = try await nodes.count()
          return error.code == .tooBig && error.summary.contains("node") && count == 1_001
        }
      }
    },
    ConformanceRule("a reference that becomes null has to keep the checks") { context in
      let parent = try TableSchema("parent", columns: [.init("id", .integer)], primaryKey: ["id"])
      let child = try TableSchema(
        "child", columns: [.init("id", .integer), .init("parent", .integer, isNullable: true)], primaryKey: ["id"],
        checks: [CheckRule("has a parent", .isNotNull(key: "parent"))],
        references: [ReferenceRule(["parent"], to: "parent", key: ["id"], onDelete: .setNull)])
      let parents = try context.subject.repository(Schema(parent))
      let children = try context.subject.repository(Schema(child))
      try await parents.insert(Record(["id": 1], for: parent))
      try await children.insert(node(1, 1, child))
      await context.expect("delete", throws: .constraint, naming: "a row of child breaks the rule has a parent") {
        try await parents.delete([[1]])
      }
      await context.expect("count both", [1, 1]) { [try await parents.count(), try await children.count()] }
    },
    ConformanceRule("`save` of a referenced element does not change the referring elements") { context in
      let (visitors, tours) = try open(context.subject)
      try await tours.insert(tour("a"))
      try await visitors.insert(visitor(1, tour: "a"))
      try await tours.save(Tour(name: "a", day: 5, hall: 2, guide: 1))
      await context.expect("all", [visitor(1, tour: "a")]) { try await visitors.findAll() }
    },
  ]

  private static let opening: [ConformanceRule<any Store>] = [
    ConformanceRule("the tables that a table refers to are created with it") { context in
      let tours = try context.subject.repository(of: Tour.self)
      await context.expect("refer to no visitor", throws: .foreignKeyViolation) {
        try await tours.insert(Tour(name: "a", day: 1, hall: nil, guide: 1))
      }
      let visitors = try context.subject.repository(of: Visitor.self)
      try await visitors.insert(visitor(1))
      try await tours.insert(Tour(name: "a", day: 1, hall: nil, guide: 1))
      await context.expect("count", 1) { try await tours.count() }
    },
    ConformanceRule("a table that refers to an undescribed table is not created") { context in
      let table = try TableSchema(
        "child", columns: [.init("id", .integer), .init("parent", .integer)], primaryKey: ["id"],
        references: [ReferenceRule(["parent"], to: "parent", key: ["id"])])
      await context.expect("open", throws: .missingTable, naming: "parent") {
        try context.subject.repository(Schema(table))
      }
    },
    ConformanceRule("a table that refers to a column without a key, or to a key of another type, is not created") {
      context in
      let parent = try TableSchema(
        "parent", columns: [.init("id", .integer), .init("name", .text)], primaryKey: ["id"])
      _ = try context.subject.repository(Schema(parent))
      for (column, key) in [("text", "name"), ("text", "id"), ("number", "name")] {
        let table = try TableSchema(
          "child", columns: [.init("id", .integer), .init("text", .text), .init("number", .integer)],
          primaryKey: ["id"], references: [ReferenceRule([column], to: "parent", key: [key])])
        await context.expect("open with \(column) that refers to \(key)", throws: .invalidSchema, naming: "child") {
          try context.subject.repository(Schema(table))
        }
      }
    },
  ]

  private static func open(
    _ store: any Store
  ) throws -> (visitors: AnyRepository<Visitor>, tours: AnyRepository<Tour>) {
    (try store.repository(of: Visitor.self), try store.repository(of: Tour.self))
  }

  private static func visitor(_ id: Int, friend: Int? = nil, tour: String? = nil) -> Visitor {
    Visitor(id: id, name: "visitor \(id)", friend: friend, tour: tour)
  }

  private static func tour(_ name: String) -> Tour { Tour(name: name, day: 1, hall: nil, guide: nil) }

  /// Returns a table whose rows are deleted with their parents.
  private static func tree(_ store: any Store) throws -> (nodes: AnyRepository<Record>, table: TableSchema) {
    let table = try TableSchema(
      "node", columns: [.init("id", .integer), .init("parent", .integer, isNullable: true, isIndexed: true)],
      primaryKey: ["id"], references: [ReferenceRule(["parent"], to: "node", key: ["id"], onDelete: .cascade)])
    return (try store.repository(Schema(table)), table)
  }

  private static func node(_ id: Int, _ parent: Int?, _ table: TableSchema) -> Record {
    let parent = parent.map { Value.integer(Int64($0)) } ?? .null
    return Record(
      values: [.integer(Int64(id)), parent], in: table)
  }
}
