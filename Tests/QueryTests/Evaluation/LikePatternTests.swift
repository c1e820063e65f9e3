import Query
import TestSupport
import Testing

@Suite("Like patterns match the whole text")
struct LikePatternTests {
  @Test(
    "Patterns, texts, and whether they match",
    arguments: [
      ("", "", true), ("", "a", false), ("a", "", false), ("a", "a", true), ("a", "A", false), ("a", "ab", false),
      ("b", "ab", false), ("abc", "abc", true),
      ("%", "", true), ("%", "abc", true), ("%%", "", true), ("%%", "abc", true), ("%%%a%%%", "bab", true),
      ("a%", "a", true), ("a%", "abc", true), ("a%", "ba", false), ("%a", "a", true), ("%a", "cba", true),
      ("%a", "ab", false), ("%b%", "abc", true), ("%b%", "ac", false), ("a%c", "ac", true), ("a%c", "abbbc", true),
      ("a%c", "acb", false), ("a%b%c", "a1b2b3c", true), ("%ab%ab", "abab", true), ("%ab%ab", "ab", false),
      ("%aab", "aaab", true), ("%abac", "ababac", true), ("a%a", "a", false),
      ("_", "", false), ("_", "a", true), ("_", "ab", false), ("__", "ab", true), ("a_c", "abc", true),
      ("a_c", "ac", false), ("_%", "", false), ("_%", "a", true), ("%_", "", false), ("%_", "abc", true),
      ("_%_", "a", false), ("_%_", "ab", true), ("%_%_%", "a", false), ("%_%_%", "ab", true), ("%_b", "ab", true),
      ("%_b", "b", false),
      // One scalar, however many bytes it has: é has two, 日 three, 🔥 four, and a decomposed é is two scalars.
      ("_", "é", true), ("__", "é", false), ("_", "日", true), ("_", "🔥", true), ("__", "🔥", false),
      ("_🔥_", "é🔥日", true), ("_", "e\u{301}", false), ("__", "e\u{301}", true), ("_", "🇩🇪", false), ("__", "🇩🇪", true),
      ("%é", "né", true), ("é", "e\u{301}", false), ("e%", "e\u{301}", true), ("e%", "é", false),
      ("%\u{301}", "é", false),
      // é and ã begin alike, é and © end alike.
      ("%é", "ã©é", true), ("%é", "ã©", false), ("%©%", "é", false), ("_©", "é©", true),
      ("\0", "\0", true), ("\0", "", false), ("a\0b", "a\0b", true), ("a\0b", "a\0c", false), ("a%", "a\0b", true),
      ("a_b", "a\0b", true), ("%b", "\0b", true), ("%", "\0", true), ("a", "a\0", false),
      ("\\%", "%", true), ("\\%", "a", false), ("\\%", "\\%", false), ("\\_", "_", true), ("\\_", "a", false),
      ("\\\\", "\\", true), ("\\\\", "\\\\", false), ("\\\\%", "\\", true), ("\\\\%", "\\abc", true),
      ("\\\\\\%", "\\%", true), ("\\\\\\%", "\\a", false), ("100\\%", "100%", true), ("100\\%", "1000", false),
      ("%\\%%", "50% off", true), ("%\\%%", "50 off", false), ("\\a", "a", true), ("\\a", "\\a", false),
      ("\\é", "é", true), ("\\🔥%", "🔥!", true), ("\\", "\\", true), ("\\", "", false), ("a\\", "a\\", true),
      ("a\\", "a", false), ("%\\", "a\\", true), ("%\\", "a", false), ("\\\\\\", "\\\\", true),
      // What other languages take for special is not special here.
      ("*", "abc", false), ("?", "a", false), (".", "a", false), ("[a]", "a", false), ("^a$", "a", false),
    ] as [(String, String, Bool)])
  func table(pattern: String, text: String, isMatch: Bool) {
    #expect(LikePattern(pattern).matches(text) == isMatch)
  }

