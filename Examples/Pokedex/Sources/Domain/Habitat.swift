import Repository

/// Where a Pokémon lives.
enum Habitat: String, ValueConvertible, CaseIterable {
  case cave, forest, grassland, mountain, rare, sea, urban
  case roughTerrain = "rough-terrain"
  case watersEdge = "waters-edge"
}
