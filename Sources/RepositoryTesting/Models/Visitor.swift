import Repository

/// A model whose key the store generates, and which refers to its own kind and to ``Tour``.
struct Visitor: Entity, Hashable {
  let id: Int?
  var name: String
  var friend: Int?
  var tour: String?

  static let schema = Schema(
    "visitor", Visitor.init, Column("id", \.id, .generated), Column("name", \.name),
    Column("friend", \.friend, .references(Visitor.self, onDelete: .setNull)),
    Column("tour", \.tour, .references(Tour.self, onDelete: .cascade))
  ).check("has a name") { $0.name != "" && $0.name != "nobody" }
}

/// A model that refers to the one that refers to it.
struct Tour: Entity, Hashable {
  let name: String
  var day: Int
  var hall: Int?
  var guide: Int?
  var id: String { name }

  static let schema = Schema(
    "tour", Tour.init, Column("name", \.name, .primaryKey), Column("day", \.day), Column("hall", \.hall),
    Column("guide", \.guide, .references(Visitor.self))
  ).unique(\.day, \.hall).check("day of a week") { $0.day.in(1...7) }
}