  /// What matches, written for its plainness: in the worst case it takes exponential time.
  static func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "%":
      return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
    case "_":
      return !text.isEmpty && matches(rest, text.dropFirst())
    case "\\" where !rest.isEmpty:
      return text.first == rest.first && matches(rest.dropFirst(), text.dropFirst())
    default:
      return text.first == first && matches(rest, text.dropFirst())
    }
  }

  @Test("Random patterns match the same texts as a plain matcher", arguments: SplitMix64.seeds)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Wildcards often, and few letters, some of which share bytes, so that many texts match.
    let alphabets: [(pattern: [Unicode.Scalar], text: [Unicode.Scalar])] = [
      (["%", "%", "_", "a", "b"], ["a", "b"]),
      (["%", "_", "\\", "a"], ["a", "%", "_", "\\"]),
      (["%", "_", "\u{E9}", "\u{E3}", "\u{A9}"], ["\u{E9}", "\u{E3}", "\u{A9}"]),
      (["%", "_", "\\", "\u{1F525}", "\u{1F524}", "\0"], ["\u{1F525}", "\u{1F524}", "\0", "e", "\u{301}"]),
    ]
    var matchCount = 0
    for _ in 0..<20_000 {
      let alphabet = random.pick(alphabets)
      let pattern = (0..<Int.random(in: 0...7, using: &random)).map { _ in random.pick(alphabet.pattern) }
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in random.pick(alphabet.text) }
      let isMatch = Self.matches(pattern[...], text[...])
      matchCount += isMatch ? 1 : 0
      let like = Self.string(pattern)
      // Also with the search that long patterns get.
      guard
        [LikePattern(like), LikePattern(like, longestTried: 0)].allSatisfy({ $0.matches(Self.string(text)) == isMatch })
      else {
        Issue.record("\(Self.string(pattern).debugDescription) like \(Self.string(text).debugDescription)")
        return
      }
    }
    #expect(matchCount > 1_000, "too few of the random texts match for this test to mean much")
  }

  @Test("Many wildcards and a long text that all but matches come to an end")
  func pathological() {
    let text = String(repeating: "a", count: 10_000)
    #expect(!LikePattern(String(repeating: "%a", count: 500) + "%c").matches(text + "b"))
    #expect(LikePattern(String(repeating: "%a", count: 500) + "%b").matches(text + "b"))
    #expect(!LikePattern(String(repeating: "%_a", count: 200) + "c").matches(text + "b"))
    #expect(LikePattern(String(repeating: "%", count: 100_000)).matches(text))
    #expect(LikePattern(String(repeating: "_", count: 10_000)).matches(text))
    #expect(!LikePattern(String(repeating: "_", count: 10_001)).matches(text))
  }

  @Test("A pattern of 100 kB and a text of 100 kB that are almost alike come to an end")
  func almostAlike() {
    let text = String(repeating: "a", count: 100_000)
    let half = String(repeating: "a", count: 50_000)
    for (pattern, isMatch) in [
      ("%\(half)b%", false), ("%\(half)b", false), ("%\(half)%", true), ("%\(half)%\(half)", true),
      ("%\(half)%\(half)%a%", false), ("%\(text)%", true), ("%\(text)_%", false), ("%_\(half)_%", true),
      (String(repeating: "%a", count: 50_000) + "%b%", false), (String(repeating: "%a_", count: 33_000) + "b", false),
    ] {
      #expect(LikePattern(pattern).matches(text) == isMatch, "\(pattern.prefix(10))")
    }
  }

  @Test("A long part with `_` in it is found where it first occurs, between scalars", arguments: ["x", "é", "日", "🔥"])
  func longGaps(scalar: String) {
    let part = String(repeating: "a_", count: 500) + "b"
    let match = String(repeating: "a\(scalar)", count: 500) + "b"
    let almost = String(match.dropLast())
    let cases: [(String, Bool)] = [
      (match, true), ("a\(match)", true), ("\(scalar)a\(scalar)\(match)\(scalar)", true), ("\(almost)c", false),
      (String(match.dropFirst()), false), (match.replacing(scalar, with: scalar + scalar), false),
      (String(repeating: almost, count: 5) + match, true),
    ]
    for (text, isMatch) in cases {
      #expect(LikePattern("%\(part)%").matches(text) == isMatch)
      #expect(LikePattern("%\(part)%\(part)%").matches(text + text) == isMatch)
    }
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var string = ""
    string.unicodeScalars.append(contentsOf: scalars)
    return string
  }
}
