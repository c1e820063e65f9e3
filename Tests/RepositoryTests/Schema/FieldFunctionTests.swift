import Foundation
import Query
import Repository
import Testing

@Suite("Functions of fields are the functions of the text form")
struct FieldFunctionTests {
  static let calls: [(AnyQuery, String)] = [
    (AnyQuery(Creature.self) { $0.name.trimmed == "a" }, "trim(name) = 'a'"),
    (AnyQuery(Creature.self) { $0.nickname.trimmed == "a" }, "trim(nickname) = 'a'"),
    (AnyQuery(Creature.self) { $0.name.prefix(3) == "Cha" }, "substring(name, 1, 3) = 'Cha'"),
    (AnyQuery(Creature.self) { $0.name.substring(from: 2) == "b" }, "substring(name, 2) = 'b'"),
    (AnyQuery(Creature.self) { $0.name.replacing("-", with: "") == "ab" }, "replace(name, '-', '') = 'ab'"),
    (AnyQuery(Creature.self) { $0.name.position(of: "b") > 1 }, "position(name, 'b') > 1"),
    (AnyQuery(Creature.self) { $0.name.part(2, separatedBy: "@") == "b" }, "part(name, '@', 2) = 'b'"),
    (AnyQuery(Creature.self) { $0.weight.rounded(to: 2) == 1.5 }, "round(weight, 2) = 1.5"),
    (AnyQuery(Creature.self) { $0.height.rounded() == 1 }, "round(height, 0) = 1.0"),
    (AnyQuery(Creature.self) { $0.name.integer > 1 }, "integer(name) > 1"),
    (AnyQuery(Creature.self) { $0.name.number == 1.5 }, "number(name) = 1.5"),
    (AnyQuery(Creature.self) { $0.attack.sign == 1 }, "sign(attack) = 1"),
    (AnyQuery(Creature.self) { $0.weight.squareRoot < 2 }, "squareRoot(weight) < 2.0"),
    (AnyQuery(Creature.self) { .least($0.attack, $0.defense) > 2 }, "least(attack, defense) > 2"),
    (
      AnyQuery(Creature.self) { .greatest($0.attack, $0.defense, $0.id) > 2 }, "greatest(attack, defense, id) > 2"
    ),
    (AnyQuery(Creature.self) { $0.seen.quarter == 1 }, "quarter(seen) = 1"),
    (AnyQuery(Creature.self) { $0.seen.week == $0.seen.weekYear }, "week(seen) = weekYear(seen)"),
    (AnyQuery(Creature.self) { $0.seen.adding(days: 30) > $0.seen }, "addDays(seen, 30) > seen"),
    (AnyQuery(Creature.self) { $0.seen.adding(months: -1) == nil }, "addMonths(seen, -1) is null"),
    (AnyQuery(Creature.self) { $0.seen.days(to: $0.seen) == 0 }, "daysBetween(seen, seen) = 0"),
    (AnyQuery(Creature.self) { $0.seen.seconds(to: $0.seen) == 0 }, "secondsBetween(seen, seen) = 0"),
  ]

  @Test("A closure makes the query that the text makes", arguments: calls)
  func queries(query: AnyQuery, text: String) throws {
    #expect(query.description == text)
    #expect(try AnyQuery(parsing: text) == query)
  }

  @Test("A date some days later is compared with a Date, and a part of a text is selected")
  func results() async throws {
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let creatures = try MemoryStore().repository(of: Creature.self)
    try await creatures.insert([
      Creature(id: 1, name: "Bulba-saur", element: .grass, seen: date), Creature(id: 2, name: "Mew", element: .fire),
    ])
    let later = try await creatures.filter { $0.seen.adding(days: 2) > date }.all()
    #expect(later.map(\.id) == [1])
    let parts = try await creatures.sorted { $0.id.ascending }.select { $0.name.part(2, separatedBy: "-") }
    #expect(parts == ["saur", nil])
  }

  @Test(
    "A wrong number of arguments, or an argument of another kind, is an error that shows the call",
    arguments: [
      ("replace(name, 'a') = 'b'", "write replace(text, part, replacement)"),
      ("substring(name) = 'b'", "write substring(text, start, count)"),
      ("part(name, ',', 1, 2) = 'b'", "expected an operation or `)`, found `,`"),
      ("position(name) = 1", "write position(text, part)"), ("least(id) = 1", "write least(a, b, …)"),
      ("substr(name, 1, 2) = 'a'", "write substring(…, …, …)"), ("datediff(seen, seen) = 1", "write daysBetween(…, …)"),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: text) }
    let words = [error?.summary, error?.suggestion].compactMap(\.self).joined(separator: " ")
    #expect(words.contains(message))
  }
}
