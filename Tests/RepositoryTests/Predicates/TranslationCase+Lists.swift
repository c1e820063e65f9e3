import Foundation
import Repository

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
