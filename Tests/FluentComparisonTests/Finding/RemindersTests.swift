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
  static let list = ToOne(\Reminder.listID, to: RemindersList.self, onDelete: .cascade)
  static let schema = Schema(
    "reminder", Reminder.init, Column("id", \.id), Column("title", \.title), Column("notes", \.notes),
    Column("list_id", \.listID), Column("due", \.due),
    Column("is_flagged", \.isFlagged), Column("is_completed", \.isCompleted)
  ).references(list)
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
  static let reminder = ToOne(\ReminderTag.reminderID, to: Reminder.self, onDelete: .cascade)
  static let tag = ToOne(\ReminderTag.tagID, to: Tag.self, onDelete: .cascade)
  static let schema = Schema(
    "reminder_tag", ReminderTag.init,
    Column("reminder_id", \.reminderID, .primaryKey),
    Column("tag_id", \.tagID, .primaryKey)
  ).references(reminder, tag)
}

extension RemindersList {
  fileprivate static let reminders = ToMany(Reminder.list)
}
extension Reminder {
  fileprivate static let tags = ToMany(ReminderTag.reminder)
}
extension Tag {
  fileprivate static let reminders = ToMany(ReminderTag.tag)
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
      (lists, tags) = (try store.repository(of: RemindersList.self), try store.repository(of: Tag.self))
      (reminders, links) = (try store.repository(of: Reminder.self), try store.repository(of: ReminderTag.self))
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
      let counts = try await reminders.selection().aggregate(
        .count.where { !$0.isCompleted && $0.due.in(day..<day + 86_400) },
        .count.where { !$0.isCompleted && $0.isFlagged }, .count.where { !$0.isCompleted && $0.due != nil },
        .count.where { !$0.isCompleted }, .count.where { $0.isCompleted })
      return Overview(
        lists: try await lists.sorted { $0.position.ascending }.select(ListRow.self),
        tags: try await tags.findAll(where: { !$0.reminders.isEmpty }, sortedBy: { $0.title.ascending }).map(\.title),
        counts: Overview.Counts(
          today: counts.0, flagged: counts.1, scheduled: counts.2, all: counts.3, completed: counts.4))
    }

    /// Searches titles, notes and tags.
    func search(_ text: String, showsCompleted: Bool) async throws -> [ReminderRow] {
      let matching = reminders.filter { reminder in
        reminder.title.contains(text, ignoringCase: true) || reminder.notes.contains(text, ignoringCase: true)
          || reminder.tags.contains { $0.tag.title.contains(text, ignoringCase: true) }
      }
      let shown = showsCompleted ? matching : matching.filter { !$0.isCompleted }
      // Those that are done come last, and of the others those that were due.
      return try await shown.sorted { $0.isCompleted.ascending + $0.due.ascending(nulls: .last) + $0.id.ascending }
        .select(ReminderRow.self)
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

    #expect(try await app.reminders.filter { $0.title == "Groceries" }.update { $0.isCompleted = true } == 1)
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
      where: { $0.list.title == "Personal" && !$0.isCompleted }, sortedBy: { $0.due.ascending(nulls: .last) }
    ).including(
      Reminder.list.from(app.lists),
      Reminder.tags.from(app.links.selection().including(ReminderTag.tag.from(app.tags))))
    let lines = rows.map { reminder, list, links in
      "\(reminder.title) (\(list?.title ?? "")): \(links.map { $0.1?.title ?? "" }.joined(separator: ", "))"
    }
    #expect(lines == ["Haircut (Personal): ", "Groceries (Personal): shopping, adulting"])
    let past = try await app.reminders.filter { !$0.isCompleted && $0.due < Self.day }.grouped(by: { $0.list.title })
      .aggregate(.count)
    #expect(past.map(\.key) == ["Personal"] && past.map(\.values) == [1])
  }
}
