import Query

/// Queries, sorts, requests and values beside their JSON forms, letter for letter.
enum FormExamples {
  static let weight = AnyQuery.greaterThan(key: "weight", value: 90)
  static let (a, b, c) = (AnyQuery.isNull(key: "a"), AnyQuery.isNull(key: "b"), AnyQuery.isNull(key: "c"))
  private static let (formA, formB, formC) = (formOfNull("a"), formOfNull("b"), formOfNull("c"))

  private static func formOfNull(_ key: String) -> String { #"{"key":"\#(key)","op":"=","value":null}"# }

  static let conditions: [(AnyQuery, String)] = [
    (.true, "true"),
    (.false, "false"),
    (.equal(key: "type", value: "fire"), #"{"key":"type","op":"=","value":"fire"}"#),
    (.notEqual(key: "type", value: "fire"), #"{"key":"type","op":"!=","value":"fire"}"#),
    (.lessThan(key: "id", value: 5), #"{"key":"id","op":"<","value":5}"#),
    (.lessThanOrEqual(key: "id", value: 5), #"{"key":"id","op":"<=","value":5}"#),
    (.greaterThan(key: "id", value: 5), #"{"key":"id","op":">","value":5}"#),
    (.greaterThanOrEqual(key: "id", value: 5), #"{"key":"id","op":">=","value":5}"#),
    (.isNull(key: "habitat"), #"{"key":"habitat","op":"=","value":null}"#),
    (.isNotNull(key: "habitat"), #"{"key":"habitat","op":"!=","value":null}"#),
    (.equal(key: "attack", otherKey: "defense"), #"{"key":"attack","op":"=","value":{"key":"defense"}}"#),
    (.equal(key: "attack", value: "defense"), #"{"key":"attack","op":"=","value":"defense"}"#),
    (.between(key: "id", lhs: 1, rhs: 100), #"{"key":"id","op":"between","lower":1,"upper":100}"#),
    (
      .between(key: "id", lower: .key("least"), upper: .value(2.5)),
      #"{"key":"id","op":"between","lower":{"key":"least"},"upper":2.5}"#
    ),
    (
      .in(key: "type", values: ["fire", nil, "water"]),
      #"{"key":"type","op":"in","values":["fire",null,"water"]}"#
    ),
    (.in(key: "type", values: [Int]()), #"{"key":"type","op":"in","values":[]}"#),
    (.contains(key: "name", value: "char"), #"{"key":"name","op":"contains","value":"char"}"#),
    (.hasPrefix(key: "name", value: "Ch"), #"{"key":"name","op":"starts with","value":"Ch"}"#),
    (.hasSuffix(key: "name", value: ""), #"{"key":"name","op":"ends with","value":""}"#),
    (.like(key: "name", value: #"_\%%"#), #"{"key":"name","op":"like","value":"_\\%%"}"#),
    (
      .contains(key: "name", value: "char", ignoringCase: true),
      #"{"key":"name","op":"contains","value":"char","ignoring":"case"}"#
    ),
    (
      .like(key: "name", value: "%", ignoringCase: true),
      #"{"key":"name","op":"like","value":"%","ignoring":"case"}"#
    ),
  ]

  static let joins: [(AnyQuery, String)] = [
    (!a, #"{"not":\#(formA)}"#),
    (!(!a), #"{"not":{"not":\#(formA)}}"#),
    (!AnyQuery.true, #"{"not":true}"#),
    (a && b, #"{"and":[\#(formA),\#(formB)]}"#),
    (a || b, #"{"or":[\#(formA),\#(formB)]}"#),
    (a && b && c, #"{"and":[\#(formA),\#(formB),\#(formC)]}"#),
    (a && (b && c), #"{"and":[\#(formA),{"and":[\#(formB),\#(formC)]}]}"#),
    (a && b && (c && a), #"{"and":[\#(formA),\#(formB),{"and":[\#(formC),\#(formA)]}]}"#),
    (a && b || c, #"{"or":[{"and":[\#(formA),\#(formB)]},\#(formC)]}"#),
    ((a || b) && c, #"{"and":[{"or":[\#(formA),\#(formB)]},\#(formC)]}"#),
    (!(a && b) || c, #"{"or":[{"not":{"and":[\#(formA),\#(formB)]}},\#(formC)]}"#),
    (AnyQuery.true && .false, #"{"and":[true,false]}"#),
  ]

  static let values: [(Value, String)] = [
    (.null, "null"), (0, "0"), (-1, "-1"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
    (9_007_199_254_740_993, "9007199254740993"),
    (1.5, "1.5"), (0.1, "0.1"), (.real(.leastNonzeroMagnitude), "5e-324"),
    (5.0, #"{"real":5.0}"#), (-0.0, #"{"real":-0.0}"#), (1e300, #"{"real":1e+300}"#),
    (9_007_199_254_740_992.0, #"{"real":9007199254740992.0}"#),
    (.real(.infinity), #"{"real":"infinity"}"#), (.real(-.infinity), #"{"real":"-infinity"}"#),
    ("", #""""#), ("null", #""null""#), ("\0\u{1}\n\t\r\u{1F}\u{7F}", #""\u0000\u0001\n\u0009\u000d\u001f\#u{7F}""#),
    (#""\/"#, #""\"\\/""#), ("\u{E9}", "\"\u{E9}\""), ("e\u{301}", "\"e\u{301}\""),
    ("👩‍🚀\u{10FFFF}\u{FEFF}", "\"👩‍🚀\u{10FFFF}\u{FEFF}\""), ("\u{301}", "\"\u{301}\""),
    (.blob([]), #"{"blob":""}"#), (.blob([1, 2]), #"{"blob":"AQI="}"#),
    (.blob([0xFB, 0xFF]), #"{"blob":"+/8="}"#),
  ]

  static let sorts: [(AnySort, String)] = [
    (.primaryKey, "[]"),
    (.ascending(key: "name"), #"[{"key":"name"}]"#),
    (.descending(key: "name"), #"[{"key":"name","direction":"descending"}]"#),
    (.ascending(key: "name", nulls: .last), #"[{"key":"name","nulls":"last"}]"#),
    (
      .descending(key: "name", nulls: .first) + .ascending(key: "e\u{301}"),
      "[{\"key\":\"name\",\"direction\":\"descending\",\"nulls\":\"first\"},{\"key\":\"e\u{301}\"}]"
    ),
  ]
}
