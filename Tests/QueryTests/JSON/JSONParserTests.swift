import Foundation
import Query
import Testing

/// JSON as such: what RFC 8259 allows is read, what it does not is an error with its place.
@Suite("JSON texts")
struct JSONTextTests {
  /// Any JSON at all.
  struct Whole: JSONCodable {
    let jsonValue: JSONValue
    init(jsonValue: JSONValue) { self.jsonValue = jsonValue }
  }

  @Test(
    "What is read is written alike",
    arguments: [
      "null", "true", "false", "0", "-1", "1.5", "\"\"", "[]", "{}", "[[],{}]", "[1,[2,[3]],4]",
      #"{"a":{"b":[{}]},"":null}"#, #"["\"\\\u0000\n"]"#, "[\"\u{2028}e\u{301}\u{7F}/\"]",
      "[9223372036854775807,-9223372036854775808]", "[1e+300,-0.0,5e-324]", #"{"a/":"/"}"#,
    ])
  func roundTrips(json: String) throws {
    let value = try Whole(json: json).jsonValue
    #expect(value.description == json)
    // Foundation agrees about what it says.
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) == value)
    #expect(try Whole(json: JSONEncoder().encode(value)).jsonValue == value)
  }

  @Test(
    "What is no JSON says where it goes wrong",
    arguments: [
      ("", "expected a value, found the end of the text, at line 1, column 1", "", nil),
      (" \n  ", "expected a value, found the end of the text, at line 2, column 3", "", nil),
      ("nul", "expected a value, found `nul`, at line 1, column 1", "", nil),
      ("True", "expected a value, found `True`, at line 1, column 1", "", "write true"),
      ("[None]", "expected a value, found `None`, at line 1, column 2", "/0", "write null"),
      ("[NaN]", "expected a value, found `NaN`, at line 1, column 2", "/0", "write null"),
      ("[-Infinity]", "expected a digit, found `Infinity`, at line 1, column 3", "/0", #"write {"real": "-infinity"}"#),
      ("Infinity", "expected a value, found `Infinity`, at line 1, column 1", "", #"write {"real": "infinity"}"#),
      ("true false", "expected the end of the text, found `false`, at line 1, column 6", "", nil),
      ("{} ]", "expected the end of the text, found `]`, at line 1, column 4", "", nil),
      ("[1", "expected `,` or `]`, found the end of the text, at line 1, column 3", "/1", nil),
      ("[1 2]", "expected `,` or `]`, found `2`, at line 1, column 4", "/1", nil),
      ("[1,]", "expected a value, found `]`, at line 1, column 4", "/1", "remove the last comma"),
      ("[,1]", "expected a value, found `,`, at line 1, column 2", "/0", nil),
      ("[1}", "expected `,` or `]`, found `}`, at line 1, column 3", "/1", nil),
      ("{1:2}", "expected a name in double quotes, found `1`, at line 1, column 2", "", nil),
      (
        "{'a':1}", "expected a name in double quotes, found `'a'`, at line 1, column 2", "",
        "put names and texts in double quotes"
      ),
      (#"{"a" 1}"#, "expected `:`, found `1`, at line 1, column 6", "/a", nil),
      (#"{"a":}"#, "expected a value, found `}`, at line 1, column 6", "/a", nil),
      (
        #"{"a":1,}"#, "expected a name in double quotes, found `}`, at line 1, column 8", "", "remove the last comma"
      ),
      (#"{"a":1 "b":2}"#, "expected `,` or `}`, found `\"b\"`, at line 1, column 8", "", nil),
      (#"{"a":{"b":[0,{"c/~":x}]}}"#, "expected a value, found `x`, at line 1, column 21", "/a/b/1/c~1~0", nil),
      (
        "[01]", "a number has a leading zero, at line 1, column 2", "/0",
        "put the number in double quotes if the zero matters"
      ),
      ("[-]", "expected a digit, found `]`, at line 1, column 3", "/0", nil),
      ("[1.]", "expected a digit, found `]`, at line 1, column 4", "/0", nil),
      ("[.5]", "expected a value, found `.5`, at line 1, column 2", "/0", nil),
      ("[+5]", "expected a value, found `+5`, at line 1, column 2", "/0", nil),
      ("[1e]", "expected a digit, found `]`, at line 1, column 4", "/0", nil),
      ("[0x10]", "expected `,` or `]`, found `x10`, at line 1, column 3", "/1", nil),
      (
        "[1e999]", "this number exceeds the largest real, at line 1, column 2", "/0",
        #"write {"real": "infinity"} for infinity"#
      ),
      (
        "[\"e\u{301}火\n\"]", "a string contains an unescaped control character, at line 1, column 6", "/0",
        #"write the character as \n, or close the string before the character with ""#
      ),
      (
        "[\"\u{1}\"]", "a string contains an unescaped control character, at line 1, column 3", "/0",
        #"write the character as \u0001, or close the string before the character with ""#
      ),
      (#"["abc]"#, "the string that starts here has no end, at line 1, column 2", "/0", #"close the string with ""#),
      (#"["\"#, "the string that starts here has no end, at line 1, column 2", "/0", #"close the string with ""#),
      (#"["\x"]"#, "this is not an escape, at line 1, column 3", "/0", #"write a backslash as \\"#),
      (#"["\u12"]"#, #"`\u` takes four hexadecimal digits, at line 1, column 3"#, "/0", nil),
      (#"["\u+123"]"#, #"`\u` takes four hexadecimal digits, at line 1, column 3"#, "/0", nil),
      (#"["\ud800"]"#, "half of a surrogate pair is not a character, at line 1, column 3", "/0", nil),
      (#"["\udc00\ud800"]"#, "half of a surrogate pair is not a character, at line 1, column 3", "/0", nil),
      (#"["\ud800\u0041"]"#, "half of a surrogate pair is not a character, at line 1, column 3", "/0", nil),
      ("// all\ntrue", "expected a value, found `//`, at line 1, column 1", "", "JSON can't contain comments"),
      ("[\u{A0}1]", "expected a value, found `\u{A0}1`, at line 1, column 2", "/0", nil),
      ("\0", "expected a value, found `␀`, at line 1, column 1", "", nil),
    ] as [(String, String, String, String?)])
  func errors(json: String, summary: String, path: String, suggestion: String?) {
    let error = #expect(throws: JSONCodingError.self) { try Whole(json: json) }
    #expect(error?.code == .malformed)
    #expect(error?.summary == summary)
    #expect(error?.path == path)
    #expect(error?.suggestion == suggestion)
    #expect(throws: JSONCodingError.self) { try Whole(json: Data(json.utf8)) }
  }

  @Test(
    "Bytes that are no UTF-8 are refused", arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]])
  func bytes(bytes: [UInt8]) {
    let error = #expect(throws: JSONCodingError.self) { try Whole(json: Data(bytes)) }
    #expect(error?.code == .malformed)
  }

  @Test("Of two fields of one name, both are kept, and the last is taken")
  func repeatedNames() throws {
    let json = #"{"a":1,"a":2}"#
    let value = try Whole(json: json).jsonValue
    #expect(value.description == json)
    #expect(value == ["a": 2])
  }

  @Test("Values are equal where they say the same")
  func equality() {
    let object: JSONValue = ["a": 1, "b": [nil, true, "x", 0.5]]
    #expect(object == ["b": [nil, true, "x", 0.5], "a": 1.0])
    for other in [
      [:], ["a": 1], ["a": 1, "c": [nil, true, "x", 0.5]], ["a": 1, "b": [nil, true, "x"]],
      ["a": 1, "b": [nil, 1, "x", 0.5]], ["a": 1, "b": [false, true, "x", 0.5]], ["a": 1, "b": [nil, true, "y", 0.5]],
    ] as [JSONValue] {
      #expect(object != other)
    }
    #expect(JSONValue(.text("\u{E9}")) != JSONValue(.text("e\u{301}")))
    #expect(JSONValue(.real(.nan)).description == "null")
  }
}
