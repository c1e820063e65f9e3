import Repository

// What refers to what, as closures follow it: each relation is named by the property that refers.

extension Planet {
  static let moons = ToMany(Moon.planet)
}
