import Foundation
import Repository

extension TranslationCase {
  private static let four = 4
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
