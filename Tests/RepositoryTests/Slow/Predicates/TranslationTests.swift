import Foundation
import Repository
import Testing

@Suite("A predicate becomes the query that says the same")
struct TranslationTests {
  @Test("Comparisons", arguments: TranslationCase.comparisons)
  func comparisons(_ example: TranslationCase) throws { try example.check() }

  @Test("nil", arguments: TranslationCase.nilTests)
  func nilTests(_ example: TranslationCase) throws { try example.check() }

  @Test("Values in place of nil", arguments: TranslationCase.coalescing)
  func coalescing(_ example: TranslationCase) throws { try example.check() }

  @Test("Optional chains and bindings", arguments: TranslationCase.chains + TranslationCase.chainsOfConditions)
  func chains(_ example: TranslationCase) throws { try example.check() }

  @Test("Lists", arguments: TranslationCase.lists)
  func lists(_ example: TranslationCase) throws { try example.check() }

  @Test("Ranges", arguments: TranslationCase.ranges + TranslationCase.rangesOfProperties)
  func ranges(_ example: TranslationCase) throws { try example.check() }

  @Test("Texts", arguments: TranslationCase.texts)
  func texts(_ example: TranslationCase) throws { try example.check() }

  @Test("Logic", arguments: TranslationCase.logic)
  func logic(_ example: TranslationCase) throws { try example.check() }

  @Test("A computed property that has a column of its own")
  func computedColumn() throws {
    #expect(try AnyQuery(#Predicate<Note> { $0.text.isEmpty }).description == "blank = 1")
    #expect(try AnyQuery(#Predicate<Note> { $0.title.isEmpty }).description == "title = ''")
    #expect(try AnyQuery(#Predicate<Note> { $0.length > 3 }).description == "length > 3")
  }

  private struct Note: Entity {
    let id: Int
    var title: String
    var text: String
    var length: Int { text.count }

    static let schema = Schema(
      "note", columns: Column("id", \.id), Column("title", \.title), Column("text", \.text),
      Column("blank", \.text.isEmpty), Column("length", \.length)
    ) { row in
      Note(id: try row.read("id"), title: try row.read("title"), text: try row.read("text"))
    }
  }

  @Test("Captured values", arguments: TranslationCase.capturedValues)
  func capturedValues(_ example: TranslationCase) throws { try example.check() }
}

extension TranslationCase {
  /// Translates the predicate and compares what comes out.
  fileprivate func check() throws {
    let translated = try AnyQuery(predicate)
    #expect(translated == query)
    #expect(translated.description == text)
  }
}

/// A predicate, and the query that it has to become.
struct TranslationCase: Sendable, CustomTestStringConvertible {
  let source: String
  let predicate: Predicate<Animal>
  let query: AnyQuery
  let text: String

  init(_ source: String, _ predicate: Predicate<Animal>, _ query: AnyQuery, _ text: String) {
    self.source = source
    self.predicate = predicate
    self.query = query
    self.text = text
  }

  var testDescription: String { source }
}

extension TranslationCase {
  private static let four = 4
  private static let cat = Animal.Family.cat
  private static let noFamily: Animal.Family? = nil
  private static let medium = Animal.Size.medium
  private static let birth = Date(timeIntervalSinceReferenceDate: 0)
  private static let code = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  private static let photo: [UInt8] = [1, 2]

