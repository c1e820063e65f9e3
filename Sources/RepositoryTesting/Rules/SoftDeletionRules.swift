import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of soft deletion: a store keeps deleted elements, but no longer finds them.
enum SoftDeletionRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("no request finds an element that is marked as deleted", needs: [.uniqueness]) { context in
      let (letters, _) = try await open(context.subject)
      await context.expect("delete two of which one is there, and one twice", 1) {
        try await letters.delete([1, 9, 1])
      }
      await context.expect("delete by a query", 1) { try await letters.filter { $0.text == "d" }.delete() }
      await context.expect("delete a deleted element", 0) { try await letters.delete([1, 4]) }
      await context.expect("find", false) { try await letters.find(1) != nil }
      await context.expect("all", [2, 3]) { try await letters.findAll().map(\.id) }
      await context.expect("where text = 'a' or text = 'b'", [2]) {
        try await letters.findAll(where: { $0.text == "a" || $0.text == "b" }).map(\.id)
      }
      await context.expect("the readable elements", [2, 3]) {
        try await letters.findAllReadable(FetchRequest()).elements.map(\.id)
      }
      await context.expect("count", 2) { try await letters.count() }
      await context.expect("where not text = 'b'", 1) { try await letters.filter { !($0.text == "b") }.count() }
      await context.expect("sum(id), max(text)", [AggregateRow(keys: [], aggregates: [5, "c"])]) {
        try await letters.aggregate(AggregateRequest([.sum(key: "id"), .max(key: "text")]))
      }
      await context.expect("texts", [["b"], ["c"]]) { try await letters.findRows(ProjectionRequest([.key("text")])) }
      await context.expect("update all", 2) { try await letters.update(where: .true, set: [Assignment("place", 7)]) }
      await context.expect("delete the rest, and return it", [2, 3]) {
        try await letters.deleteReturning(where: .true).map(\.id)
      }
      await context.expect("count afterwards", 0) { try await letters.count() }
    },
    ConformanceRule(
      "elements marked as deleted are in the table, and can be restored or removed",
      needs: [.uniqueness, .deletedElements]
    ) { context in
      let (letters, all) = try await open(context.subject)
      try await letters.delete([1, 4])
      await context.expect("all of the table", [1, 2, 3, 4]) { try await all.findAll().map(\.id) }
      await context.expect("which were deleted", [1, 4]) {
        try await all.findAll(where: { $0.deletedAt != nil }).map(\.id)
      }
      await context.expect("restore", 1) { try await all.filter { $0.id == 1 }.update { $0.deletedAt = nil } }
      await context.expect("all afterwards", [1, 2, 3]) { try await letters.findAll().map(\.id) }
      await context.expect("remove the deleted elements", 1) { try await all.filter { $0.deletedAt != nil }.delete() }
      await context.expect("all of the table then", [1, 2, 3]) { try await all.findAll().map(\.id) }
    },
    ConformanceRule(
      "an element marked as deleted has its key and its unique values; a save revives the element",
      needs: [.uniqueness, .deletedElements]
    ) { context in
      let (letters, all) = try await open(context.subject)
      try await letters.delete([1, 2])
      await context.expect("insert its key", throws: .conflict) { try await letters.insert(letter(1, "x")) }
      await context.expect("insert its text", throws: .conflict) { try await letters.insert(letter(9, "a")) }
      await context.expect("ignore the conflict", []) {
        try await letters.insert([letter(1, "x")], onConflict: .ignore).map(\.id)
      }
      try await letters.save(letter(1, "again"))
      await context.expect("find the saved element", "again") { try await letters.find(1)?.text }
      await context.expect("update by the text", [2]) {
        try await letters.upsert([letter(8, "b")], by: \.text).map(\.id)
      }
      await context.expect("all", [1, 2, 3, 4]) { try await letters.findAll().map(\.id) }
      await context.expect("count of the table", 4) { try await all.count() }
    },
    ConformanceRule(
      "references to an element marked as deleted stay, and relations skip the element",
      needs: [.uniqueness, .references, .expressions, .relations, .deletedElements]
    ) { context in
      let (letters, _) = try await open(context.subject)
      let replies = try context.subject.repository(of: Reply.self)
      try await replies.insert([
        Reply(id: 1, letter: 1, deletedAt: nil), Reply(id: 2, letter: 2, deletedAt: nil),
        Reply(id: 3, letter: 2, deletedAt: nil),
      ])
      await context.expect("delete a letter that a reply forbids to remove", 1) { try await letters.delete([1]) }
      try await replies.delete([2])
      await context.expect("insert a reply to a deleted letter", 1) {
        try await replies.insert([Reply(id: 4, letter: 1, deletedAt: nil)]).count
      }
      await context.expect("by the text of the letter, nil first", [1, 4, 3]) {
        try await replies.findAll(sortedBy: { $0.asked.text.ascending }).map(\.id)
      }
      await context.expect("if the letter has a text", [3]) {
        try await replies.findAll(where: { $0.asked.text != nil }).map(\.id)
      }
      await context.expect("if the letter has a text, deleted or not", [1, 3, 4]) {
        try await replies.findAll(where: { $0.asked.includingDeleted.text != nil }).map(\.id)
      }
      await context.expect("if the letter has one reply", [2]) {
        try await letters.findAll(where: { $0.replies.count == 1 }).map(\.id)
      }
      await context.expect("if the letter has a reply with the key 2", []) {
        try await letters.findAll(where: { $0.replies.contains { $0.id == 2 } }).map(\.id)
      }
      await context.expect("the sum of the replies' keys, deleted ones included", [2]) {
        try await letters.findAll(where: { $0.replies.includingDeleted.sum { $0.id } == 5 }).map(\.id)
      }
      await context.expect("children and parents", [[3], [2]]) {
        let children = try await [letter(2, "")].including(Letter.replies.from(replies))
        let parents = try await replies.selection().including(Reply.asked.from(letters)).all()
        return [children.flatMap { $0.1.map(\.id) }, parents.compactMap { $0.1?.id }]
      }
    },
  ]

  private static func letter(_ id: Int, _ text: String) -> Letter {
    Letter(id: id, text: text, place: nil, deletedAt: nil)
  }

  /// Saves four letters, and opens two repositories of them: one that hides deleted letters, and one that includes them.
  private static func open(_ store: any Store) async throws -> (AnyRepository<Letter>, all: AnyRepository<Letter>) {
    let letters = try store.repository(of: Letter.self)
    try await letters.save([letter(1, "a"), letter(2, "b"), letter(3, "c"), letter(4, "d")])
    return (letters, try store.repository(Letter.schema.includingDeleted))
  }
}

/// A model with soft deletion.
struct Letter: Entity, Hashable {
  let id: Int
  var text: String
  var place: Int?
  var deletedAt: Date?

  static let schema = Schema(
    "letter", Letter.init, Column("id", \.id), Column("text", \.text, .unique), Column("place", \.place),
    Column("deleted_at", \.deletedAt, .deletedAt))
}

/// A model with soft deletion that refers to another one.
struct Reply: Entity, Hashable {
  let id: Int
  var letter: Int
  var deletedAt: Date?

  static let asked = ToOne(\Reply.letter, to: Letter.self)
  static let schema = Schema(
    "reply", Reply.init, Column("id", \.id), Column("letter", \.letter),
    Column("deleted_at", \.deletedAt, .deletedAt)
  ).references(asked)
}

extension Letter {
  fileprivate static let replies = ToMany(Reply.asked)
}
