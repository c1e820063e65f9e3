import Foundation
import SQLiteStore
import Testing

private struct RemindersList: Entity, Equatable {
  let id: Int
  var title: String
  var position = 0
  static let schema = Schema(
    "reminders_list", RemindersList.init, Column("id", \.id), Column("title", \.title), Column("position", \.position))
}

private struct Reminder: Entity, Equatable {
  let id: Int
  var title: String
  var notes = ""
  var listID: Int
  var due: Date?
  var isFlagged = false
  var isCompleted = false
  static let schema = Schema(
    "reminder", Reminder.init, Column("id", \.id), Column("title", \.title), Column("notes", \.notes),
    Column("list_id", \.listID, .references(RemindersList.self, onDelete: .cascade)), Column("due", \.due),
    Column("is_flagged", \.isFlagged), Column("is_completed", \.isCompleted))
}

private struct Tag: Entity, Equatable {
  let id: Int
  var title: String
  static let schema = Schema("tag", Tag.init, Column("id", \.id), Column("title", \.title, .unique))
}

private struct ReminderTag: Entity, Equatable {
  struct ID: PrimaryKey {
    let reminderID: Int
    let tagID: Int
    func keyValues() throws(ValueError) -> [Value] { [try reminderID.makeValue(), try tagID.makeValue()] }
  }

  let reminderID: Int
  let tagID: Int
  var id: ID { ID(reminderID: reminderID, tagID: tagID) }
  static let schema = Schema(
    "reminder_tag", ReminderTag.init,
    Column("reminder_id", \.reminderID, .primaryKey, .references(Reminder.self, onDelete: .cascade)),
    Column("tag_id", \.tagID, .primaryKey, .references(Tag.self, onDelete: .cascade)))
}

extension RowFields where Element == Reminder {
  fileprivate var list: Referred<RemindersList> { Referred(by: \.listID, of: self) }
}
extension RowFields where Element == ReminderTag {
  fileprivate var reminder: Referred<Reminder> { Referred(by: \.reminderID, of: self) }
  fileprivate var tag: Referred<Tag> { Referred(by: \.tagID, of: self) }
}
extension Fields where Element == RemindersList {
  fileprivate var reminders: Referring<Reminder> { Referring(by: \.listID, to: self) }
}
extension Fields where Element == Reminder {
  fileprivate var tags: Referring<ReminderTag> { Referring(by: \.reminderID, to: self) }
}
extension Fields where Element == Tag {
  fileprivate var reminders: Referring<ReminderTag> { Referring(by: \.tagID, to: self) }
}

/// A list with how many of its reminders are open.
private struct ListRow: Projection, Equatable {
  let title: String
  let open: Int
  static let projection = ProjectionSchema(
    of: RemindersList.self, ListRow.init, Projected(\.title),
    Projected(as: "open") { $0.reminders.count(where: { !$0.isCompleted }) })
}

/// A reminder with its list, and how many tags it has.
private struct ReminderRow: Projection, Equatable {
  let title: String
  let list: String?
  let tags: Int
  static let projection = ProjectionSchema(
    of: Reminder.self, ReminderRow.init, Projected(\.title), Projected { $0.list.title },
    Projected(as: "tags") { $0.tags.count })
}

/// What the first screen shows.
private struct Overview: Equatable {
  var lists: [ListRow]
  var tags: [String]
  var counts: Counts

  struct Counts: Equatable {
    var today, flagged, scheduled, all, completed: Int
  }
}

@Suite("Live queries of an app for reminders")
struct RemindersTests {
  private static let day = Date(timeIntervalSince1970: 1_795_392_000)

  /// The repositories of the app.
  private struct App: Sendable {
    let store: any Store
    let lists: AnyRepository<RemindersList>
    let reminders: AnyRepository<Reminder>
    let tags: AnyRepository<Tag>
    let links: AnyRepository<ReminderTag>

    init(_ kind: StoreKind) async throws {
      store = try kind.open()
      (lists, tags) = (try store.repository(), try store.repository())
      (reminders, links) = (try store.repository(), try store.repository())
      try await lists.save([
        RemindersList(id: 1, title: "Personal", position: 2), RemindersList(id: 2, title: "Family", position: 1),
        RemindersList(id: 3, title: "Business", position: 3),
      ])
      let day = RemindersTests.day
      try await reminders.save([
        Reminder(id: 1, title: "Groceries", notes: "Milk\nEggs\nApples", listID: 1, due: day + 3_600),
        Reminder(id: 2, title: "Haircut", listID: 1, due: day - 86_400 * 2, isFlagged: true),
        Reminder(id: 3, title: "Take a walk", listID: 1, isCompleted: true),
        Reminder(id: 4, title: "Pick up kids", listID: 2, due: day + 7_200, isFlagged: true),
        Reminder(id: 5, title: "Get laundry", listID: 2, due: day - 86_400, isCompleted: true),
        Reminder(id: 6, title: "Call the accountant", notes: "About the MILK bill", listID: 3, due: day + 86_400 * 2),
      ])
      try await tags.save(["car", "kids", "shopping", "adulting"].enumerated().map { Tag(id: $0 + 1, title: $1) })
      try await links.save([
        ReminderTag(reminderID: 1, tagID: 3), ReminderTag(reminderID: 1, tagID: 4),
        ReminderTag(reminderID: 4, tagID: 2),
        ReminderTag(reminderID: 5, tagID: 4),
      ])
    }

