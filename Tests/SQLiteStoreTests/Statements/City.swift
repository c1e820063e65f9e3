import Repository
import SQLiteStore

struct City: Entity, Hashable {
  let id: Int
  var name: String
  var height: Double?

  static let schema = Schema(
    "city", City.init, Column("id", \.id), Column("name", \.name), Column("height", \.height))

  static let all = [
    City(id: 1, name: "Bonn", height: 60), City(id: 2, name: "O'Fallon; DROP TABLE city; --", height: nil),
    City(id: 3, name: "東京\u{0}", height: 40.5),
  ]

  static func store() throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory()
    try store.repository(of: City.self).save(all)
    return store
  }
}
