import Repository

/// A number that is counted up; two with the same number are counted up together.
struct Tally: Entity {
  let id: Int
  var value: Int

  static let schema = Schema("tally", Tally.init, Column("id", \.id), Column("value", \.value))
}
