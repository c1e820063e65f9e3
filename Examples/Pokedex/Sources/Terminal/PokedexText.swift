/// Pokémon as a person reads them.
enum PokedexText {
  static func list(_ pokemon: [Pokemon]) -> String {
    if pokemon.isEmpty { return "No Pokémon is like that." }
    var table = TextTable([
      ("No.", .right), ("Name", .left), ("Japanese", .left), ("Type", .left), ("Height", .right), ("Weight", .right),
      ("Speed", .right), ("Habitat", .left),
    ])
    for pokemon in pokemon {
      table.append([
        "\(pokemon.id)", pokemon.name, pokemon.japaneseName, pokemon.types, "\(pokemon.height) m",
        "\(pokemon.weight) kg", "\(pokemon.speed)", pokemon.habitat?.rawValue ?? "",
      ])
    }
    return table.text
  }

  static func entry(_ pokemon: Pokemon) -> String {
    var facts = TextTable([("Type", .left), (pokemon.types, .left)])
    facts.append(["Height", "\(pokemon.height) m"])
    facts.append(["Weight", "\(pokemon.weight) kg"])
    facts.append(["Habitat", pokemon.habitat?.rawValue ?? "unknown"])
    facts.append(["Color", pokemon.color.rawValue])
    let abilities = [
      ("Hit points", pokemon.hitPoints), ("Attack", pokemon.attack), ("Defense", pokemon.defense),
      ("Special attack", pokemon.specialAttack), ("Special defense", pokemon.specialDefense), ("Speed", pokemon.speed),
    ]
    let total = abilities.reduce(0) { $0 + $1.1 }
    var points = TextTable([("", .left), ("", .right), ("", .left)])
    for (name, number) in abilities { points.append([name, "\(number)", String(repeating: "█", count: number / 5)]) }
    points.append(["Total", "\(total)", ""])
    let kind = pokemon.isLegendary ? " (legendary)" : ""
    return "No. \(pokemon.id)  \(pokemon.name)  \(pokemon.japaneseName)\(kind)\n\n\(facts.text)\n\(points.text)"
  }

  static func highlights(_ highlights: Highlights) -> String {
    let lists = [
      ("The heaviest", highlights.heaviest), ("The fastest that are not legendary", highlights.fastest),
      ("The legendary", highlights.legendary),
    ]
    let sections = lists.filter { !$0.1.isEmpty }.map { title, pokemon in "\(title)\n\n\(list(pokemon))" }
    return (["\(highlights.count) Pokémon"] + sections).joined(separator: "\n\n")
  }
}

extension Pokemon {
  fileprivate var types: String { [type, secondType].compactMap(\.?.rawValue).joined(separator: ", ") }
}
