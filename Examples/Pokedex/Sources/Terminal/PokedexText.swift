/// Entries as a person reads them.
enum PokedexText {
  static func list(_ entries: [Entry]) -> String {
    if entries.isEmpty { return "No Pokémon is like that." }
    var table = TextTable([
      ("No.", .right), ("Name", .left), ("Japanese", .left), ("Type", .left), ("Height", .right), ("Weight", .right),
      ("Speed", .right), ("Habitat", .left),
    ])
    for entry in entries {
      table.append([
        "\(entry.number)", entry.name, entry.japaneseName, entry.typeNames, "\(entry.height) m",
        "\(entry.weight) kg", "\(entry.points[.speed, default: 0])", entry.habitat?.rawValue ?? "",
      ])
    }
    return table.text
  }

  static func entry(_ entry: Entry) -> String {
    var facts = TextTable([("Type", .left), (entry.typeNames, .left)])
    facts.append(["Height", "\(entry.height) m"])
    facts.append(["Weight", "\(entry.weight) kg"])
    facts.append(["Habitat", entry.habitat?.rawValue ?? "unknown"])
    facts.append(["Color", entry.color.rawValue])
    let total = entry.points.values.reduce(0, +)
    var points = TextTable([("", .left), ("", .right), ("", .left)])
    for ability in Entry.Ability.allCases {
      let count = entry.points[ability, default: 0]
      points.append([ability.rawValue, "\(count)", String(repeating: "█", count: count / 5)])
    }
    points.append(["Total", "\(total)", ""])
    let kind = entry.isLegendary ? " (legendary)" : ""
    return "No. \(entry.number)  \(entry.name)  \(entry.japaneseName)\(kind)\n\n\(facts.text)\n\(points.text)"
  }

  static func highlights(_ highlights: Highlights) -> String {
    let lists = [
      ("The heaviest", highlights.heaviest), ("The fastest that are not legendary", highlights.fastest),
      ("The legendary", highlights.legendary),
    ]
    let sections = lists.filter { !$0.1.isEmpty }.map { title, entries in "\(title)\n\n\(list(entries))" }
    return (["\(highlights.count) Pokémon"] + sections).joined(separator: "\n\n")
  }
}

extension Entry {
  fileprivate var typeNames: String { types.map(\.rawValue).joined(separator: ", ") }
}
