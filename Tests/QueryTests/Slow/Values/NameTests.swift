@testable import Query
import Query
import Testing

@Suite("Names")
struct NameComparisonTests {
  @Test(
    "are the same by their bytes, and for SQLite whatever the case of ASCII's letters",
    arguments: [
      ("name", "name", true, true), ("name", "Name", false, true), ("a_Z[", "A_z[", false, true),
      ("@[`{", "`{@[", false, false), ("\u{E9}", "e\u{301}", false, false), ("\u{E9}", "\u{C9}", false, false),
      ("K", "\u{212A}", false, false), ("", "", true, true), ("a", "ab", false, false),
    ] as [(String, String, Bool, Bool)])
  func comparison(name: String, other: String, isExact: Bool, isSame: Bool) {
    #expect((Name(name) == other) == isExact)
    #expect((Set([Name(name), Name(other)]).count == 1) == isExact)
    #expect([other].contains(named: name) == isExact)
    #expect((Name(name).folded == Name(other).folded) == isSame)
    #expect(Name(name).equalsFolded(other) == isSame)
  }

  @Test("of tables, columns and rules tell composed characters from decomposed ones")
  func schemas() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    func table(_ name: String, _ column: String) throws -> TableSchema {
      try TableSchema(name, columns: [ColumnSchema(column, .integer)], primaryKey: [column])
    }
    #expect(try table(composed, "id") != table(decomposed, "id"))
    #expect(try table("t", composed) != table("t", decomposed))
    #expect(CheckRule(composed, .true) != CheckRule(decomposed, .true))
    #expect(
      ReferenceRule(["a"], to: composed, key: ["id"]) != ReferenceRule(["a"], to: decomposed, key: ["id"]))
    #expect(
      ReferenceRule([composed], to: "t", key: ["id"]) != ReferenceRule([decomposed], to: "t", key: ["id"]))
    #expect(AnyQuery.isNull(key: composed) != .isNull(key: decomposed))
  }

  @Test("of values: identical ones are stored in the same way")
  func identity() {
    #expect(Value.integer(1) == .real(1) && !Value.integer(1).isIdentical(to: .real(1)))
    #expect(!Value.real(0.0).isIdentical(to: .real(-0.0)))
    #expect(!Value.text("\u{E9}").isIdentical(to: .text("e\u{301}")))
    #expect(Value.null.isIdentical(to: .null) && Value.blob([1]).isIdentical(to: .blob([1])))
  }
}

@Suite("The nearest name is the suggestion")
struct NearestNameTests {
  static let columns = ["id", "name", "weight", "height", "attack", "defense", "specialAttack"]

  @Test(
    "Names, and which column they probably mean",
    arguments: [
      ("weight", "weight"), ("Weight", "weight"), ("WEIGHT", "weight"),
      ("wieght", "weight"), ("weigth", "weight"), ("weigh", "weight"), ("weightt", "weight"), ("eight", "weight"),
      ("heigt", "height"), ("hieght", "height"), ("veight", "weight"),
      ("nmae", "name"), ("names", "name"), ("nam", "name"), ("nme", "name"), ("di", "id"), ("ID", "id"), ("i", "id"),
      ("specialattack", "specialAttack"), ("special_attack", "specialAttack"), ("specialAtack", "specialAttack"),
      ("atack", "attack"), ("defence", "defense"),
      // More than a third would have to change.
      ("wght", nil), ("mass", nil), ("", nil), ("strength", nil), ("specialAttackAndDefense", nil), ("xy", nil),
      ("ähnlich", nil), ("🔥", nil),
    ] as [(String, String?)])
  func table(name: String, nearest: String?) {
    #expect(NearestName.nearest(to: name, in: Self.columns) == nearest)
  }

  @Test("A short name may have one edit, a longer one more")
  func allowedEdits() {
    #expect(NearestName.nearest(to: "abc", in: ["abd"]) == "abd")
    #expect(NearestName.nearest(to: "abc", in: ["add"]) == nil)
    #expect(NearestName.nearest(to: "abcdef", in: ["abcdxy"]) == "abcdxy")
    #expect(NearestName.nearest(to: "abcdef", in: ["abcxyz"]) == nil)
    #expect(NearestName.nearest(to: "abcdefghi", in: ["abcdefxyz"]) == "abcdefxyz")
    #expect(NearestName.nearest(to: "abcdefghi", in: ["abcdewxyz"]) == nil)
  }

  @Test("Of several the one with the fewest edits, and of those the first")
  func severalCandidates() {
    #expect(NearestName.nearest(to: "height", in: ["weight", "heights", "height"]) == "height")
    #expect(NearestName.nearest(to: "eight", in: ["weight", "height"]) == "weight")
    #expect(NearestName.nearest(to: "eight", in: ["height", "weight"]) == "height")
  }

  @Test("There may be no candidates, or one that is empty")
  func noCandidates() {
    #expect(NearestName.nearest(to: "a", in: []) == nil)
    #expect(NearestName.nearest(to: "abc", in: [""]) == nil)
    #expect(NearestName.nearest(to: "", in: ["abc"]) == nil)
  }

  @Test("A name of 100 kB has no nearest name, and is compared all the same")
  func longName() {
    #expect(NearestName.nearest(to: String(repeating: "weight", count: 16_000), in: Self.columns) == nil)
  }
}
