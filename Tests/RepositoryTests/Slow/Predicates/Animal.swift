import Foundation
import Repository

/// What the predicates of these tests ask about: a property of every kind that differs for them.
struct Animal: Entity, Hashable {
  enum Family: String, ValueConvertible, Codable, CaseIterable {
    case bird, cat, fish
  }

  /// Ordered by what is stored.
  enum Size: Int, ValueConvertible, Codable, CaseIterable, Comparable {
    case small = 1
    case medium, large

    static func < (lhs: Size, rhs: Size) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Not ordered by what is stored: the texts' order is adult, child, egg.
  enum Stage: String, ValueConvertible, Codable, CaseIterable, Comparable {
    case egg, child, adult

    static func < (lhs: Stage, rhs: Stage) -> Bool { lhs.age < rhs.age }

    private var age: Int { Stage.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Ordered, in a way that is not known.
  struct Rank: RawRepresentable, ValueConvertible, Codable, Hashable, Comparable {
    let rawValue: Int

    static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue > rhs.rawValue }
  }

  struct Place: Codable, Hashable {
    var latitude: Double
    var name: String?
  }

  var id: Int
  var name: String
  var nick: String?
  var family: Family
  var mimics: Family?
  var hunts: Family?
  var size: Size
  var stage: Stage
  var rank: Rank
  var weight: Double
  var height: Double?
  var legs: Int
  var wings: Int
  var eggs: Int?
  var isTame: Bool
  var isLoud: Bool?
  var born: Date
  var code: UUID
  var initial: Character
  var photo: [UInt8]
  var home: Place
  var den: Place?
  var food: [String]

  /// A property that has no column.
  var limbs: Int { legs + wings }

  static let schema = Schema(
    "animal", Animal.init, Column("id", \.id), Column("name", \.name), Column("nick", \.nick),
    Column("family", \.family), Column("mimics", \.mimics), Column("hunts", \.hunts), Column("size", \.size),
    Column("stage", \.stage), Column("rank", \.rank), Column("weight", \.weight), Column("height", \.height),
    Column("legs", \.legs), Column("wings", \.wings), Column("eggs", \.eggs), Column("tame", \.isTame),
    Column("loud", \.isLoud), Column("born", \.born), Column("code", \.code), Column("initial", \.initial),
    Column("photo", \.photo), Column("latitude", \.home.latitude), Column("den", json: \.den),
    Column("food", json: \.food))
}

extension Animal {
  init(
    id: Int, name: String, nick: String?, family: Family, mimics: Family?, hunts: Family?, size: Size, stage: Stage,
    rank: Rank, weight: Double, height: Double?, legs: Int, wings: Int, eggs: Int?, isTame: Bool, isLoud: Bool?,
    born: Date, code: UUID, initial: Character, photo: [UInt8], latitude: Double, den: Place?, food: [String]
  ) {
    self.init(
      id: id, name: name, nick: nick, family: family, mimics: mimics, hunts: hunts, size: size, stage: stage,
      rank: rank, weight: weight, height: height, legs: legs, wings: wings, eggs: eggs, isTame: isTame,
      isLoud: isLoud, born: born, code: code, initial: initial, photo: photo, home: Place(latitude: latitude),
      den: den, food: food)
  }
}
