public import Query
public import Repository

/// A model whose key has two columns.
public struct Drawer: ConformanceModel, Hashable, Codable {
  /// Where a drawer is: in which cabinet, and which one of it.
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

    /// The cabinet and the number.
    public func keyValues() throws(ValueError) -> [Value] { [cabinet.makeValue(), try number.makeValue()] }
  }

  /// An optional text, in the first column of the table: a key need not stand at the start.
  public var content: String?
  /// The cabinet, the first part of the key.
  public let cabinet: String
  /// The number within the cabinet, the second part of the key.
  public let number: Int

  /// The cabinet and the number.
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

  /// What every repository has to keep whose key has several columns.
  public static var rules: [ConformanceRule<AnyRepository<Drawer>>] { DrawerRules.all }

  /// The names of the properties in which two drawers differ, texts compared by their bytes.
  public func differences(from other: Drawer) -> [String] {
    [
      content.map { Array($0.utf8) } == other.content.map { Array($0.utf8) } ? nil : "content",
      Array(cabinet.utf8) == Array(other.cabinet.utf8) ? nil : "cabinet",
      number == other.number ? nil : "number",
    ].compactMap(\.self)
  }
}
