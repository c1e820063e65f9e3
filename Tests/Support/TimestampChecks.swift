import Foundation
import Query
package import Repository
import Synchronization
import Testing

private let ticks = Atomic(0)

/// A clock that goes on by a second each time it is looked at.
private func tick() -> Date {
  Date(timeIntervalSince1970: Double(ticks.add(1, ordering: .relaxed).newValue))
}

private struct Memo: Entity {
  let id: Int
  var text: String
  var createdAt: Date?
  var updatedAt: Date?

  init(id: Int, text: String, createdAt: Date? = nil, updatedAt: Date? = nil) {
    (self.id, self.text, self.createdAt, self.updatedAt) = (id, text, createdAt, updatedAt)
  }

  static let schema = Schema(
    "memo", Memo.init(id:text:createdAt:updatedAt:), Column("id", \.id), Column("text", \.text),
    Column("created_at", \.createdAt, .createdAt(by: { tick() })),
    Column("updated_at", \.updatedAt, .updatedAt(by: { tick() })))
}

/// Checks that a store keeps when elements were written.
package func checkTimestamps(in store: some Store) async throws {
  let memos = try store.repository(of: Memo.self)
  let first = try await memos.insert(Memo(id: 1, text: "a"))
  let created = try #require(first.createdAt)
  let updated = try #require(first.updatedAt)
  #expect(updated > created)
  #expect(try await memos.find(1)?.createdAt == created)

  // Saved again, it was created when it was created, and is written now.
  var changed = try await memos.get(1)
  changed.text = "b"
  try await memos.save(changed)
  let saved = try await memos.get(1)
  #expect(saved.text == "b" && saved.createdAt == created)
  #expect(try #require(saved.updatedAt) > updated)

  // An update writes the time too, unless it sets it.
  try await memos.filter { $0.id == 1 }.update { $0.text = "c" }
  let set = try await memos.get(1)
  #expect(set.createdAt == created)
  #expect(try #require(set.updatedAt) > #require(saved.updatedAt))
  let condition = AnyQuery.equal(key: "id", value: 1)
  try await memos.update(where: condition, set: [Assignment("updated_at", created)])
  #expect(try await memos.get(1).updatedAt == created)

  // What the program says itself is kept.
  try await memos.save([Memo(id: 2, text: "old", createdAt: .distantPast), Memo(id: 3, text: "new")])
  #expect(try await memos.get(2).createdAt == .distantPast)
  #expect(try await memos.findAll(where: { $0.createdAt > created }).map(\.id) == [3])
  try await memos.insert(contentsOf: (4...6).map { Memo(id: $0, text: "stream") })
  #expect(try await memos.findAll(where: { $0.text == "stream" && $0.createdAt == nil }).isEmpty)
}
