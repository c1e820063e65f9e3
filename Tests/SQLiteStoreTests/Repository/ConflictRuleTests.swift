import SQLiteStore
import TestSupport
import Testing

/// A user with two unique names.
private struct User: Entity, Equatable {
  let id: Int?
  var email: String?
  var first: String
  var last: String
  var visits: Int

  static let schema = Schema(
    "user", User.init, Column("id", \.id, .generated), Column("email", \.email, .unique), Column("first", \.first),
    Column("last", \.last), Column("visits", \.visits)
  ).unique(\.first, \.last).check("not negative") { $0.visits >= 0 }
}

private struct Login: Entity {
  let id: Int
  var userID: Int
  static let user = ToOne(\Login.userID, to: User.self, onDelete: .cascade)
  static let schema = Schema(
    "login", Login.init, Column("id", \.id),
    Column("user_id", \.userID)
  ).references(user)
}

@Suite("Inserts with a rule for conflicts, and writes that return elements")
struct ConflictRuleTests {
  private let ann = User(id: 1, email: "ann@a.b", first: "Ann", last: "Lee", visits: 1)
  private let ben = User(id: 2, email: "ben@a.b", first: "Ben", last: "Lee", visits: 2)

  private func users(isInMemory: Bool) async throws -> (AnyRepository<User>, AnyRepository<Login>) {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let users = try store.repository(of: User.self)
    let logins = try store.repository(of: Login.self)
    try await users.insert([ann, ben])
    try await logins.insert(Login(id: 1, userID: 1))
    return (users, logins)
  }

  /// A repository whose writes are those that come with every repository.
  private struct Plain: Repository {
    let base: AnyRepository<User>
    func find(_ id: Int?) async throws(RepositoryError) -> User? { try await base.find(id) }
    func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [User] { try await base.findAll(request) }
    func count(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await base.count(query) }
    func save(_ elements: [User]) async throws(RepositoryError) { try await base.save(elements) }
    func delete(_ ids: [Int?]) async throws(RepositoryError) -> Int { try await base.delete(ids) }
    func changes(_ request: FetchRequest) -> Changes<User> { base.changes(request) }
  }

  @Test("update the row that has the same values, which keeps its key", arguments: [true, false])
  func updating(isInMemory: Bool) async throws {
    let (users, logins) = try await users(isInMemory: isInMemory)
    let changed = User(id: nil, email: "ann@a.b", first: "Anna", last: "Lee", visits: 5)
    let new = User(id: nil, email: "cy@a.b", first: "Cy", last: "Lee", visits: 0)
    let kept = try await users.upsert([changed, new], by: \.email)
    #expect(kept.map(\.id) == [1, 3] && kept.map(\.first) == ["Anna", "Cy"])
    #expect(try await users.get(1).visits == 5)
    #expect(try await logins.count() == 1)
    let named = User(id: 9, email: nil, first: "Ben", last: "Lee", visits: 7)
    #expect(try await users.upsert(named, by: \.last, \.first).id == 2)
    #expect(try await users.get(2) == User(id: 2, email: nil, first: "Ben", last: "Lee", visits: 7))
    // Nothing is the same as nil.
    let unnamed = User(id: nil, email: nil, first: "Dee", last: "Lee", visits: 0)
    #expect(try await users.upsert(unnamed, by: \.email).id == 4)
  }

