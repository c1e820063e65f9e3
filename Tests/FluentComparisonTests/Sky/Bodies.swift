import Repository

/// A star: what planets refer to.
struct Star: Entity, Hashable, Codable {
  let id: Int
  var name: String
  var spectralClass: SpectralClass
  /// How bright it is from here; the brightest have the least numbers.
  var magnitude: Double

  static let schema = Schema(
    "star", Star.init, Column("id", \.id), Column("name", \.name, .unique),
    Column("spectral_class", \.spectralClass), Column("magnitude", \.magnitude, .indexed))
}

/// The Harvard classes, from the hottest to the coldest.
enum SpectralClass: String, Codable, ValueConvertible { case o, b, a, f, g, k, m }

/// A planet: it refers to its star, if it has one.
struct Planet: Entity, Hashable, Codable {
  let id: Int
  var name: String
  var kind: PlanetKind
  /// In kilometres, where it is known.
  var radius: Double?
  /// The year, unless it was always known.
  var discovered: Int?
  var starID: Int?

  static let star = ToOne(\Planet.starID, to: Star.self, onDelete: .setNull)
  static let schema = Schema(
    "planet", Planet.init, Column("id", \.id), Column("name", \.name, .unique), Column("kind", \.kind, .indexed),
    Column("radius", \.radius), Column("discovered", \.discovered),
    Column("star_id", \.starID)
  ).references(star)
}

enum PlanetKind: String, Codable, ValueConvertible { case rocky, gasGiant, iceGiant }

/// A moon, whose number the store finds; it goes with its planet.
struct Moon: Entity, Hashable, Codable {
  let id: Int?
  var name: String
  var planetID: Int
  /// In kilometres.
  var diameter: Double
  /// The year, unless it was always known.
  var discovered: Int?

  static let planet = ToOne(\Moon.planetID, to: Planet.self, onDelete: .cascade)
  static let schema = Schema(
    "moon", Moon.init, Column("id", \.id, .generated), Column("name", \.name),
    Column("planet_id", \.planetID), Column("diameter", \.diameter),
    Column("discovered", \.discovered)
  ).references(planet)
}
