import Repository

/// A row of the table of lists. Its colors refer to it.
struct StoredList: Entity, Hashable {
  let id: Int?
  var name: String

  static let schema = Schema<StoredList>(table: "color_list") {
    Parameters(of: StoredList.init)
    Column("id", \.id, .generated)
    Column("name", \.name, .unique)
  }
}

/// A row of the table of colors, which goes with its list. Keys are generated, so that they tell the order, too.
struct StoredColor: Entity, Hashable {
  let id: Int?
  let listID: Int
  var name: String
  var color: Color

  var named: NamedColor { NamedColor(name: name, color: color) }

  static let list = ToOne(\StoredColor.listID, to: StoredList.self, onDelete: .cascade)
  static let schema = Schema<StoredColor>(table: "color") {
    Parameters(of: StoredColor.init)
    Column("id", \.id, .generated)
    Column("list_id", \.listID)
    Column("name", \.name)
    Column("color", \.color)
  }.references(list).unique(\.listID, \.name)
}
