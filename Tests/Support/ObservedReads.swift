import Query
package import Repository
import Synchronization
import Testing

/// A list of reminders.
private struct ReminderList: Entity {
  let id: Int
  var title: String
  static let schema = Schema("lists", Self.init, Column("id", \.id), Column("title", \.title))
}

private struct Reminder: Entity {
  let id: Int
  var list: Int
  var isDone = false
  static let reminderList = ToOne(\Reminder.list, to: ReminderList.self, onDelete: .cascade)
  static let schema = Schema(
    "reminders", Self.init, Column("id", \.id),
    Column("list", \.list), Column("done", \.isDone)
  ).references(reminderList)
}

private struct Note: Entity {
  let id: Int
  static let schema = Schema("notes", Self.init, Column("id", \.id))
}

/// Checks what a store says of the values that are read of it: that it misses none, and does not look for nothing.
///
/// - Parameters:
///   - execute: runs a statement that the store knows nothing of; `nil` where there are none.
///   - trigger: statements that make each note that is added add a reminder.
package func checkObservedReads(
  of store: some Store, trigger: [String] = [], execute: (@Sendable (String) async throws -> Void)? = nil
) async throws {
  let lists = try store.repository(of: ReminderList.self)
  let reminders = try store.repository(of: Reminder.self)
  let notes = try store.repository(of: Note.self)
  try await lists.save([ReminderList(id: 1, title: "home"), ReminderList(id: 2, title: "work")])
  try await reminders.save([Reminder(id: 1, list: 1), Reminder(id: 2, list: 2)])

  let looks = Atomic(0)
  let counts = Observer(
    store.changes { transaction in
      looks.add(1, ordering: .relaxed)
      let open = try await reminders.filter { !$0.isDone }.count()
      let opened = try transaction.repository(of: ReminderList.self)
      return [open, try await opened.count()]
    })
  #expect(try await counts.next() == [2, 2])

  // What it has not read does not concern it, in transactions neither.
  for id in 1...150 { try await notes.save(Note(id: id)) }
  for id in 151...300 { try await store.transaction { _ in try await notes.save(Note(id: id)) } }
  #expect(looks.load(ordering: .relaxed) == 1)
  // What it has read is read again, and not given where it is the same.
  try await lists.save(ReminderList(id: 2, title: "office"))
  try await wait { looks.load(ordering: .relaxed) == 2 }
  try await reminders.save(Reminder(id: 3, list: 1))
  #expect(try await counts.next() == [3, 2])
  // A transaction counts once, one that failed not at all.
  await #expect(throws: CancellationError.self) {
    try await store.transaction { _ in
      try await reminders.save(Reminder(id: 9, list: 1))
      throw CancellationError()
    }
  }
  try await store.transaction { _ in
    try await reminders.save(Reminder(id: 1, list: 1, isDone: true))
    try await lists.save(ReminderList(id: 3, title: "garden"))
  }
  #expect(try await counts.next() == [2, 3])
  // What a transaction within another writes, and nothing besides.
  try await store.transaction { outer in
    try await outer.transaction { _ in try await lists.save(ReminderList(id: 4, title: "cellar")) }
  }
  #expect(try await counts.next() == [2, 4])
  try await lists.delete(4)
  #expect(try await counts.next() == [2, 3])
  counts.stop()

  // Rows that go with those that they refer to, and rows of the table that a path leads to.
  let childLooks = Atomic(0)
  let children = Observer(
    store.changes { _ in
      childLooks.add(1, ordering: .relaxed)
      return try await reminders.count()
    })
  let paths = Observer(
    store.changes { _ in try await reminders.count(AnyQuery(parsing: "list.title = 'home'")) })
  // A read within the read.
  let nested = Observer(
    store.changes { transaction in try await transaction.read { _ in try await reminders.count() } })
  #expect(try await children.next() == 3)
  #expect(try await paths.next() == 2)
  #expect(try await nested.next() == 3)
  try await lists.save(ReminderList(id: 2, title: "home"))
  #expect(try await paths.next() == 3)
  try await lists.delete(2)
  #expect(try await children.next() == 2)
  #expect(try await paths.next() == 2)
  #expect(try await nested.next() == 2)
  nested.stop()

  if let execute {
    try await execute("INSERT INTO reminders (id, list, done) VALUES (20, 1, 0)")
    #expect(try await children.next() == 3)
    #expect(try await paths.next() == 3)
  }
  if let execute {
    // What a write to another table does besides.
    let looksBefore = childLooks.load(ordering: .relaxed)
    for statement in trigger { try await execute(statement) }
    // What is executed is a change of its own, which is not to be taken for the one that follows.
    if !trigger.isEmpty { try await wait { childLooks.load(ordering: .relaxed) > looksBefore } }
    try await notes.save(Note(id: 1_000))
    #expect(try await children.next() == 4)
    // A view's rows are those of other tables.
    try await execute("CREATE VIEW titles AS SELECT id, title FROM lists")
    let view = try TableSchema(
      "titles",
      columns: [ColumnSchema("id", .integer, isNullable: true), ColumnSchema("title", .text, isNullable: true)],
      primaryKey: [])
    let titles = try store.repository(Schema(view))
    let seen = Observer(store.changes { _ in try await titles.count() })
    #expect(try await seen.next() == 2)
    try await lists.save(ReminderList(id: 7, title: "attic"))
    #expect(try await seen.next() == 3)
    seen.stop()
  }
  children.stop()
  paths.stop()

  await #expect(throws: RepositoryError.self) {
    try await store.transaction { transaction in
      var values = store.changes { _ in try await notes.count() }.makeAsyncIterator()
      _ = try await values.next()
    }
  }
}

/// Notes the values that are observed, one after another.
private final class Observer<Value: Sendable>: Sendable {
  private let seen = Journal<Value>()
  private let readCount = Atomic(0)
  private let task: Task<Void, any Error>

  init(_ changes: ValueChanges<Value>) {
    task = Task { [seen] in for try await value in changes { seen.note(value) } }
  }

  func stop() { task.cancel() }

  /// The next value; `nil` where none comes within a minute.
  func next() async throws -> Value? {
    let position = readCount.add(1, ordering: .relaxed).oldValue
    try await wait { self.seen.entries.count > position }
    return seen.entries.dropFirst(position).first
  }
}

private func wait(until condition: () -> Bool) async throws {
  for _ in 0..<6_000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
}

/// The actions of a foreign key, and whether a write to its table changes rows of the table that refers to it.
package enum ForeignKeyActions {
  package static let cases: [(action: String, changesRows: Bool)] = [
    ("", false), ("ON DELETE CASCADE", true), ("ON UPDATE CASCADE", true), ("ON DELETE SET NULL", true),
    ("ON UPDATE SET DEFAULT", true), ("ON DELETE RESTRICT ON UPDATE NO ACTION", false),
  ]
}