    func overview() async throws -> Overview {
      let day = RemindersTests.day
      let counts = try await reminders.aggregate(
        .count.where { !$0.isCompleted && $0.due.in(day..<day + 86_400) },
        .count.where { !$0.isCompleted && $0.isFlagged }, .count.where { !$0.isCompleted && $0.due != nil },
        .count.where { !$0.isCompleted }, .count.where { $0.isCompleted })
      guard let row = counts.first?.aggregates else { throw CancellationError() }
      return Overview(
        lists: try await lists.findAll(as: ListRow.self, sortedBy: .ascending(\.position)),
        tags: try await tags.findAll(where: { !$0.reminders.isEmpty }, sortedBy: \.title).map(\.title),
        counts: Overview.Counts(today: row.0, flagged: row.1, scheduled: row.2, all: row.3, completed: row.4))
    }

    /// Searches titles, notes and tags.
    func search(_ text: String, showsCompleted: Bool) async throws -> [ReminderRow] {
      try await reminders.findAll(
        as: ReminderRow.self,
        where: { reminder in
          (reminder.title.contains(text, ignoringCase: true) || reminder.notes.contains(text, ignoringCase: true)
            || reminder.tags.contains { $0.tag.title.contains(text, ignoringCase: true) })
            && (showsCompleted || !reminder.isCompleted)
        },
        // Those that are done come last, and of the others those that were due.
        sortedBy: .ascending(\.isCompleted) + .ascending(\.due, nulls: .last) + .ascending(\.id))
    }
  }

  @Test("lists with counts, tags in use and filtered counts follow each write", arguments: StoreKind.allCases)
  func live(kind: StoreKind) async throws {
    let app = try await App(kind)
    var overviews = app.store.changes { _ in try await app.overview() }.makeAsyncIterator()
    var expected = Overview(
      lists: [
        ListRow(title: "Family", open: 1), ListRow(title: "Personal", open: 2), ListRow(title: "Business", open: 1),
      ],
      tags: ["adulting", "kids", "shopping"],
      counts: Overview.Counts(today: 2, flagged: 2, scheduled: 4, all: 4, completed: 2))
    #expect(try await overviews.next() == expected)

    #expect(try await app.reminders.update(where: { $0.title == "Groceries" }, set: { $0.isCompleted = true }) == 1)
    expected.lists[1] = ListRow(title: "Personal", open: 1)
    expected.counts = Overview.Counts(today: 1, flagged: 2, scheduled: 3, all: 3, completed: 3)
    #expect(try await overviews.next() == expected)

    try await app.links.save(ReminderTag(reminderID: 2, tagID: 1))
    expected.tags = ["adulting", "car", "kids", "shopping"]
    #expect(try await overviews.next() == expected)

    // The reminders of the list, and their links, go with it.
    try await app.lists.delete(2)
    expected.lists.removeFirst()
    expected.tags = ["adulting", "car", "shopping"]
    expected.counts = Overview.Counts(today: 0, flagged: 1, scheduled: 2, all: 2, completed: 2)
    #expect(try await overviews.next() == expected)
  }

  @Test("rows with list and tags are searched, and come in the order of completion", arguments: StoreKind.allCases)
  func rows(kind: StoreKind) async throws {
    let app = try await App(kind)
    #expect(
      try await app.search("milk", showsCompleted: true) == [
        ReminderRow(title: "Groceries", list: "Personal", tags: 2),
        ReminderRow(title: "Call the accountant", list: "Business", tags: 0),
      ])
    #expect(
      try await app.search("adult", showsCompleted: true).map(\.title) == ["Groceries", "Get laundry"])
    #expect(try await app.search("adult", showsCompleted: false).map(\.title) == ["Groceries"])
    #expect(
      try await app.search("", showsCompleted: true).map(\.title) == [
        "Haircut", "Groceries", "Pick up kids", "Call the accountant", "Get laundry", "Take a walk",
      ])
  }

  @Test("the details of a list: its reminders, each with its tags", arguments: StoreKind.allCases)
  func details(kind: StoreKind) async throws {
    let app = try await App(kind)
    let rows = try await app.reminders.findAll(
      where: { $0.list.title == "Personal" && !$0.isCompleted }, sortedBy: .ascending(\.due, nulls: .last)
    ).including(
      .parent(in: app.lists, by: \.listID),
      .children(in: app.links, by: \.reminderID, including: .parent(in: app.tags, by: \.tagID)))
    let lines = rows.map { reminder, list, links in
      "\(reminder.title) (\(list?.title ?? "")): \(links.map { $0.1?.title ?? "" }.joined(separator: ", "))"
    }
    #expect(lines == ["Haircut (Personal): ", "Groceries (Personal): shopping, adulting"])
    let past = try await app.reminders.aggregate(
      .count, groupedBy: { $0.list.title }, where: { !$0.isCompleted && $0.due < Self.day })
    #expect(past.map(\.key) == ["Personal"] && past.map(\.aggregates) == [1])
  }
}
