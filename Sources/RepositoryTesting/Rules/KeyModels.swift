#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query
public import Repository

/// A model whose key is a text.
public struct Station: ConformanceModel, Hashable, Codable {
  /// The key; composed and decomposed characters make different keys.
  public let name: String
  /// An optional text.
  public var country: String?

  /// The key: the name.
  public var id: String { name }

  /// Makes a station.
  public init(name: String, country: String?) {
    self.name = name
    self.country = country
  }

  /// The table `station`, which marks the column of its key because that is not called `id`.
  public static let schema = Schema(
    "station", Station.init, Column("name", \.name, .primaryKey), Column("country", \.country))

  /// The rules for every repository whose key is a text.
  public static var rules: [ConformanceRule<AnyRepository<Station>>] { TextKeyRules.all }
}

/// A model whose key is a UUID.
public struct Loan: ConformanceModel, Hashable, Codable {
  /// The key, stored as a text in lowercase.
  public let id: UUID
  /// An optional date.
  public var until: Date?

  /// Makes a loan.
  public init(id: UUID, until: Date?) {
    self.id = id
    self.until = until
  }

  /// The table `loan`.
  public static let schema = Schema("loan", Loan.init, Column("id", \.id), Column("until", \.until, .indexed))

  /// The rules for every repository whose key is a UUID.
  public static var rules: [ConformanceRule<AnyRepository<Loan>>] { UUIDKeyRules.all }
}

/// A model whose key has two columns.
public struct Drawer: ConformanceModel, Hashable, Codable {
  /// The key of a drawer: its cabinet, and its number in the cabinet.
  public struct Key: PrimaryKey, Codable {
    /// The cabinet, a text.
    public let cabinet: String
    /// The number within the cabinet.
    public let number: Int

    /// Makes a key.
    public init(_ cabinet: String, _ number: Int) {
      self.cabinet = cabinet
      self.number = number
    }

    /// Returns the cabinet and the number.
    public func keyValues() throws(ValueError) -> [Value] { [cabinet.makeValue(), try number.makeValue()] }
  }

  /// An optional text, in the first column of the table: a key need not be the first column.
  public var content: String?
  /// The cabinet, the first part of the key.
  public let cabinet: String
  /// The number within the cabinet, the second part of the key.
  public let number: Int

  /// The key: the cabinet and the number.
  public var id: Key { Key(cabinet, number) }

  /// Makes a drawer.
  public init(content: String?, cabinet: String, number: Int) {
    self.content = content
    self.cabinet = cabinet
    self.number = number
  }

  /// The table `drawer`.
  public static let schema = Schema(
    "drawer", Drawer.init, Column("content", \.content), Column("cabinet", \.cabinet, .primaryKey),
    Column("number", \.number, .primaryKey))

  /// The rules for every repository whose key has several columns.
  public static var rules: [ConformanceRule<AnyRepository<Drawer>>] { CompositeKeyRules.all }
}

/// A model whose key the store generates, and which refers to its own kind and to ``Tour``.
struct Visitor: Entity, Hashable {
  let id: Int?
  var name: String
  var friend: Int?
  var tour: String?

  static let companion = ToOne(\Visitor.friend, to: Visitor.self, onDelete: .setNull)
  static let booking = ToOne(\Visitor.tour, to: Tour.self, onDelete: .cascade)
  static let schema = Schema(
    "visitor", Visitor.init, Column("id", \.id, .generated), Column("name", \.name),
    Column("friend", \.friend),
    Column("tour", \.tour)
  ).references(companion, booking).check("has a name") { $0.name != "" && $0.name != "refused" }
}

/// A model that refers to ``Visitor``, which refers back to it.
struct Tour: Entity, Hashable {
  let name: String
  var day: Int
  var hall: Int?
  var guide: Int?
  var id: String { name }

  static let leader = ToOne(\Tour.guide, to: Visitor.self)
  static let schema = Schema(
    "tour", Tour.init, Column("name", \.name, .primaryKey), Column("day", \.day), Column("hall", \.hall),
    Column("guide", \.guide)
  ).references(leader).unique(\.day, \.hall).check("day of a week") { $0.day.in(1...7) }
}
