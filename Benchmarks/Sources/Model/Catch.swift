package import SQLiteStore

/// Someone to whom a hundred catches refer.
package struct Trainer: Entity, Hashable {
  package let id: Int
  package var name: String
  package var badges: Int

  package init(id: Int, name: String, badges: Int) {
    (self.id, self.name, self.badges) = (id, name, badges)
  }

  package static let schema = Schema<Trainer>(table: "trainer") {
    Parameters(of: Trainer.init)
    Column("id", \.id)
    Column("name", \.name, .unique)
    Column("badges", \.badges)
  }
}

/// A row that refers to another one.
package struct Catch: Entity, Hashable {
  package let id: Int
  package var trainer: Int
  package var level: Int
  package var weight: Double
  package var place: String

  // Inlinable, so that no contender pays for a call across modules.
  @inlinable
  package init(id: Int, trainer: Int, level: Int, weight: Double, place: String) {
    self.id = id
    self.trainer = trainer
    self.level = level
    self.weight = weight
    self.place = place
  }

  package static let owner = ToOne(\Catch.trainer, to: Trainer.self)
  package static let schema = Schema<Catch>(table: "catch") {
    Parameters(of: Catch.init)
    Column("id", \.id)
    Column("trainer", \.trainer)
    Column("level", \.level)
    Column("weight", \.weight)
    Column("place", \.place)
  }.references(owner)
}

/// Makes trainers and what they caught. The row of a number is the same in each run.
package enum Catches {
  private static let places = ["cave", "forest", "grassland", "mountain", "rough-terrain", "sea", "urban"]
  /// How many catches refer to a trainer.
  package static let each = 100

  package static func trainers(_ count: Int) -> [Trainer] {
    (1...max(1, count)).map { Trainer(id: $0, name: name(of: $0), badges: $0 * 7 % 9) }
  }

  package static func catches(of trainers: Int) -> [Catch] {
    var random = SeededGenerator(seed: 7)
    return (1...max(1, trainers * each)).map { id in
      Catch(
        id: id, trainer: 1 + Int(random.next() % UInt64(max(1, trainers))), level: 1 + Int(random.next() % 100),
        weight: Double(random.next() % 10_000) / 10, place: places[Int(random.next() % UInt64(places.count))])
    }
  }

  package static func name(of trainer: Int) -> String { "trainer-\(trainer * 7_919 % 1_000_003)" }
}

extension Digest {
  package mutating func feed(_ found: Catch) {
    feed(found.id)
    feed(found.trainer)
    feed(found.level)
    feed(found.weight)
    feed(found.place)
  }
}
