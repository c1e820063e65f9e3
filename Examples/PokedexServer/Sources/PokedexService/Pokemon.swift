import CSV
public import Repository

/// A Pokémon as the server keeps it. Programs that ask the server share the type, or have one with the columns that they need.
public struct Pokemon: Entity, Hashable {
  /// The number of the species.
  public let id: Int
  /// The name.
  public var name: String
  /// The first type.
  public var type: String
  /// The second type, if it has one.
  public var secondType: String?
  /// The weight in kilograms.
  public var weight: Double
  /// The attack.
  public var attack: Int

  /// The table.
  public static let schema = Schema<Pokemon>(table: "pokemon") {
    Parameters(of: Pokemon.init)
    Column("id", \.id)
    Column("name", \.name, .unique)
    Column("type", \.type, .indexed)
    Column("second_type", \.secondType)
    Column("weight", \.weight, .indexed)
    Column("attack", \.attack)
  }

  /// Makes a Pokémon.
  public init(id: Int, name: String, type: String, secondType: String?, weight: Double, attack: Int) {
    (self.id, self.name, self.type) = (id, name, type)
    (self.secondType, self.weight, self.attack) = (secondType, weight, attack)
  }

  /// Reads the Pokémon of a CSV file, such as `Examples/Pokedex/pokedex.csv`.
  static func read(path: String) throws -> [Pokemon] {
    let reader = try CSVReader(path: path)
    var pokemon: [Pokemon] = []
    while let record = try reader.next() {
      let fields = Dictionary(uniqueKeysWithValues: zip(reader.header, record.fields.map(\.value)))
      func text(_ column: String) throws -> String {
        guard let text = fields[column] ?? nil else { throw UnreadableField(line: record.line, column: column) }
        return text
      }
      guard let id = Int(try text("id")), let weight = Double(try text("weight")), let attack = Int(try text("attack"))
      else { throw UnreadableField(line: record.line, column: "id, weight or attack") }
      pokemon.append(
        Pokemon(
          id: id, name: try text("name"), type: try text("type1"), secondType: fields["type2"] ?? nil, weight: weight,
          attack: attack))
    }
    return pokemon
  }
}

/// A field of the file that can't be read.
struct UnreadableField: Error {
  let line: Int
  let column: String
}

/// A note about a Pokémon, which its owner alone sees.
public struct Note: Entity, Hashable {
  /// The number, which the store generates.
  public let id: Int?
  /// The Pokémon that it is about.
  public var pokemon: Int
  /// The name of its owner.
  public var owner: String
  /// The text.
  public var text: String

  /// The Pokémon that the note is about.
  public static let subject = ToOne(\Note.pokemon, to: Pokemon.self, onDelete: .cascade)
  /// The table.
  public static let schema = Schema<Note>(table: "note") {
    Parameters(of: Note.init)
    Column("id", \.id, .generated)
    Column("pokemon", \.pokemon)
    Column("owner", \.owner, .indexed)
    Column("text", \.text)
  }.references(subject)

  /// Makes a note.
  public init(id: Int? = nil, pokemon: Int, owner: String, text: String) {
    (self.id, self.pokemon, self.owner, self.text) = (id, pokemon, owner, text)
  }
}
