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

/// The fields of one record by the names in the header.
struct CSVFields {
  private let record: CSVRecord
  private let header: [String]

  init(_ record: CSVRecord, header: [String]) {
    self.record = record
    self.header = header
  }

  func text(_ column: String) throws(CSVFieldError) -> String {
    guard let text = try optionalText(column) else { throw fail(column, "is empty") }
    return text
  }

  func number<Number: LosslessStringConvertible & Numeric>(_ column: String) throws(CSVFieldError) -> Number {
    guard let number = Number(try text(column)) else { throw fail(column, "is no number") }
    return number
  }

  /// 1 for true, 0 for false.
  func flag(_ column: String) throws(CSVFieldError) -> Bool {
    switch try text(column) {
    case "0": return false
    case "1": return true
    default: throw fail(column, "is neither 0 nor 1")
    }
  }

  /// One of the cases of an enum.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ column: String) throws(CSVFieldError) -> Choice {
    guard let choice: Choice = try optionalChoice(column) else { throw fail(column, "is empty") }
    return choice
  }

  /// One of the cases of an enum, or nothing where the field is empty.
  func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ column: String
  ) throws(CSVFieldError) -> Choice? {
    guard let text = try optionalText(column) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw fail(column, "is none of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  private func optionalText(_ column: String) throws(CSVFieldError) -> String? {
    guard let position = header.firstIndex(of: column) else { throw fail(column, "is missing in the header") }
    return record.fields[position].value
  }

  private func fail(_ column: String, _ problem: String) -> CSVFieldError {
    CSVFieldError(line: record.line, column: column, problem: problem)
  }
}

/// A field that is no part of a Pokémon.
struct CSVFieldError: FriendlyError, Hashable {
  /// The line of the file, counted from 1.
  let line: Int
  let column: String
  let problem: String

  var summary: String { "line \(line): \(column) \(problem)" }
}
