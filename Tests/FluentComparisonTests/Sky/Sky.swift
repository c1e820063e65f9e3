import Repository

/// A store with stars, planets, moons and missions, and a repository of each.
struct Sky {
  let store: any Store
  let stars: AnyRepository<Star>
  let planets: AnyRepository<Planet>
  let moons: AnyRepository<Moon>
  let missions: AnyRepository<Mission>
  let visits: AnyRepository<Visit>

  /// Opens a store of a kind, with what is in the sky.
  init(_ kind: StoreKind) async throws {
    try await self.init(in: kind.open())
  }

  /// Opens the repositories of a store.
  init(in store: any Store, isEmpty: Bool = false) async throws {
    self.store = store
    stars = try store.repository(of: Star.self)
    planets = try store.repository(of: Planet.self)
    moons = try store.repository(of: Moon.self)
    missions = try store.repository(of: Mission.self)
    visits = try store.repository(of: Visit.self)
    if isEmpty { return }
    // All or nothing, and one commit.
    try await store.transaction { _ in
      try await stars.insert(Star.all)
      try await planets.insert(Planet.all)
      try await moons.insert(Moon.all)
      try await missions.insert(Mission.all)
      try await visits.insert(Visit.all)
    }
  }

  /// The planet of a name.
  func planet(_ name: String) async throws -> Planet {
    guard let planet = try await planets.first(where: { $0.name == name }) else {
      throw RepositoryError(.notFound, "there is no planet \(name)")
    }
    return planet
  }
}

// Source: NASA's fact sheets, https://nssdc.gsfc.nasa.gov/planetary/factsheet/, rounded.
extension Star {
  static let all = [
    Star(id: 1, name: "Sun", spectralClass: .g, magnitude: -26.74),
    Star(id: 2, name: "Proxima Centauri", spectralClass: .m, magnitude: 11.13),
    Star(id: 3, name: "Sirius", spectralClass: .a, magnitude: -1.46),
    Star(id: 4, name: "Betelgeuse", spectralClass: .m, magnitude: 0.42),
  ]
}

extension Planet {
  static let all = [
    Planet(id: 1, name: "Mercury", kind: .rocky, radius: 2_439.7, discovered: nil, starID: 1),
    Planet(id: 2, name: "Venus", kind: .rocky, radius: 6_051.8, discovered: nil, starID: 1),
    Planet(id: 3, name: "Earth", kind: .rocky, radius: 6_371, discovered: nil, starID: 1),
    Planet(id: 4, name: "Mars", kind: .rocky, radius: 3_389.5, discovered: nil, starID: 1),
    Planet(id: 5, name: "Jupiter", kind: .gasGiant, radius: 69_911, discovered: nil, starID: 1),
    Planet(id: 6, name: "Saturn", kind: .gasGiant, radius: 58_232, discovered: nil, starID: 1),
    Planet(id: 7, name: "Uranus", kind: .iceGiant, radius: 25_362, discovered: 1781, starID: 1),
    Planet(id: 8, name: "Neptune", kind: .iceGiant, radius: 24_622, discovered: 1846, starID: 1),
    Planet(id: 9, name: "Proxima b", kind: .rocky, radius: nil, discovered: 2016, starID: 2),
    Planet(id: 10, name: "PSO J318.5-22", kind: .gasGiant, radius: nil, discovered: 2013, starID: nil),
  ]
}

extension Moon {
  static let all = [
    Moon(id: 1, name: "Moon", planetID: 3, diameter: 3_474.8, discovered: nil),
    Moon(id: 2, name: "Phobos", planetID: 4, diameter: 22.2, discovered: 1877),
    Moon(id: 3, name: "Deimos", planetID: 4, diameter: 12.4, discovered: 1877),
    Moon(id: 4, name: "Io", planetID: 5, diameter: 3_643.2, discovered: 1610),
    Moon(id: 5, name: "Europa", planetID: 5, diameter: 3_121.6, discovered: 1610),
    Moon(id: 6, name: "Ganymede", planetID: 5, diameter: 5_268.2, discovered: 1610),
    Moon(id: 7, name: "Callisto", planetID: 5, diameter: 4_820.6, discovered: 1610),
    Moon(id: 8, name: "Titan", planetID: 6, diameter: 5_149.5, discovered: 1655),
    Moon(id: 9, name: "Enceladus", planetID: 6, diameter: 504.2, discovered: 1789),
    Moon(id: 10, name: "Triton", planetID: 8, diameter: 2_706.8, discovered: 1846),
  ]
}

extension Mission {
  static let all = [
    Mission(id: 1, name: "Voyager 2", launched: 1977, ended: nil),
    Mission(id: 2, name: "Cassini", launched: 1997, ended: 2017),
    Mission(id: 3, name: "Messenger", launched: 2004, ended: 2015),
    Mission(id: 4, name: "Juno", launched: 2011, ended: nil),
    Mission(id: 5, name: "Mariner 1", launched: 1962, ended: 1962),
  ]
}

extension Visit {
  static let all = [
    Visit(missionID: 1, planetID: 5, year: 1979), Visit(missionID: 1, planetID: 6, year: 1981),
    Visit(missionID: 1, planetID: 7, year: 1986), Visit(missionID: 1, planetID: 8, year: 1989),
    Visit(missionID: 2, planetID: 2, year: 1998), Visit(missionID: 2, planetID: 5, year: 2000),
    Visit(missionID: 2, planetID: 6, year: 2004), Visit(missionID: 3, planetID: 3, year: 2005),
    Visit(missionID: 3, planetID: 2, year: 2006), Visit(missionID: 3, planetID: 1, year: 2011),
    Visit(missionID: 4, planetID: 3, year: 2013), Visit(missionID: 4, planetID: 5, year: 2016),
  ]
}
