import Testing

@testable import RepositoryService

@Suite("A version is named in a field")
struct EntityTagTests {
  @Test(
    "by its tag in a list with blanks and tabs, or by a star",
    arguments: [
      ("TAG", true), (" \tTAG\t ", true), ("\"a\",\tTAG", true), ("\"a\"\t,\t TAG", true), ("*", true), ("\t*", true),
      ("W/TAG", false), ("\"a\"", false), ("", false), (nil, false), ("\nTAG", false), ("\u{A0}TAG", false),
    ] as [(String?, Bool)])
  func fields(_ field: String?, _ isNamed: Bool) {
    let tag = EntityTag(of: [1, 2, 3])
    let field = field?.replacing("TAG", with: tag.text)
    #expect(tag.isNamed(in: field) == isNamed)
    #expect(tag.isNamed(in: field, weakly: true) == (isNamed || field?.hasPrefix("W/") == true))
  }
}
