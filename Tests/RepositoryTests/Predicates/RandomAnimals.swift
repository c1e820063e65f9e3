import Foundation
import TestSupport

/// Makes animals by chance, from few values, so that much matches and much does not. All texts are ASCII: the texts in
/// which Foundation's meaning differs are not among them.
struct RandomAnimals {
  static let texts = ["", "a", "b", "ab", "ba", "abc", "B", "aB", "%", "_"]
  static let integers = [-1, 0, 1, 2, 3, 4, 6, 8]
  static let numbers = [-1.5, -0.0, 0, 1, 2, 2.5, 4, 1e300, .infinity]

  var random: SplitMix64

  mutating func animals(_ count: Int) -> [Animal] {
    (1...count).map { animal($0) }
  }

  private mutating func animal(_ id: Int) -> Animal {
    Animal(
      id: id, name: random.pick(Self.texts), nick: optional(Self.texts), family: random.pick(Animal.Family.allCases),
      mimics: optional(Animal.Family.allCases), hunts: optional(Animal.Family.allCases),
      size: random.pick(Animal.Size.allCases), stage: random.pick(Animal.Stage.allCases),
      rank: Animal.Rank(rawValue: random.pick(Self.integers)), weight: random.pick(Self.numbers),
      height: optional(Self.numbers), legs: random.pick(Self.integers), wings: random.pick(Self.integers),
      eggs: optional(Self.integers), isTame: random.pick([true, false]), isLoud: optional([true, false]),
      born: Date(timeIntervalSinceReferenceDate: random.pick([-1e9, -0.5, 0, 0.5, 1e9])),
      code: UUID(uuid: (0, random.pick([0, 1, 255]), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
      initial: random.pick(["a", "b", "z"]), photo: random.pick([[], [1], [1, 2]]), latitude: random.pick(Self.numbers),
      den: optional([Animal.Place(latitude: 1)]), food: random.pick([[], ["hay"]]))
  }

  private mutating func optional<Property>(_ values: [Property]) -> Property? {
    random.chance(0.3) ? nil : random.pick(values)
  }
}
