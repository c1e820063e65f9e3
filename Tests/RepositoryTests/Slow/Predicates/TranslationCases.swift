import Foundation
import Repository

extension TranslationCase {
  private static let cat = Animal.Family.cat
  private static let noFamily: Animal.Family? = nil
  private static let limit: Double? = 3
  private static let noLimit: Double? = nil
  private static let blob: [UInt8] = []
  private static let yes: Bool? = true
  private static let unknown: Bool? = nil

  static let nilTests: [TranslationCase] = [
    TranslationCase("mimics == nil", #Predicate { $0.mimics == nil }, .isNull(key: "mimics"), "mimics is null"),
    TranslationCase("mimics != nil", #Predicate { $0.mimics != nil }, .isNotNull(key: "mimics"), "mimics is not null"),
    TranslationCase("nil == eggs", #Predicate { nil == $0.eggs }, .isNull(key: "eggs"), "eggs is null"),
    TranslationCase("!(eggs == nil)", #Predicate { !($0.eggs == nil) }, .isNotNull(key: "eggs"), "eggs is not null"),
    TranslationCase(
      "mimics == captured nil", #Predicate { $0.mimics == noFamily }, .isNull(key: "mimics"), "mimics is null"),
    TranslationCase("eggs == 2", #Predicate { $0.eggs == 2 }, .equal(key: "eggs", value: 2), "eggs = 2"),
    TranslationCase("eggs != 2", #Predicate { $0.eggs != 2 }, .notEqual(key: "eggs", value: 2), "eggs != 2"),
    TranslationCase(
      "isLoud == true", #Predicate { $0.isLoud == true }, .equal(key: "loud", value: true), "loud = 1"),
    TranslationCase(
      "isLoud != false", #Predicate { $0.isLoud != false }, .notEqual(key: "loud", value: false), "loud != 0"),
  ]

  static let coalescing: [TranslationCase] = [
    TranslationCase(
      "(height ?? 0) > 2", #Predicate { ($0.height ?? 0) > 2 }, .greaterThan(key: "height", value: 2.0),
      "height > 2.0"),
    TranslationCase(
      "(height ?? 0) < 2", #Predicate { ($0.height ?? 0) < 2 },
      .lessThan(key: "height", value: 2.0) || .isNull(key: "height"), "height < 2.0 or height is null"),
    TranslationCase("(eggs ?? 0) == 2", #Predicate { ($0.eggs ?? 0) == 2 }, .equal(key: "eggs", value: 2), "eggs = 2"),
    TranslationCase(
      "(eggs ?? 2) == 2", #Predicate { ($0.eggs ?? 2) == 2 }, .equal(key: "eggs", value: 2) || .isNull(key: "eggs"),
      "eggs = 2 or eggs is null"),
    TranslationCase(
      "(eggs ?? 0) != 2", #Predicate { ($0.eggs ?? 0) != 2 }, .notEqual(key: "eggs", value: 2), "eggs != 2"),
    TranslationCase(
      "(eggs ?? 2) != 2", #Predicate { ($0.eggs ?? 2) != 2 },
      .isNotNull(key: "eggs") && .notEqual(key: "eggs", value: 2), "eggs is not null and eggs != 2"),
    TranslationCase(
      "2 > (eggs ?? 0)", #Predicate { 2 > ($0.eggs ?? 0) }, .lessThan(key: "eggs", value: 2) || .isNull(key: "eggs"),
      "eggs < 2 or eggs is null"),
    TranslationCase(
      "(eggs ?? legs) > 3", #Predicate { ($0.eggs ?? $0.legs) > 3 },
      .greaterThan(key: "eggs", value: 3) || (.isNull(key: "eggs") && .greaterThan(key: "legs", value: 3)),
      "eggs > 3 or eggs is null and legs > 3"),
    TranslationCase(
      "(eggs ?? legs) == wings", #Predicate { ($0.eggs ?? $0.legs) == $0.wings },
      (.isNotNull(key: "eggs") && .equal(key: "eggs", otherKey: "wings"))
        || (.isNull(key: "eggs") && .equal(key: "legs", otherKey: "wings")),
      "eggs is not null and eggs = wings or eggs is null and legs = wings"),
    TranslationCase("isLoud ?? false", #Predicate { $0.isLoud ?? false }, .equal(key: "loud", value: true), "loud = 1"),
    TranslationCase(
      "isLoud ?? true", #Predicate { $0.isLoud ?? true }, .equal(key: "loud", value: true) || .isNull(key: "loud"),
      "loud = 1 or loud is null"),
    TranslationCase(
      "isLoud ?? isTame", #Predicate { $0.isLoud ?? $0.isTame },
      .equal(key: "loud", value: true) || (.isNull(key: "loud") && .equal(key: "tame", value: true)),
      "loud = 1 or loud is null and tame = 1"),
    TranslationCase(
      "isLoud ?? (legs > 2)", #Predicate { $0.isLoud ?? ($0.legs > 2) },
      .equal(key: "loud", value: true) || (.isNull(key: "loud") && .greaterThan(key: "legs", value: 2)),
      "loud = 1 or loud is null and legs > 2"),
    TranslationCase(
      "(captured ?? weight) == weight", #Predicate { (limit ?? $0.weight) == $0.weight },
      .equal(key: "weight", value: 3.0),
      "weight = 3.0"),
    TranslationCase(
      "(captured nil ?? weight) > 2", #Predicate { (noLimit ?? $0.weight) > 2 },
      .greaterThan(key: "weight", value: 2.0), "weight > 2.0"),
    TranslationCase(
      "(nick ?? '') == ''", #Predicate { ($0.nick ?? "") == "" },
      .equal(key: "nick", value: "") || .isNull(key: "nick"), "nick = '' or nick is null"),
    TranslationCase(
      "(nick ?? name).isEmpty", #Predicate { ($0.nick ?? $0.name).isEmpty },
      .equal(key: "nick", value: "") || (.isNull(key: "nick") && .equal(key: "name", value: "")),
      "nick = '' or nick is null and name = ''"),
  ]

  static let chains: [TranslationCase] = [
    TranslationCase(
      "height.flatMap { $0 > 2 } ?? false", #Predicate { $0.height.flatMap { $0 > 2 } ?? false },
      .greaterThan(key: "height", value: 2.0), "height > 2.0"),
    TranslationCase(
      "height.flatMap { $0 > 2 } ?? true", #Predicate { $0.height.flatMap { $0 > 2 } ?? true },
      .greaterThan(key: "height", value: 2.0) || .isNull(key: "height"), "height > 2.0 or height is null"),
    TranslationCase(
      "eggs.flatMap { $0 != 2 } ?? false", #Predicate { $0.eggs.flatMap { $0 != 2 } ?? false },
      .isNotNull(key: "eggs") && .notEqual(key: "eggs", value: 2), "eggs is not null and eggs != 2"),
    TranslationCase(
      "height.flatMap { $0 > 2 } == nil", #Predicate { $0.height.flatMap { $0 > 2 } == nil }, .isNull(key: "height"),
      "height is null"),
    TranslationCase(
      "height.flatMap { $0 > 2 } == false", #Predicate { $0.height.flatMap { $0 > 2 } == false },
      .isNotNull(key: "height") && !.greaterThan(key: "height", value: 2.0), "height is not null and not height > 2.0"),
    TranslationCase(
      "height.flatMap { $0 > 2 } != true", #Predicate { $0.height.flatMap { $0 > 2 } != true },
      !.greaterThan(key: "height", value: 2.0), "not height > 2.0"),
    TranslationCase(
      "if let height", #Predicate { if let height = $0.height { height > 2 && height < 4 } else { false } },
      .isNotNull(key: "height") && (.greaterThan(key: "height", value: 2.0) && .lessThan(key: "height", value: 4.0)),
      "height is not null and (height > 2.0 and height < 4.0)"),
    TranslationCase(
      "if let height, else", #Predicate { if let height = $0.height { height > 2 } else { $0.legs > 4 } },
      .greaterThan(key: "height", value: 2.0) || (.isNull(key: "height") && .greaterThan(key: "legs", value: 4)),
      "height > 2.0 or height is null and legs > 4"),
    TranslationCase(
      "if let captured", #Predicate { animal in if let limit { animal.weight > limit } else { true } },
      .greaterThan(key: "weight", value: 3.0), "weight > 3.0"),
    TranslationCase(
      "if let captured nil", #Predicate { animal in if let noLimit { animal.weight > noLimit } else { true } }, .true,
      "true"),
    TranslationCase(
      "(eggs.flatMap { $0 } ?? 0) > 2", #Predicate { ($0.eggs.flatMap { $0 } ?? 0) > 2 },
      .greaterThan(key: "eggs", value: 2), "eggs > 2"),
    TranslationCase(
      "nick?.contains('a') == true", #Predicate { $0.nick?.contains("a") == true },
      .contains(key: "nick", value: "a"), "nick contains 'a'"),
    TranslationCase(
      "nick?.contains('a') != true", #Predicate { $0.nick?.contains("a") != true },
      !.contains(key: "nick", value: "a"), "nick not contains 'a'"),
    TranslationCase(
      "nick?.starts(with: 'a') ?? true", #Predicate { $0.nick?.starts(with: "a") ?? true },
      .hasPrefix(key: "nick", value: "a") || .isNull(key: "nick"), "nick starts with 'a' or nick is null"),
    TranslationCase(
      "nick?.isEmpty == false", #Predicate { $0.nick?.isEmpty == false },
      .isNotNull(key: "nick") && !.equal(key: "nick", value: ""), "nick is not null and not nick = ''"),
    TranslationCase(
      "a chain in a chain",
      #Predicate { animal in animal.height.flatMap { height in animal.eggs.flatMap { $0 > 2 && height > 1 } } == nil },
      .isNull(key: "height") || (.isNotNull(key: "height") && .isNull(key: "eggs")),
      "height is null or height is not null and eggs is null"),
    TranslationCase(
      "a chain of a chain", #Predicate { $0.nick.flatMap { $0.contains("a") }.flatMap { !$0 } ?? false },
      .isNotNull(key: "nick") && !.contains(key: "nick", value: "a"), "nick is not null and nick not contains 'a'"),
    TranslationCase(
      "(isTame ? isLoud : nick?.isEmpty) == nil", #Predicate { ($0.isTame ? $0.isLoud : $0.nick?.isEmpty) == nil },
      (.equal(key: "tame", value: true) && .isNull(key: "loud"))
        || (!.equal(key: "tame", value: true) && .isNull(key: "nick")),
      "tame = 1 and loud is null or not tame = 1 and nick is null"),
    TranslationCase(
      "isLoud.flatMap { !$0 } == true", #Predicate { $0.isLoud.flatMap { !$0 } == true },
      .isNotNull(key: "loud") && !.equal(key: "loud", value: true), "loud is not null and not loud = 1"),
  ]

  /// What is nil where a condition says so, which need not be where a column is null.
  static let chainsOfConditions: [TranslationCase] = [
    TranslationCase(
      "(height != nil ? nil : true).flatMap { _ in (height ?? 0) > 3 } == true",
      #Predicate { animal in
        (animal.height != nil ? unknown : yes).flatMap { _ in (animal.height ?? 0) > 3 } == true
      },
      .isNull(key: "height") && .greaterThan(key: "height", value: 3.0), "height is null and height > 3.0"),
    TranslationCase(
      "(height == nil ? nil : true).flatMap { _ in (height ?? 0) > 3 } == true",
      #Predicate { animal in
        (animal.height == nil ? unknown : yes).flatMap { _ in (animal.height ?? 0) > 3 } == true
      },
      .greaterThan(key: "height", value: 3.0), "height > 3.0"),
    TranslationCase(
      "(eggs == 2 ? nil : true).flatMap { _ in eggs == 3 } ?? false",
      #Predicate { animal in (animal.eggs == 2 ? unknown : yes).flatMap { _ in animal.eggs == 3 } ?? false },
      !.equal(key: "eggs", value: 2) && .equal(key: "eggs", value: 3), "not eggs = 2 and eggs = 3"),
  ]
}

extension TranslationCase {
  private static let numbers = [4, 2]
  private static let optionalNumbers: [Int?] = [nil, 2]
  private static let numberSet: Set = [4, 2, 8, 6]
  private static let noNumbers: [Int] = []
  private static let families: [Animal.Family] = [.cat, .fish]
  private static let familySet: Set<Animal.Family> = [.fish, .bird]
  private static let range = 2..<6
  private static let closedRange = 2...6
  private static let from = 2...
  private static let through = ...6
  private static let upTo = ..<6
  private static let empty = 2..<2
  private static let letters = "a"..."b"
  private static let sizes = Animal.Size.small...Animal.Size.medium
  private static let words = ["a", "b"]

  static let lists: [TranslationCase] = [
    TranslationCase(
      "[4, 2].contains(legs)", #Predicate { numbers.contains($0.legs) }, .in(key: "legs", values: [4, 2]),
      "legs in (4, 2)"),
    TranslationCase(
      "literal", #Predicate { [1, 2].contains($0.legs) }, .in(key: "legs", values: [1, 2]), "legs in (1, 2)"),
    TranslationCase(
      "[].contains(legs)", #Predicate { noNumbers.contains($0.legs) }, .in(key: "legs", values: [Int]()), "legs in ()"),
    TranslationCase(
      "[nil, 2].contains(eggs)", #Predicate { optionalNumbers.contains($0.eggs) },
      .in(key: "eggs", values: [nil, 2]), "eggs in (null, 2)"),
    TranslationCase(
      "set", #Predicate { numberSet.contains($0.legs) }, .in(key: "legs", values: [2, 4, 6, 8]),
      "legs in (2, 4, 6, 8)"),
    TranslationCase(
      "families", #Predicate { families.contains($0.family) }, .in(key: "family", values: families),
      "family in ('cat', 'fish')"),
    TranslationCase(
      "set of families", #Predicate { familySet.contains($0.family) }, .in(key: "family", values: ["bird", "fish"]),
      "family in ('bird', 'fish')"),
    TranslationCase(
      "[4, 2].contains(eggs ?? 4)", #Predicate { numbers.contains($0.eggs ?? 4) },
      .in(key: "eggs", values: [4, 2]) || .isNull(key: "eggs"), "eggs in (4, 2) or eggs is null"),
    TranslationCase(
      "[4, 2].contains(eggs ?? 0)", #Predicate { numbers.contains($0.eggs ?? 0) }, .in(key: "eggs", values: [4, 2]),
      "eggs in (4, 2)"),
    TranslationCase(
      "'abc'.contains(initial)", #Predicate { "abc".contains($0.initial) },
      .in(key: "initial", values: ["a", "b", "c"]), "initial in ('a', 'b', 'c')"),
    TranslationCase(
      "[4, 2].contains { $0 < legs }", #Predicate { animal in numbers.contains { $0 < animal.legs } },
      .greaterThan(key: "legs", value: 4) || .greaterThan(key: "legs", value: 2), "legs > 4 or legs > 2"),
    TranslationCase(
      "[4, 2].allSatisfy { $0 < legs }", #Predicate { animal in numbers.allSatisfy { $0 < animal.legs } },
      .greaterThan(key: "legs", value: 4) && .greaterThan(key: "legs", value: 2), "legs > 4 and legs > 2"),
    TranslationCase(
      "[].contains { $0 < legs }", #Predicate { animal in noNumbers.contains { $0 < animal.legs } }, .false, "false"),
    TranslationCase(
      "[].allSatisfy { $0 < legs }", #Predicate { animal in noNumbers.allSatisfy { $0 < animal.legs } }, .true, "true"),
    TranslationCase(
      "words.contains { name.contains($0) }", #Predicate { animal in words.contains { animal.name.contains($0) } },
      .contains(key: "name", value: "a") || .contains(key: "name", value: "b"),
      "name contains 'a' or name contains 'b'"),
  ]

  static let ranges: [TranslationCase] = [
    TranslationCase(
      "(2...6).contains(legs)", #Predicate { (2...6).contains($0.legs) }, .between(key: "legs", lhs: 2, rhs: 6),
      "legs between 2 and 6"),
    TranslationCase(
      "captured 2...6", #Predicate { closedRange.contains($0.legs) }, .between(key: "legs", lhs: 2, rhs: 6),
      "legs between 2 and 6"),
    TranslationCase(
      "(2..<6).contains(legs)", #Predicate { (2..<6).contains($0.legs) },
      .greaterThanOrEqual(key: "legs", value: 2) && .lessThan(key: "legs", value: 6), "legs >= 2 and legs < 6"),
    TranslationCase(
      "captured 2..<6", #Predicate { range.contains($0.legs) },
      .greaterThanOrEqual(key: "legs", value: 2) && .lessThan(key: "legs", value: 6), "legs >= 2 and legs < 6"),
    TranslationCase(
      "2...", #Predicate { from.contains($0.legs) }, .greaterThanOrEqual(key: "legs", value: 2), "legs >= 2"),
    TranslationCase(
      "...6", #Predicate { through.contains($0.legs) }, .lessThanOrEqual(key: "legs", value: 6), "legs <= 6"),
    TranslationCase("..<6", #Predicate { upTo.contains($0.legs) }, .lessThan(key: "legs", value: 6), "legs < 6"),
    TranslationCase(
      "2..<2", #Predicate { empty.contains($0.legs) },
      .greaterThanOrEqual(key: "legs", value: 2) && .lessThan(key: "legs", value: 2), "legs >= 2 and legs < 2"),
    TranslationCase(
      "'a'...'b'", #Predicate { letters.contains($0.name) }, .between(key: "name", lhs: "a", rhs: "b"),
      "name between 'a' and 'b'"),
    TranslationCase(
      "sizes", #Predicate { sizes.contains($0.size) }, .between(key: "size", lhs: 1, rhs: 2), "size between 1 and 2"),
    TranslationCase(
      "(2...6).contains(eggs ?? 4)", #Predicate { (2...6).contains($0.eggs ?? 4) },
      .between(key: "eggs", lhs: 2, rhs: 6) || .isNull(key: "eggs"), "eggs between 2 and 6 or eggs is null"),
    TranslationCase(
      "(2..<6).contains(eggs ?? 0)", #Predicate { (2..<6).contains($0.eggs ?? 0) },
      (.greaterThanOrEqual(key: "eggs", value: 2)) && (.lessThan(key: "eggs", value: 6) || .isNull(key: "eggs")),
      "eggs >= 2 and (eggs < 6 or eggs is null)"),
  ]

  /// Foundation ends the process for an animal with more legs than wings.
  static let rangesOfProperties: [TranslationCase] = [
    TranslationCase(
      "(legs...wings).contains(4)", #Predicate { ($0.legs...$0.wings).contains(4) },
      .lessThanOrEqual(key: "legs", value: 4) && .greaterThanOrEqual(key: "wings", value: 4),
      "legs <= 4 and wings >= 4"),
    TranslationCase(
      "(legs...wings).contains(eggs ?? 4)", #Predicate { ($0.legs...$0.wings).contains($0.id) },
      .between(key: "id", lower: .key("legs"), upper: .key("wings")), "id between legs and wings"),
    TranslationCase(
      "(legs..<9).contains(wings)", #Predicate { ($0.legs..<9).contains($0.wings) },
      .greaterThanOrEqual(key: "wings", otherKey: "legs") && .lessThan(key: "wings", value: 9),
      "wings >= legs and wings < 9"),
  ]
}
