import Query
import TestSupport
import Testing

@Suite("Places in JSON texts")
struct JSONPointerTests {
  @Test(
    "are read from their text form",
    arguments: [
      ([], ""), (["a", "b"], "/a/b"), (["a/b", "~1"], "/a~1b/~01"), ([""], "/"), (["", ""], "//"),
      (["\u{301}"], "/\u{301}"),
      (["é", "0"], "/é/0"),
    ] as [([String], String)])
  func text(steps: [String], text: String) {
    #expect(JSONPointer(steps).description == text)
    #expect(JSONPointer(parsing: text) == JSONPointer(steps))
  }

  @Test(
    "lead to values",
    arguments: [
      (#"{"a": 1}"#, [], "'{\"a\": 1}'"), (" 5 ", [], "5"), (#""x""#, [], "'x'"), ("\u{FEFF}[1]", ["0"], "1"),
      (#"{"a": 1, "b": 2, "\u0061": 3}"#, ["a"], "3"), (#"{"a": "\u00e9\ud83d\ude00\n"}"#, ["a"], "'é😀\n'"),
      (#"{"a": "\u0000"}"#, ["a"], "'\0'"),
      (#"{"a\"b": {"": -0}}"#, ["a\"b", ""], "0"), ("[[1, 2], [3]]", ["1", "0"], "3"), ("[1, 2]", ["01"], "null"),
      ("[1, 2]", ["-1"], "null"), ("[1, 2]", ["99999999999"], "null"), ("[]", ["0"], "null"), ("{}", ["a"], "null"),
      ("[1e400]", ["0"], "9e999"), ("[-1.5e3]", ["0"], "-1500.0"), ("", [], "null"), ("{\"a\": 1} x", ["a"], "null"),
      (#"{"a": 1, "b": "\ud83d"}"#, ["a"], "null"), ("{'a': 1}", ["a"], "null"), ("[1, ]", ["0"], "null"),
      (String(repeating: "[", count: 100_000), ["0"], "null"), ("Rome", ["a"], "null"),
    ] as [(String, [String], String)])
  func value(json: String, steps: [String], value: String) {
    #expect(JSONPointer(steps).value(in: .text(json)).description == value)
  }

  @Test(
    "lead to the values of which a random text was made, and nowhere in one that is broken", arguments: SplitMix64.seeds
  )
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Effort.rounds(20_000) {
      let json = RandomJSON(using: &random)
      let steps = json.path(using: &random)
      let found = JSONPointer(steps).value(in: .text(json.text))
      guard found.description == json.value(at: steps).description else {
        Issue.record("\(found) rather than \(json.value(at: steps)) at \(steps) of \(json.text), seed \(seed)")
        return
      }
      let invalid = RandomJSON.invalidText(using: &random)
      if !JSONPointer(steps).value(in: .text(invalid)).isNull || JSONPointer.isJSON(.text(invalid)) {
        Issue.record("\(steps) lead somewhere in \(invalid), seed \(seed)")
        return
      }
    }
  }

  @Test("lead nowhere in values that are not text", arguments: [.null, 5, 1.5, .blob(Array("[1]".utf8))] as [Value])
  func others(value: Value) {
    #expect(JSONPointer(["0"]).value(in: value).isNull)
    #expect(!JSONPointer.isJSON(value) && !JSONPointer.isContainer(value))
  }

  @Test("have the names of an object")
  func names() {
    let json: Value = #"{"a": {"x y": 1, "\u0062": [2], "x y": 3}, "c": []}"#
    #expect(JSONPointer([]).names(in: json) == ["a", "c"])
    #expect(JSONPointer(["a"]).names(in: json) == ["x y", "b", "x y"])
    #expect(JSONPointer(["c"]).names(in: json).isEmpty)
  }
}
