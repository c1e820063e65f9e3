/// Something that is wrong with a database.
public struct IntegrityProblem: Hashable, Sendable {
  /// What kind of problem it is.
  public let kind: Kind
  /// The table, where the problem is one table's.
  public let table: String?
  /// What is wrong, in one sentence without any stored value.
  public let summary: String

  init(_ kind: Kind, table: String? = nil, _ summary: String) {
    self.kind = kind
    self.table = table
    self.summary = summary
  }

  /// What kind of problem it is; later versions may add kinds, so switch with a default.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file is damaged, or rows break rules of their table.
    public static let damage = Kind(rawValue: "damage")
    /// A row refers to another one that is not there.
    public static let brokenReference = Kind(rawValue: "brokenReference")
    /// A view or a trigger names a table or a column that is not there.
    public static let brokenDefinition = Kind(rawValue: "brokenDefinition")
    /// A text is not UTF-8, so that its row can't be read.
    public static let invalidText = Kind(rawValue: "invalidText")
  }
}

extension IntegrityProblem: CustomStringConvertible {
  /// The summary, after the table.
  public var description: String { table.map { "\($0): \(summary)" } ?? summary }
}
