import CSV
import ErrorHandling
import Repository

/// Reads Pokémon from a file of comma-separated values whose header names the columns of ``Pokemon/schema``.
enum PokedexCSV {
  /// The file that comes with the example, beside its sources.
  static let bundledPath =
    "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/pokedex.csv"

  /// Reads a file.
  static func read(path: String) throws(InfrastructureError) -> [Pokemon] {
    do {
      return try read(try CSVReader(path: path))
    } catch {
      let isUnreadable = (error as? CSVError)?.code == .unreadable
      throw InfrastructureError(error, as: isUnreadable ? .inputOutput : .corrupt)
    }
  }

  /// Reads bytes in memory.
  static func read(bytes: [UInt8]) throws -> [Pokemon] { try read(try CSVReader(bytes: bytes)) }

  private static func read(_ reader: CSVReader) throws -> [Pokemon] {
    var pokemon: [Pokemon] = []
    while let record = try reader.next() {
      pokemon.append(try Pokemon(CSVFields(record, header: reader.header)))
    }
    return pokemon
  }
}

extension Pokemon {
  fileprivate init(_ fields: CSVFields) throws(CSVFieldError) {
    self.init(
      id: try fields.number("id"), name: try fields.text("name"), japaneseName: try fields.text("japanese_name"),
      type: try fields.choice("type1"), secondType: try fields.optionalChoice("type2"),
      height: try fields.number("height"), weight: try fields.number("weight"), hitPoints: try fields.number("hp"),
      attack: try fields.number("attack"), defense: try fields.number("defense"),
      specialAttack: try fields.number("special_attack"), specialDefense: try fields.number("special_defense"),
      speed: try fields.number("speed"), isLegendary: try fields.flag("legendary"),
      color: try fields.choice("color"), habitat: try fields.optionalChoice("habitat"))
  }
}