  static let comparisons: [TranslationCase] = [
    TranslationCase("legs == 4", #Predicate { $0.legs == 4 }, .equal(key: "legs", value: 4), "legs = 4"),
    TranslationCase("legs != 4", #Predicate { $0.legs != 4 }, .notEqual(key: "legs", value: 4), "legs != 4"),
    TranslationCase("legs < 4", #Predicate { $0.legs < 4 }, .lessThan(key: "legs", value: 4), "legs < 4"),
    TranslationCase("legs <= 4", #Predicate { $0.legs <= 4 }, .lessThanOrEqual(key: "legs", value: 4), "legs <= 4"),
    TranslationCase("legs > 4", #Predicate { $0.legs > 4 }, .greaterThan(key: "legs", value: 4), "legs > 4"),
    TranslationCase("legs >= 4", #Predicate { $0.legs >= 4 }, .greaterThanOrEqual(key: "legs", value: 4), "legs >= 4"),

    TranslationCase("4 == legs", #Predicate { 4 == $0.legs }, .equal(key: "legs", value: 4), "legs = 4"),
    TranslationCase("4 != legs", #Predicate { 4 != $0.legs }, .notEqual(key: "legs", value: 4), "legs != 4"),
    TranslationCase("4 < legs", #Predicate { 4 < $0.legs }, .greaterThan(key: "legs", value: 4), "legs > 4"),
    TranslationCase("4 <= legs", #Predicate { 4 <= $0.legs }, .greaterThanOrEqual(key: "legs", value: 4), "legs >= 4"),
    TranslationCase("4 > legs", #Predicate { 4 > $0.legs }, .lessThan(key: "legs", value: 4), "legs < 4"),
    TranslationCase("4 >= legs", #Predicate { 4 >= $0.legs }, .lessThanOrEqual(key: "legs", value: 4), "legs <= 4"),

    TranslationCase(
      "legs == wings", #Predicate { $0.legs == $0.wings }, .equal(key: "legs", otherKey: "wings"), "legs = wings"),
    TranslationCase(
      "legs < wings", #Predicate { $0.legs < $0.wings }, .lessThan(key: "legs", otherKey: "wings"), "legs < wings"),
    TranslationCase(
      "wings >= legs", #Predicate { $0.wings >= $0.legs }, .greaterThanOrEqual(key: "wings", otherKey: "legs"),
      "wings >= legs"),

    TranslationCase("legs == -1", #Predicate { $0.legs == -1 }, .equal(key: "legs", value: -1), "legs = -1"),
    TranslationCase(
      "weight > 1.5", #Predicate { $0.weight > 1.5 }, .greaterThan(key: "weight", value: 1.5), "weight > 1.5"),
    TranslationCase("name == 'ab'", #Predicate { $0.name == "ab" }, .equal(key: "name", value: "ab"), "name = 'ab'"),
    TranslationCase(
      "name >= 'b'", #Predicate { $0.name >= "b" }, .greaterThanOrEqual(key: "name", value: "b"), "name >= 'b'"),
    TranslationCase(
      "family == cat", #Predicate { $0.family == cat }, .equal(key: "family", value: cat), "family = 'cat'"),
    TranslationCase(
      "mimics == cat", #Predicate { $0.mimics == cat }, .equal(key: "mimics", value: cat), "mimics = 'cat'"),
    TranslationCase(
      "mimics != hunts", #Predicate { $0.mimics != $0.hunts }, .notEqual(key: "mimics", otherKey: "hunts"),
      "mimics != hunts"),
    TranslationCase(
      "size > medium", #Predicate { $0.size > medium }, .greaterThan(key: "size", value: 2), "size > 2"),
    TranslationCase(
      "born <= birth", #Predicate { $0.born <= birth }, .lessThanOrEqual(key: "born", value: birth),
      "born <= '2001-01-01T00:00:00.000000000Z'"),
    TranslationCase(
      "code < code", #Predicate { $0.code < code }, .lessThan(key: "code", value: code),
      "code < '00010203-0405-0607-0809-0a0b0c0d0e0f'"),
    TranslationCase(
      "photo == photo", #Predicate { $0.photo == photo }, .equal(key: "photo", value: photo), "photo = x'0102'"),
    TranslationCase(
      "home.latitude < 1", #Predicate { $0.home.latitude < 1 }, .lessThan(key: "latitude", value: 1.0),
      "latitude < 1.0"),
  ]
}

extension TranslationCase {
  private static let search = ""
  private static let ten = 10.0
  private static let isOn = true
  private static let settings = Settings()
  private static let words = ["a", "b"]

  private struct Settings: Codable {
    var minimum = 3
    var nested = Nested()

    struct Nested: Codable {
      var isStrict = false
    }
  }

  static let logic: [TranslationCase] = [
    TranslationCase("true", #Predicate { _ in true }, .true, "true"),
    TranslationCase("false", #Predicate { _ in false }, .false, "false"),
    TranslationCase("isTame", #Predicate { $0.isTame }, .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase("!isTame", #Predicate { !$0.isTame }, !.equal(key: "tame", value: true), "not tame = 1"),
    TranslationCase(
      "isTame == false", #Predicate { $0.isTame == false }, .equal(key: "tame", value: false), "tame = 0"),
    TranslationCase(
      "isTame && legs > 2", #Predicate { $0.isTame && $0.legs > 2 },
      .equal(key: "tame", value: true) && .greaterThan(key: "legs", value: 2), "tame = 1 and legs > 2"),
    TranslationCase(
      "isTame || !(legs > 2)", #Predicate { $0.isTame || !($0.legs > 2) },
      .equal(key: "tame", value: true) || !.greaterThan(key: "legs", value: 2), "tame = 1 or not legs > 2"),
    TranslationCase(
      "nested", #Predicate { ($0.legs > 2 || $0.wings > 1) && !($0.legs == 4 && $0.isTame) },
      (.greaterThan(key: "legs", value: 2) || .greaterThan(key: "wings", value: 1))
        && !(.equal(key: "legs", value: 4) && .equal(key: "tame", value: true)),
      "(legs > 2 or wings > 1) and not (legs = 4 and tame = 1)"),
    TranslationCase(
      "isTame == (legs > 2)", #Predicate { $0.isTame == ($0.legs > 2) },
      (.equal(key: "tame", value: true) && .greaterThan(key: "legs", value: 2))
        || (!.equal(key: "tame", value: true) && !.greaterThan(key: "legs", value: 2)),
      "tame = 1 and legs > 2 or not tame = 1 and not legs > 2"),
    TranslationCase(
      "legs > 2 ? isTame : wings > 1", #Predicate { $0.legs > 2 ? $0.isTame : $0.wings > 1 },
      (.greaterThan(key: "legs", value: 2) && .equal(key: "tame", value: true))
        || (!.greaterThan(key: "legs", value: 2) && .greaterThan(key: "wings", value: 1)),
      "legs > 2 and tame = 1 or not legs > 2 and wings > 1"),
    TranslationCase(
      "if else", #Predicate { if $0.isTame { $0.legs > 2 } else { false } },
      .equal(key: "tame", value: true) && .greaterThan(key: "legs", value: 2), "tame = 1 and legs > 2"),
  ]

  static let capturedValues: [TranslationCase] = [
    TranslationCase(
      "captured ? a : b", #Predicate { isOn ? $0.legs > 2 : $0.legs < 2 },
      .greaterThan(key: "legs", value: 2), "legs > 2"),
    TranslationCase(
      "captured ? value : value", #Predicate { $0.legs > (isOn ? 2 : 4) }, .greaterThan(key: "legs", value: 2),
      "legs > 2"),
    TranslationCase(
      "captured ? property : property", #Predicate { (isOn ? $0.legs : $0.wings) > 2 },
      .greaterThan(key: "legs", value: 2), "legs > 2"),
    TranslationCase("search.isEmpty || …", #Predicate { search.isEmpty || $0.name.contains(search) }, .true, "true"),
    TranslationCase("search == '' || …", #Predicate { search == "" || $0.name.contains(search) }, .true, "true"),
    TranslationCase("isOn && isTame", #Predicate { isOn && $0.isTame }, .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase("isTame && isOn", #Predicate { $0.isTame && isOn }, .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase("isTame || isOn", #Predicate { $0.isTame || isOn }, .true, "true"),
    TranslationCase("isOn || refused", #Predicate { isOn || $0.name.count > 3 }, .true, "true"),
    TranslationCase("!isOn && refused", #Predicate { !isOn && $0.name.count > 3 }, .false, "false"),
    TranslationCase(
      "settings.minimum", #Predicate { $0.legs > settings.minimum }, .greaterThan(key: "legs", value: 3), "legs > 3"),
    TranslationCase(
      "settings.nested.isStrict", #Predicate { settings.nested.isStrict || $0.legs > 3 },
      .greaterThan(key: "legs", value: 3), "legs > 3"),
    TranslationCase(
      "words.count", #Predicate { $0.legs > words.count }, .greaterThan(key: "legs", value: 2), "legs > 2"),
    TranslationCase(
      "four * 2 + 1", #Predicate { $0.legs < four * 2 + 1 }, .lessThan(key: "legs", value: 9), "legs < 9"),
    TranslationCase(
      "ten / 4 - 1", #Predicate { $0.weight < ten / 4 - 1 }, .lessThan(key: "weight", value: 1.5), "weight < 1.5"),
    TranslationCase(
      "weight * 2", #Predicate { $0.weight * 2 > 4 }, .compare(.key("weight") * 2.0, .greaterThan, value: 4.0),
      "weight * 2.0 > 4.0"),
    TranslationCase(
      "weight / 2", #Predicate { $0.weight / 2 > 4 }, .compare(.key("weight") / 2.0, .greaterThan, value: 4.0),
      "weight / 2.0 > 4.0"),
    TranslationCase(
      "legs + wings - 1", #Predicate { $0.legs + $0.wings - 1 == 3 },
      .compare(.key("legs") + .key("wings") - 1, .equal, value: 3), "legs + wings - 1 = 3"),
    TranslationCase(
      "legs % 2", #Predicate { $0.legs % 2 == 0 }, .compare(.key("legs") % 2, .equal, value: 0), "legs % 2 = 0"),
    TranslationCase(
      "legs / 2", #Predicate { $0.legs / 2 > -$0.wings }, .compare(.key("legs") / 2, .greaterThan, -.key("wings")),
      "legs / 2 > -wings"),
    TranslationCase(
      "(eggs ?? 0) * four", #Predicate { ($0.eggs ?? 0) * four < 9 },
      .compare(.coalesce(.key("eggs"), 0) * 4, .lessThan, value: 9), "coalesce(eggs, 0) * 4 < 9"),
    TranslationCase(
      "-ten", #Predicate { $0.weight > -ten }, .greaterThan(key: "weight", value: -10.0), "weight > -10.0"),
    TranslationCase(
      "words.contains('a')", #Predicate { words.contains("a") && $0.isTame },
      .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase(
      "'ab'.contains('a')", #Predicate { "ab".contains("a") && $0.isTame },
      .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase(
      "'ab'.starts(with: 'b')", #Predicate { "ab".starts(with: "b") || $0.isTame },
      .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase(
      "(1...3).contains(four)", #Predicate { (1...3).contains(four) || $0.isTame },
      .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase("four > 3", #Predicate { four > 3 && $0.isTame }, .equal(key: "tame", value: true), "tame = 1"),
    TranslationCase("nothing of the row", #Predicate { _ in four != 4 }, .false, "false"),
  ]
}

extension TranslationCase {
  private static let text = "ab"

  static let texts: [TranslationCase] = [
    TranslationCase(
      "name.contains('ab')", #Predicate { $0.name.contains("ab") }, .contains(key: "name", value: "ab"),
      "name contains 'ab'"),
    TranslationCase(
      "name.contains(captured)", #Predicate { $0.name.contains(text) }, .contains(key: "name", value: "ab"),
      "name contains 'ab'"),
    TranslationCase(
      "name.contains('')", #Predicate { $0.name.contains("") }, .contains(key: "name", value: ""), "name contains ''"),
    TranslationCase(
      "'ab'.allSatisfy { name.contains($0) }", #Predicate { animal in text.allSatisfy { animal.name.contains($0) } },
      .contains(key: "name", value: "a") && .contains(key: "name", value: "b"),
      "name contains 'a' and name contains 'b'"),
    TranslationCase(
      "name.starts(with: 'ab')", #Predicate { $0.name.starts(with: "ab") }, .hasPrefix(key: "name", value: "ab"),
      "name starts with 'ab'"),
    TranslationCase(
      "name.starts(with: '')", #Predicate { $0.name.starts(with: "") }, .hasPrefix(key: "name", value: ""),
      "name starts with ''"),
    TranslationCase(
      "(nick ?? 'ab').contains('a')", #Predicate { ($0.nick ?? "ab").contains("a") },
      .contains(key: "nick", value: "a") || .isNull(key: "nick"), "nick contains 'a' or nick is null"),
    TranslationCase(
      "(nick ?? '').starts(with: 'a')", #Predicate { ($0.nick ?? "").starts(with: "a") },
      .hasPrefix(key: "nick", value: "a"), "nick starts with 'a'"),
    TranslationCase(
      "(nick ?? name).contains('a')", #Predicate { ($0.nick ?? $0.name).contains("a") },
      .contains(key: "nick", value: "a") || (.isNull(key: "nick") && .contains(key: "name", value: "a")),
      "nick contains 'a' or nick is null and name contains 'a'"),
    TranslationCase("name.isEmpty", #Predicate { $0.name.isEmpty }, .equal(key: "name", value: ""), "name = ''"),
    TranslationCase(
      "!name.isEmpty", #Predicate { !$0.name.isEmpty }, !.equal(key: "name", value: ""), "not name = ''"),
    TranslationCase(
      "photo.isEmpty", #Predicate { $0.photo.isEmpty }, .equal(key: "photo", value: [UInt8]()), "photo = x''"),
    TranslationCase(
      "(nick ?? '') == name", #Predicate { ($0.nick ?? "") == $0.name },
      (.isNotNull(key: "nick") && .equal(key: "nick", otherKey: "name"))
        || (.isNull(key: "nick") && .equal(key: "name", value: "")),
      "nick is not null and nick = name or nick is null and name = ''"),
  ]
}
