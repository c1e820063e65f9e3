/// The character between two fields of a record: one ASCII character.
///
/// ```swift
/// let reader = try CSVReader(path: "pokemon.tsv", delimiter: .tab)
/// guard let delimiter = CSVDelimiter(option) else { … }
/// ```
public struct CSVDelimiter: Hashable, Sendable {
  /// The delimiter's byte in UTF-8.
  let byte: UInt8

  private init(byte: UInt8) {
    self.byte = byte
  }

  /// The delimiter of RFC 4180.
  public static let comma = CSVDelimiter(byte: UInt8(ascii: ","))

  /// What spreadsheets write in countries whose decimal separator is a comma.
  public static let semicolon = CSVDelimiter(byte: UInt8(ascii: ";"))

  /// The delimiter of tab-separated values.
  public static let tab = CSVDelimiter(byte: UInt8(ascii: "\t"))

  /// The vertical bar.
  public static let pipe = CSVDelimiter(byte: UInt8(ascii: "|"))

  /// The delimiter that is this character, or `nil` for one that cannot be a delimiter.
  ///
  /// - Parameter character: Any ASCII character but the quote `"`, carriage return and line feed, which have their own
  ///   meaning in CSV.
  public init?(_ character: Character) {
    guard let byte = character.asciiValue else { return nil }
    switch byte {
    case .quote, .carriageReturn, .lineFeed: return nil
    default: self.init(byte: byte)
    }
  }

  /// The delimiter as a character.
  public var character: Character {
    Character(Unicode.Scalar(byte))
  }
}
