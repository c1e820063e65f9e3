import Testing

@testable import Query

@Suite("Names")
struct NameComparisonTests {
  @Test(
    "are the same by their bytes, and for SQLite whatever the case of ASCII's letters",
    arguments: [
      ("name", "name", true, true), ("name", "Name", false, true), ("a_Z[", "A_z[", false, true),
      ("@[`{", "`{@[", false, false), ("\u{E9}", "e\u{301}", false, false), ("\u{E9}", "\u{C9}", false, false),
      ("K", "\u{212A}", false, false), ("", "", true, true), ("a", "ab", false, false),
    ])
  func comparison(name: String, other: String, isExact: Bool, isSame: Bool) {
    #expect(name.isExactly(other) == isExact)
    #expect([other].containsExactly(name) == isExact)
    #expect(name.isSameName(as: other) == isSame)
    #expect((name.asciiLowercased == other.asciiLowercased) == isSame)
  }

  @Test("of values: identical ones are stored in the same way")
  func identity() {
    #expect(Value.integer(1) == .real(1) && !Value.integer(1).isIdentical(to: .real(1)))
    #expect(!Value.real(0.0).isIdentical(to: .real(-0.0)))
    #expect(!Value.text("\u{E9}").isIdentical(to: .text("e\u{301}")))
    #expect(Value.null.isIdentical(to: .null) && Value.blob([1]).isIdentical(to: .blob([1])))
  }
}
