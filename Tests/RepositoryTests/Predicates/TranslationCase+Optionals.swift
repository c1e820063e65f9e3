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
