package import SQLiteStore

/// A row of the table that everything here is measured with: ten columns, of each kind of value but bytes.
package struct Pokemon: Entity, Hashable, Codable {
  package let id: Int
  package var name: String
  package var type: PokemonType
  package var secondType: PokemonType?
  package var weight: Double
  package var height: Double
  package var generation: Int
  package var isLegendary: Bool
  package var habitat: String?
  package var text: String

  // Inlinable, so that no contender pays for a call across modules.
  @inlinable
  package init(
    id: Int, name: String, type: PokemonType, secondType: PokemonType?, weight: Double, height: Double,
    generation: Int, isLegendary: Bool, habitat: String?, text: String
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.secondType = secondType
    self.weight = weight
    self.height = height
    self.generation = generation
    self.isLegendary = isLegendary
    self.habitat = habitat
    self.text = text
  }

  package static let schema = Schema<Pokemon>(table: "pokemon") {
    Parameters(of: Pokemon.init)
    Column("id", \.id)
    Column("name", \.name, .unique)
    Column("type", \.type, .indexed)
    Column("second_type", \.secondType)
    Column("weight", \.weight)
    Column("height", \.height)
    Column("generation", \.generation)
    Column("is_legendary", \.isLegendary)
    Column("habitat", \.habitat)
    Column("text", \.text)
  }

  /// The columns by their names in the table, for those who name them by an enum.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, type
    case secondType = "second_type"
    case weight, height, generation
    case isLegendary = "is_legendary"
    case habitat, text
  }
}
