public import Query
public import Repository

/// A model whose key is a text.
public struct Place: ConformanceModel, Hashable, Codable {
  /// The key, of which composed and decomposed characters make different ones.
  public let name: String
  /// An optional text.
  public var country: String?

  /// The name.
  public var id: String { name }

  /// Makes a place.
  public init(name: String, country: String?) {
    self.name = name
    self.country = country
  }

  /// The table `place`, which marks its key because it is not called `id`.
  public static let schema = Schema(
    "place", Place.init, Column("name", \.name, .primaryKey), Column("country", \.country))

  /// What every repository has to keep whose key is a text.
  public static var rules: [ConformanceRule<AnyRepository<Place>>] { PlaceRules.all }

  /// The names of the properties in which two places differ, compared by their bytes.
  public func differences(from other: Place) -> [String] {
    [
      Array(name.utf8) == Array(other.name.utf8) ? nil : "name",
      country.map { Array($0.utf8) } == other.country.map { Array($0.utf8) } ? nil : "country",
    ].compactMap(\.self)
  }
}
