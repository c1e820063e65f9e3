import Repository

// What refers to what, as closures follow it: each relation is named by the property that refers.

extension RowFields where Element == Planet {
  var star: Referred<Star> { Referred(by: \.starID, of: self) }
}

extension RowFields where Element == Moon {
  var planet: Referred<Planet> { Referred(by: \.planetID, of: self) }
}

extension RowFields where Element == Visit {
  var mission: Referred<Mission> { Referred(by: \.missionID, of: self) }
  var planet: Referred<Planet> { Referred(by: \.planetID, of: self) }
}

extension Fields where Element == Planet {
  var moons: Referring<Moon> { Referring(by: \.planetID, to: self) }
}
