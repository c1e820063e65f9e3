import Repository

/// Which changes of a table are made automatically: such as only add something, so that nothing stored is touched.
public struct SchemaAdditions: OptionSet, Hashable, Sendable {
  /// The set's bits.
  public let rawValue: Int

  /// Makes a set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Columns that may be null or have a default, with the indexes that they ask for.
  public static let columns = SchemaAdditions(rawValue: 1)
  /// Indexes of columns that are there. A unique one is refused with the code `conflict` where rows have the same value.
  public static let indexes = SchemaAdditions(rawValue: 2)
  /// Everything that only adds something.
  public static let all: SchemaAdditions = [.columns, .indexes]

  func contains(_ difference: SchemaDifference) -> Bool {
    if difference.deletesData || difference.statements.isEmpty { return false }
    return switch difference.kind {
    case .missingTable: true
    case .missingColumn: contains(.columns)
    case .missingIndex, .missingUniqueness: contains(.indexes)
    default: false
    }
  }
}
