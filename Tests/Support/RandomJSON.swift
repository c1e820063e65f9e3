package import Query

/// A JSON text at random, with the values to which paths into it lead: known from how the text was made, rather than read from it.
package struct RandomJSON {
  /// The text, with spaces and escapes as they came.
  package let text: String
  private let content: Content

  private enum Content {
    case scalar(Value)
    case array([RandomJSON])
    case object([(name: String, value: RandomJSON)])
  }

  /// Steps of paths: names of fields, positions in arrays, and such as are neither in most texts.
  package static let steps = names + ["2", "01", "-1", "missing", "99999999999"]
  private static let names = [
    "a", "b", "A", "0", "1", "é", "e\u{301}", "a b", "a\"b", "a/b", "~1", "\\", "日本", "🇯🇵", "\u{1}",
  ]
  private static let scalars: [(text: String, value: Value)] = [
    ("null", .null), ("true", 1), ("false", 0), ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("7", 7), ("1.0", 1.0),
    ("-0.0", -0.0), ("1.5", 1.5), ("1e2", 100.0), ("-2.5E+3", -2_500.0), ("1e-2", 0.01), ("1e400", .real(.infinity)),
    ("-1e400", .real(-.infinity)), ("1e-400", 0.0), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", 9_223_372_036_854_775_808.0), ("-9223372036854775809", -9_223_372_036_854_775_808.0),
    ("123456789012345678901234567890", 1.2345678901234568e29),
  ]
  private static let texts = [
    "", "a", "A", "ab", "x y", "1", "1.5", "null", "true", "{}", "[1]", "\"", "\\", "/", "\n\t\u{8}\u{C}\r", "\u{1F}",
    "\u{7F}", "\0", "a\0b", "é", "e\u{301}", "É", "ß", "日本", "🇯🇵", "\u{10FFFF}", "\u{FFFF}", "\u{2028}", "2026-11-20",
  ]

  package init(using random: inout SplitMix64) { self.init(depth: random.pick([0, 1, 2, 2, 3]), using: &random) }

  private init(depth: Int, using random: inout SplitMix64) {
    guard depth > 0 else {
      if random.chance(0.5) {
        let (text, value) = random.pick(Self.scalars)
        (self.text, content) = (text, .scalar(value))
      } else {
        let value = random.pick(Self.texts)
        (text, content) = (Self.quoted(value, using: &random), .scalar(.text(value)))
      }
      return
    }
    var elements: [(name: String, value: RandomJSON)] = []
    for _ in 0..<random.pick([0, 1, 2, 2, 3]) {
      elements.append((random.pick(Self.names), RandomJSON(depth: depth - random.pick([1, 1, depth]), using: &random)))
    }
    let isObject = random.chance(0.6)
    let parts = elements.map { name, value in
      let field = isObject ? Self.quoted(name, using: &random) + Self.space(&random) + ":" + Self.space(&random) : ""
      return Self.space(&random) + field + value.text + Self.space(&random)
    }
    let inner = parts.isEmpty ? Self.space(&random) : parts.joined(separator: ",")
    text = isObject ? "{\(inner)}" : "[\(inner)]"
    content = isObject ? .object(elements) : .array(elements.map(\.value))
  }

  /// Returns the steps of a path that mostly leads to a value.
  package func path(using random: inout SplitMix64) -> [String] {
    if random.chance(0.2) { return random.chance(0.5) ? [] : [random.pick(Self.steps)] }
    switch content {
    case .array(let elements) where !elements.isEmpty:
      let position = random.below(elements.count)
      return ["\(position)"] + elements[position].path(using: &random)
    case .object(let fields) where !fields.isEmpty:
      let field = random.pick(fields)
      return [field.name] + field.value.path(using: &random)
    default:
      return []
    }
  }

  /// Returns the value to which a path leads; null where it leads to none.
  package func value(at steps: some Collection<String>) -> Value {
    guard let step = steps.first else {
      if case .scalar(let value) = content { return value }
      return .text(text)
    }
    // Names are the same where their scalars are.
    let next: RandomJSON? =
      switch content {
      case .scalar: nil
      case .array(let elements):
        Int(step).flatMap { "\($0)" == step && elements.indices.contains($0) ? elements[$0] : nil }
      case .object(let fields): fields.last { $0.name.unicodeScalars.elementsEqual(step.unicodeScalars) }?.value
      }
    return next?.value(at: steps.dropFirst()) ?? .null
  }

  /// Returns a text that is no JSON, but that parts of it may look like some.
  package static func invalidText(using random: inout SplitMix64) -> String {
    let valid = RandomJSON(using: &random).text
    return random.pick([
      "", " ", "\(valid) \(valid)", "[\(valid)", "\(valid)]", "[\(valid),]", "[,\(valid)]", "{\"a\":\(valid)",
      "{\"a\":\(valid),}", "{a:\(valid)}", "{\"a\" \(valid)}", "{'a': 1}", "[01]", "[+1]", "[.5]", "[1.]", "[1e]",
      "[0x1]",
      "[- 1]", "NaN", "[Infinity]", "True", "nul", "[\"\\x\"]", "[\"\t\"]", "[\"\n\"]", "[\"\\ud83d\"]",
      "[\"\\ude00\"]",
      "[\"\\u12\"]", "[\"a]", "\(valid)//", "/**/\(valid)", "\u{A0}\(valid)", "\u{FEFF}\u{FEFF}\(valid)", "\(valid)\0",
      String(repeating: "[", count: 2_000),
    ])
  }

  private static func space(_ random: inout SplitMix64) -> String {
    random.chance(0.8) ? "" : random.pick([" ", "\n", "\t\r", "  "])
  }

  /// Returns a JSON string whose characters are escaped as they come.
  private static func quoted(_ value: String, using random: inout SplitMix64) -> String {
    var text = "\""
    let rate = random.pick([0, 0, 0.3, 1])
    for scalar in value.unicodeScalars {
      let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t", "\u{8}": "\\b", "\u{C}": "\\f", "\r": "\\r",
      ]
      let isRequired = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard isRequired || random.chance(rate) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      if let escape = short[scalar], random.chance(0.5) {
        text += escape
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16, uppercase: random.chance(0.5))
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return text + "\""
  }
}
