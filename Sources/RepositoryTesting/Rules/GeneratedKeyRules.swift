import Query
import Repository

/// Rules of keys that the store generates.
enum GeneratedKeyRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("an element without a key gets the next number after the greatest key, from 1 on") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      await context.expect("the first", 1) { try await visitors.insert(visitor("Ada")).id }
      await context.expect("the next two", [2, 3]) {
        try await visitors.insert([visitor("Bob"), visitor("Cleo")]).map { $0.id ?? 0 }
      }
      await context.expect("one that has a key, and one after it", [10, 11]) {
        try await visitors.insert([visitor("Dan", id: 10), visitor("Eve")]).map { $0.id ?? 0 }
      }
      await context.expect("the stored elements", visitor("Cleo", id: 3)) {
        try await visitors.find(3) ?? visitor("missing")
      }
      await context.expect("the element without a key", true) { try await visitors.find(nil) == nil }
      await context.expect("insert a key that exists", throws: .conflict, naming: "id (number)") {
        try await visitors.insert(visitor("Fay", id: 2))
      }
    },
    ConformanceRule("a generated key is greater than all that there are") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      func insert(_ name: String) async throws -> Bool {
        let greatest = try await visitors.findAll().compactMap(\.id).max() ?? 0
        guard let key = try await visitors.insert(visitor(name)).id else { return false }
        return key > greatest
      }
      try await visitors.insert([visitor("Ada"), visitor("Bob"), visitor("Cleo", id: 1_000)])
      await context.expect("after one that was given", true) { try await insert("Dan") }
      _ = try? await visitors.insert([visitor("Eve"), visitor("refused")])
      await context.expect("after a batch that was refused", true) { try await insert("Fay") }
      try await visitors.save(visitor("Gus", id: 5_000))
      try await visitors.delete(5_000)
      await context.expect("after the greatest was deleted", true) { try await insert("Hal") }
      try await visitors.save(visitor("Ida", id: -5))
      await context.expect("after a negative one", true) { try await insert("Jo") }
      let two = Visitor(id: 7_000, name: "Kim", friend: nil, tour: nil)
      _ = try? await context.subject.transaction { _ in
        try await visitors.save(two)
        throw RepositoryError(.notFound, "an error that rolls back the transaction")
      }
      await context.expect("after a transaction that rolled back", true) { try await insert("Lou") }
    },
    ConformanceRule(
      "the key of a deleted element is given again if it was the greatest", needs: [.gaplessKeys]
    ) { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      try await visitors.insert([visitor("Ada"), visitor("Bob"), visitor("Cleo")])
      try await visitors.delete([2, 3])
      await context.expect("the next", 2) { try await visitors.insert(visitor("Dan")).id }
      try await visitors.delete(1)
      await context.expect("the one after", 3) { try await visitors.insert(visitor("Eve")).id }
      try await visitors.delete(where: .true)
      await context.expect("the first after all were deleted", 1) { try await visitors.insert(visitor("Fay")).id }
      try await visitors.delete(1)
      try await visitors.insert(visitor("Gus", id: -5))
      await context.expect("the one after a negative key", -4) { try await visitors.insert(visitor("Hal")).id }
    },
    ConformanceRule("if the greatest number is taken, a free number is found") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      try await visitors.insert(visitor("Ada", id: .max))
      await context.expect("whether two more have keys of their own", true) {
        let more = try await visitors.insert([visitor("Bob"), visitor("Cleo")]).compactMap(\.id)
        return more.count == 2 && more[0] != more[1] && more.allSatisfy { $0 > 0 && $0 < .max }
      }
      await context.expect("count", 3) { try await visitors.count() }
    },
    ConformanceRule("`save` inserts an element without a key") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      try await visitors.save([visitor("Ada"), visitor("Bob"), visitor("Cleo", id: 1)])
      await context.expect("all", [visitor("Cleo", id: 1), visitor("Bob", id: 2)]) { try await visitors.findAll() }
      await context.expect("save a sequence", 2) {
        try await visitors.save(contentsOf: [visitor("Dan"), visitor("Eve")])
      }
      await context.expect("the keys", [1, 2, 3, 4]) { try await visitors.findAll().map { $0.id ?? 0 } }
    },
    ConformanceRule("a batch that is refused takes no keys", needs: [.gaplessKeys]) { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      await context.expect("insert a batch that breaks a rule", throws: .constraint) {
        try await visitors.insert([visitor("Ada"), visitor("refused")])
      }
      await context.expect("the first key", 1) { try await visitors.insert(visitor("Bob")).id }
    },
    ConformanceRule("records get keys too") { context in
      let table = try TableSchema(
        "note", columns: [.init("id", .integer, isGenerated: true), .init("text", .text)], primaryKey: ["id"])
      let notes = try context.subject.repository(Schema(table))
      await context.expect("the key", [1]) { try await notes.insert(Record(["text": "x"], for: table)).id }
      await context.expect("the stored keys", ["x"]) { try await notes.findAll().map { $0["text"] ?? .null } }
    },
    ConformanceRule("a table without a generated key is not opened with a generated key") { context in
      let columns: [ColumnSchema] = [.init("id", .integer), .init("part", .integer)]
      _ = try context.subject.repository(Schema(TableSchema("pair", columns: columns, primaryKey: ["id", "part"])))
      let generated: [ColumnSchema] = [.init("id", .integer, isGenerated: true), .init("part", .integer)]
      await context.expect("open", throws: .schemaMismatch, naming: "pair") {
        try context.subject.repository(Schema(TableSchema("pair", columns: generated, primaryKey: ["id"])))
      }
    },
  ]

  private static func visitor(_ name: String, id: Int? = nil) -> Visitor {
    Visitor(id: id, name: name, friend: nil, tour: nil)
  }
}