  @Test("refuse what breaks another rule, and then nothing is written", arguments: [true, false])
  func refused(isInMemory: Bool) async throws {
    let (users, _) = try await users(isInMemory: isInMemory)
    let new = User(id: nil, email: "cy@a.b", first: "Cy", last: "Lee", visits: 0)
    let cases: [(User, ConflictRule, RepositoryError.Code)] = [
      (User(id: nil, email: "ann@a.b", first: "Ben", last: "Lee", visits: 0), .update(by: ["email"]), .conflict),
      (User(id: nil, email: "ann@a.b", first: "A", last: "Lee", visits: -1), .update(by: ["email"]), .constraint),
      (User(id: nil, email: "ann@a.b", first: "A", last: "Lee", visits: -1), .ignore, .constraint),
      (new, .update(by: ["first"]), .invalidQuery), (new, .update(by: []), .invalidQuery),
      (new, .update(by: ["mail"]), .invalidQuery),
    ]
    for (user, rule, code) in cases {
      await expectError(code, comment: "\(user), \(rule)") { try await users.insert([new, user], onConflict: rule) }
      #expect(try await users.findAll() == [ann, ben])
    }
  }

  @Test("leave out what is there already, by whatever is unique", arguments: [true, false])
  func ignoring(isInMemory: Bool) async throws {
    let (users, _) = try await users(isInMemory: isInMemory)
    let all = [
      User(id: 1, email: "x@a.b", first: "X", last: "Y", visits: 0),
      User(id: nil, email: "ben@a.b", first: "X", last: "Y", visits: 0),
      User(id: nil, email: nil, first: "Ann", last: "Lee", visits: 0),
      User(id: nil, email: nil, first: "Cy", last: "Lee", visits: 3),
      User(id: nil, email: nil, first: "Cy", last: "Lee", visits: 4),
    ]
    #expect(try await users.insert(all, onConflict: .ignore).map(\.visits) == [3])
    #expect(try await users.insert(all[0], onConflict: .ignore) == nil)
    #expect(try await users.findAll().map(\.visits) == [1, 2, 3])
  }

  @Test("come with every repository, however it is made")
  func plain() async throws {
    let (base, _) = try await users(isInMemory: true)
    let users = Plain(base: base)
    let changed = User(id: nil, email: "ann@a.b", first: "Anna", last: "Lee", visits: 5)
    #expect(try await users.upsert(changed, by: \.email).id == 1)
    #expect(try await users.insert(changed, onConflict: .ignore) == nil)
    #expect(try await users.filter { $0.id == 1 }.updateReturning { $0.visits += 1 }.map(\.visits) == [6])
    #expect(try await users.filter { $0.visits > 5 }.deleteReturning().map(\.id) == [1])
    #expect(try await users.findAll(FetchRequest()) == [ben])
  }

  @Test("return the updated or deleted rows, in the order of the keys", arguments: [true, false])
  func returning(isInMemory: Bool) async throws {
    let (users, logins) = try await users(isInMemory: isInMemory)
    let updated = try await users.filter { $0.last == "Lee" }.updateReturning { $0.visits += 10 }
    #expect(updated.map(\.visits) == [11, 12] && updated.map(\.id) == [1, 2])
    #expect(try await users.filter { $0.id == 9 }.updateReturning { $0.visits = 1 }.isEmpty)
    await expectError(.constraint) {
      try await users.filter { $0.id > 0 }.updateReturning { $0.visits -= 12 }
    }
    #expect(try await users.filter { $0.visits == 11 }.deleteReturning() == [updated[0]])
    #expect(try await users.count() == 1)
    #expect(try await logins.count() == 0)
  }

  @Test("save what differs, and leave the rest to others", arguments: [true, false])
  func changed(isInMemory: Bool) async throws {
    let (users, _) = try await users(isInMemory: isInMemory)
    var mine = try await users.get(1)
    try await users.filter { $0.id == 1 }.update { $0.visits = 50 }
    mine.first = "Anna"
    #expect(try await users.save(mine, changedFrom: ann))
    #expect(try await users.get(1) == User(id: 1, email: "ann@a.b", first: "Anna", last: "Lee", visits: 50))
    #expect(try await users.save(mine, changedFrom: mine))
    try await users.delete(1)
    #expect(try await users.save(mine, changedFrom: ann) == false)
    #expect(try await users.save(mine, changedFrom: mine) == false)
    await expectError(.invalidQuery) { try await users.save(ben, changedFrom: ann) }
  }
}
