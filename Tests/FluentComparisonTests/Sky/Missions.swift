import Repository

/// A mission, which visits many planets, as planets are visited by many missions.
struct Mission: Entity, Hashable, Codable {
  let id: Int
  var name: String
  /// The years.
  var launched: Int
  var ended: Int?

  static let schema = Schema(
    "mission", Mission.init, Column("id", \.id), Column("name", \.name, .unique), Column("launched", \.launched),
    Column("ended", \.ended))
}

/// The link between a mission and a planet, with an attribute of its own. Its key is the pair.
struct Visit: Entity, Hashable, Codable {
  struct ID: PrimaryKey {
    let missionID: Int
    let planetID: Int

    func keyValues() throws(ValueError) -> [Value] { [try missionID.makeValue(), try planetID.makeValue()] }
  }

  let missionID: Int
  let planetID: Int
  var year: Int

  var id: ID { ID(missionID: missionID, planetID: planetID) }

  static let mission = ToOne(\Visit.missionID, to: Mission.self, onDelete: .cascade)
  static let planet = ToOne(\Visit.planetID, to: Planet.self, onDelete: .cascade)
  static let schema = Schema(
    "visit", Visit.init,
    Column("mission_id", \.missionID, .primaryKey),
    Column("planet_id", \.planetID, .primaryKey),
    Column("year", \.year)
  ).references(mission, planet)
}
