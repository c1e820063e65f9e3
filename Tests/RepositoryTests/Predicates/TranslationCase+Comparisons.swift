import Foundation
import Repository

extension TranslationCase {
  private static let four = 4
  private static let cat = Animal.Family.cat
  private static let noFamily: Animal.Family? = nil
  private static let medium = Animal.Size.medium
  private static let birth = Date(timeIntervalSinceReferenceDate: 0)
  private static let code = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  private static let photo: [UInt8] = [1, 2]

  static let comparisons: [TranslationCase] = [
    TranslationCase("legs == 4", #Predicate { $0.legs == 4 }, .equal(key: "legs", value: 4), "legs = 4"),
    TranslationCase("legs != 4", #Predicate { $0.legs != 4 }, .notEqual(key: "legs", value: 4), "legs != 4"),
    TranslationCase("legs < 4", #Predicate { $0.legs < 4 }, .lessThan(key: "legs", value: 4), "legs < 4"),
    TranslationCase("legs <= 4", #Predicate { $0.legs <= 4 }, .lessThanOrEqual(key: "legs", value: 4), "legs <= 4"),
    TranslationCase("legs > 4", #Predicate { $0.legs > 4 }, .greaterThan(key: "legs", value: 4), "legs > 4"),
    TranslationCase("legs >= 4", #Predicate { $0.legs >= 4 }, .greaterThanOrEqual(key: "legs", value: 4), "legs >= 4"),

    TranslationCase("4 == legs", #Predicate { 4 == $0.legs }, .equal(key: "legs", value: 4), "legs = 4"),
    TranslationCase("4 != legs", #Predicate { 4 != $0.legs }, .notEqual(key: "legs", value: 4), "legs != 4"),
    TranslationCase("4 < legs", #Predicate { 4 < $0.legs }, .greaterThan(key: "legs", value: 4), "legs > 4"),
    TranslationCase("4 <= legs", #Predicate { 4 <= $0.legs }, .greaterThanOrEqual(key: "legs", value: 4), "legs >= 4"),
    TranslationCase("4 > legs", #Predicate { 4 > $0.legs }, .lessThan(key: "legs", value: 4), "legs < 4"),
    TranslationCase("4 >= legs", #Predicate { 4 >= $0.legs }, .lessThanOrEqual(key: "legs", value: 4), "legs <= 4"),

    TranslationCase(
      "legs == wings", #Predicate { $0.legs == $0.wings }, .equal(key: "legs", otherKey: "wings"), "legs = wings"),
    TranslationCase(
      "legs < wings", #Predicate { $0.legs < $0.wings }, .lessThan(key: "legs", otherKey: "wings"), "legs < wings"),
    TranslationCase(
      "wings >= legs", #Predicate { $0.wings >= $0.legs }, .greaterThanOrEqual(key: "wings", otherKey: "legs"),
      "wings >= legs"),

    TranslationCase("legs == -1", #Predicate { $0.legs == -1 }, .equal(key: "legs", value: -1), "legs = -1"),
    TranslationCase(
      "weight > 1.5", #Predicate { $0.weight > 1.5 }, .greaterThan(key: "weight", value: 1.5), "weight > 1.5"),
    TranslationCase("name == 'ab'", #Predicate { $0.name == "ab" }, .equal(key: "name", value: "ab"), "name = 'ab'"),
    TranslationCase(
      "name >= 'b'", #Predicate { $0.name >= "b" }, .greaterThanOrEqual(key: "name", value: "b"), "name >= 'b'"),
    TranslationCase(
      "family == cat", #Predicate { $0.family == cat }, .equal(key: "family", value: cat), "family = 'cat'"),
    TranslationCase(
      "mimics == cat", #Predicate { $0.mimics == cat }, .equal(key: "mimics", value: cat), "mimics = 'cat'"),
    TranslationCase(
      "mimics != hunts", #Predicate { $0.mimics != $0.hunts }, .notEqual(key: "mimics", otherKey: "hunts"),
      "mimics != hunts"),
    TranslationCase(
      "size > medium", #Predicate { $0.size > medium }, .greaterThan(key: "size", value: 2), "size > 2"),
    TranslationCase(
      "born <= birth", #Predicate { $0.born <= birth }, .lessThanOrEqual(key: "born", value: birth),
      "born <= '2001-01-01T00:00:00.000000000Z'"),
    TranslationCase(
      "code < code", #Predicate { $0.code < code }, .lessThan(key: "code", value: code),
      "code < '00010203-0405-0607-0809-0a0b0c0d0e0f'"),
    TranslationCase(
      "photo == photo", #Predicate { $0.photo == photo }, .equal(key: "photo", value: photo), "photo = x'0102'"),
    TranslationCase(
      "home.latitude < 1", #Predicate { $0.home.latitude < 1 }, .lessThan(key: "latitude", value: 1.0),
      "latitude < 1.0"),
  ]
}
