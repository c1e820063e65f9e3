import Foundation
import Repository

/// Where something was seen.
enum Site: String, ValueConvertible {
  case cave, forest, sea
}

/// What somebody noted, an enum that can be searched.
enum Remark: String, TextProperty {
  case asleep, asking, flying
}

/// The model of the tests of each operator: a property of every type that a column can have.
struct Sighting: Entity {
  let id: Int
  var name: String
  var nickname: String?
  var abbreviation: Substring
  var initial: Character?
  var place: Site
  var secondPlace: Site?
  var remark: Remark?
  var weight: Double
  var height: Double?
  var count: Int
  var best: Int?
  var level: UInt8
  var chance: Float
  var isRare: Bool
  var isShiny: Bool?
  var seen: Date
  var caught: Date?
  var code: UUID
  var link: URL?
  var bytes: [UInt8]
  var picture: Data?
  var tags: [String]

  static let schema = Schema(
    "sighting", Sighting.init, Column("id", \.id), Column("name", \.name), Column("nickname", \.nickname),
    Column("abbreviation", \.abbreviation), Column("initial", \.initial), Column("place", \.place),
    Column("second_place", \.secondPlace), Column("remark", \.remark), Column("weight", \.weight),
    Column("height", \.height), Column("count", \.count), Column("best", \.best), Column("level", \.level),
    Column("chance", \.chance), Column("is_rare", \.isRare), Column("is_shiny", \.isShiny), Column("seen", \.seen),
    Column("caught", \.caught), Column("code", \.code), Column("link", \.link), Column("bytes", \.bytes),
    Column("picture", \.picture), Column("tags", json: \.tags))
}
