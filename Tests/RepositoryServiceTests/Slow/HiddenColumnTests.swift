import Repository
import RepositoryService
import Testing

@Suite("A column that is not shown does not exist")
struct HiddenColumnTests {
  /// Requests that name a column. What is said of one that is hidden is what is said of one that there is not.
  static let requests: [(method: String, target: String, body: String)] = [
    ("GET", "/trainers?where=KEY%20=%20'pika'", ""), ("GET", "/trainers?sort=KEY", ""),
    ("GET", "/trainers?columns=KEY", ""), ("GET", "/trainers:count?where=not%20KEY%20is%20null", ""),
    ("GET", "/trainers?where=KEY%20starts%20with%20'p'", ""), ("GET", "/trainers?where=name%20=%20KEY", ""),
    ("GET", "/trainers?where=length(KEY)%20=%204", ""), ("GET", "/trainers?where=team.KEY%20is%20null", ""),
    ("GET", "/teams?where=any%20trainers%20by%20team%20(KEY%20=%20'pika')", ""),
    ("GET", "/teams?where=max(KEY%20of%20trainers%20by%20team)%20=%20'pika'", ""),
    ("GET", "/teams?where=count(trainers%20by%20team%20where%20KEY%20=%20'pika')%20=%201", ""),
    ("GET", "/teams?sort=max(KEY%20of%20trainers%20by%20team)", ""),
    ("GET", "/trainers:changes?where=KEY%20=%20'pika'", ""),
    ("POST", "/trainers:find", #"{"version":1,"query":{"key":"KEY","op":"=","value":"pika"}}"#),
    ("POST", "/trainers:aggregate", #"{"version":1,"aggregates":[{"aggregate":"min","key":"KEY"}]}"#),
    ("POST", "/trainers:aggregate", #"{"version":1,"aggregates":[{"aggregate":"count"}],"groups":["KEY"]}"#),
    ("POST", "/trainers:project", #"{"version":1,"columns":["KEY"]}"#),
    ("POST", "/trainers:project", #"{"version":1,"columns":["name"],"sort":[{"key":"KEY"}]}"#),
    ("PATCH", "/trainers/1", #"{"KEY":"x"}"#), ("POST", "/trainers", #"{"id":9,"name":"x","KEY":"y"}"#),
    ("PUT", "/trainers/1", #"{"name":"x","KEY":"y"}"#), ("POST", "/trainers?conflict=update:KEY", "[]"),
    (
      "POST", "/trainers:update",
      #"{"where":{"version":1,"query":{"key":"id","op":"=","value":1}},"set":[{"version":1,"key":"KEY","value":"x"}]}"#
    ),
    (
      "POST", "/trainers:update",
      #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"badges","expression":"length(KEY)"}]}"#
    ),
    ("POST", "/trainers:delete", #"{"where":{"version":1,"query":{"key":"KEY","op":"=","value":"pika"}}}"#),
  ]

  @Test("however it is asked for", arguments: requests.indices)
  func unknown(_ index: Int) async throws {
    let (method, target, body) = Self.requests[index]
    let served = try await Served()
    let service = try served.service(
      served.route.writing(\.name, \.badges, by: [.save, .update, .updateByQuery, .deleteByQuery]))
    var answers: [String] = []
    for (key, other) in [("secret", "budget"), ("sxcret", "bxdget")] {
      // The hidden column of the teams where the path leads there.
      let key = target.contains("team.KEY") ? other : key
      func named(_ text: String) -> String {
        text.split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: key)
      }
      let answer = try await service.answer(
        method, named(target), named(body), headers: ["Accept": "*/*"])
      #expect((400..<500).contains(answer.status), "\(answer)")
      answers.append("\(answer)".split(separator: key, omittingEmptySubsequences: false).joined(separator: "KEY"))
    }
    #expect(answers[0] == answers[1])
    #expect(!answers[0].contains("secret") && !answers[0].contains("budget"))
    #expect(try await served.trainers.findAll() == Trainer.samples)
    // The request makes sense: of a column that is shown it is answered.
    if body.contains("\"name\"") || target.contains("conflict") { return }
    func shown(_ text: String) -> String {
      text.split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: "name")
    }
    let answer = try await service.answer(method, shown(target), shown(body), headers: ["Accept": "*/*"], upTo: 0)
    #expect((200..<300).contains(answer.status), "\(answer)")
  }

  /// Names of the result, which orders and groups may name, too.
  @Test(
    "nor where a name of the result is its name",
    arguments: [
      #"{"version":1,"columns":["id",{"name":"KEY","key":"id"}],"sort":[{"key":"KEY"}]}"#,
      #"{"version":1,"columns":["id",{"name":"KEY","key":"team"}],"first":{"limit":1,"groups":["KEY"]}}"#,
      #"{"version":1,"columns":["id",{"name":"KEY","key":"id"}],"first":{"limit":1,"groups":["team"],"sort":[{"key":"KEY"}]}}"#,
      #"{"version":1,"columns":[{"name":"KEY","key":"id"}],"distinct":true,"sort":[{"key":"KEY"}]}"#,
    ])
  func namesOfResults(_ body: String) async throws {
    let service = try await Served().service()
    var answers: [String] = []
    for key in ["secret", "sxcret"] {
      let body = body.split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: key)
      let answer = try await service.answer("POST", "/trainers:project", body)
      #expect(answer.status == 200)
      answers.append(answer.text)
    }
    #expect(answers[0] == answers[1])
  }

  @Test("nor is a table named that no route shows")
  func tables() async throws {
    let served = try await Served()
    let service = try RepositoryService {
      served.route.writing(\.team, by: .update)
    }
    let requests = [
      ("GET", "/trainers?where=team.name%20=%20'Kanto'", "", 400), ("PATCH", "/trainers/1", #"{"team":99}"#, 422),
    ]
    for (method, target, body, status) in requests {
      let answer = try await service.answer(method, target, body)
      #expect(
        answer.status == status && !answer.text.contains("table team") && !answer.text.contains("row of team"),
        "\(answer)")
    }
  }

  @Test("nor is a table that restricts a deletion, though others are shown")
  func restrictingTable() async throws {
    let served = try await Served()
    let letters = try served.store.repository(of: Letter.self)
    let service = try RepositoryService {
      Route("teams", served.teams).readingAll().writingAll().allowing(.all)
      Route("letters", letters).readingAll()
    }
    let answer = try await service.answer("DELETE", "/teams/1")
    #expect(answer.status == 409 && answer.text.contains("can't delete an element of teams"), "\(answer)")
    #expect(!answer.text.contains("trainer"))
  }

  /// An element that another user reviews, in a column that its route can hide.
  private struct Order: Entity {
    let id: Int
    var reviewerID: Int?
    static let reviewer = ToOne(\Order.reviewerID, to: Account.self, isDeferred: true)
    static let schema = Schema("order", Order.init, Column("id", \.id), Column("reviewer_id", \.reviewerID))
      .references(reviewer)
  }

  @Test(
    "nor by a deferred reference to a deleted element, unless a route shows the reference", arguments: [false, true])
  func deferredReference(isShown: Bool) async throws {
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    let orders = try store.repository(of: Order.self)
    try await accounts.save(Account(id: 1, name: "Ash", pinCode: "1"))
    try await orders.save(Order(id: 1, reviewerID: 1))
    let service = try RepositoryService {
      Route("users", accounts).readingAll().writingAll().allowing(.all)
      isShown ? Route("orders", orders).readingAll() : Route("orders", orders).reading(\.id)
    }
    let answer = try await service.answer("DELETE", "/users/1")
    #expect(answer.status >= 400 && answer.status < 500, "\(answer)")
    #expect(answer.text.contains("reviewer_id") == isShown, "\(answer)")
    #expect(try await accounts.count(.true) == 1)
  }

  @Test("nor by a relation, where one of several routes of its table shows it")
  func severalRoutes() async throws {
    let served = try await Served()
    let service = try RepositoryService {
      served.route
      Route("all-trainers", served.trainers).readingAll().allowing(.all)
      served.teamRoute
    }
    for (column, status) in [("name", 200), ("secret", 400)] {
      let target = "/teams?where=any%20trainers%20by%20team%20(\(column)%20%3E%20'a')"
      #expect(try await service.answer("GET", target).status == status)
    }
  }

  /// An element whose hidden column is written with capitals.
  private struct Account: Entity {
    let id: Int
    var name: String
    var pinCode: String
    static let schema = Schema(
      "account", Account.init, Column("id", \.id), Column("name", \.name), Column("pinCode", \.pinCode))
  }

  @Test("nor where its name has capitals")
  func capitals() async throws {
    let accounts = try MemoryStore().repository(of: Account.self)
    let service = try RepositoryService {
      Route("accounts", accounts).reading(\.id, \.name).writing(\.name, by: [.save, .update])
    }
    let answer = try await service.answer("PUT", "/accounts/9", #"{"name":"x"}"#)
    #expect(answer.status == 422 && !answer.text.contains("pinCode"), "\(answer)")
  }

  @Test("nor in what a rule that it has says of a write")
  func conflicts() async throws {
    let served = try await Served()
    // Nothing but a new trainer's secret is the default of its column, which there is not here.
    #expect(throws: RepositoryError.self) { try served.service(served.route.writing(\.name, by: .insert)) }
    let service = try served.service(served.route.writing(\.name, \.badges, by: [.save, .update]))
    let taken = try await service.answer("PATCH", "/trainers/1", #"{"name":"Misty"}"#)
    #expect(taken.status == 409 && taken.text.contains("name"))
    let new = try await service.answer("PUT", "/trainers/9", #"{"name":"Gary"}"#)
    #expect(new.status == 422 && !new.text.contains("secret"), "\(new)")
  }

  @Test("and keeps its value where an element is saved without it")
  func kept() async throws {
    let served = try await Served()
    let service = try served.service(served.route.writing(\.name, \.badges, by: [.save]))
    let saved = try await service.answer("PUT", "/trainers/1", #"{"name":"Ash K."}"#)
    #expect(saved.description == #"200 {"id":1,"name":"Ash K.","badges":8,"team":1}"#)
    let lines = "{\"id\":2,\"name\":\"M\",\"badges\":1}\n{\"id\":3,\"name\":\"B\",\"badges\":null}\n"
    let many = try await service.answer("PUT", "/trainers", lines, headers: ["Content-Type": "application/x-ndjson"])
    #expect(many.description == "200 2")
    #expect(try await served.trainers.findAll().map(\.secret) == ["pika", "togepi", "onix"])
    #expect(try await served.trainers.findAll().map(\.name) == ["Ash K.", "M", "B"])
  }
}
