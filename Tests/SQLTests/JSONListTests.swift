import Query
import SQL
import Testing

@Suite("A long list becomes one JSON text")
struct JSONListTests {
  @Test("integers and plain texts are plain JSON")
  func plain() {
    #expect(JSONList([1, -2, "a\"b\\c\n\u{1F}é"]).json == #"[1,-2,"a\"b\\c\n\u001fé"]"#)
    #expect(!JSONList([1, "a"]).isCoded)
  }

  @Test("what JSON would not keep exactly comes back by its code")
  func coded() {
    let values: [Value] = [
      .real(0.1), .real(-.infinity), .real(.leastNonzeroMagnitude), .blob([0, 255, 16]), .blob([]), "a\0b", "", "r12",
      "e\u{301}", "\u{301}",
    ]
    let list = JSONList(values)
    #expect(list.isCoded)
    // None of these texts needs more of JSON than what stands between the quotes.
    let items = list.json.dropFirst(2).dropLast(2).split(separator: "\",\"", omittingEmptySubsequences: false)
    #expect(items.map { JSONList.item(.text(String($0))) } == values)
  }

  @Test("an item that is no coded text stands for itself")
  func uncoded() {
    #expect(JSONList.item(5) == 5)
    #expect(JSONList.item("") == "")
    for damaged in ["b!!", "b0", "bé", "h", "hff", "hzz", "rx", "r"] as [Value] where damaged != "h" {
      #expect(JSONList.item(damaged) == damaged)
    }
  }
}
